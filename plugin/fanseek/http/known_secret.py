"""One secret whose value is known: every form it may stand in, whole or cut short."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from functools import cache, cached_property
from html.entities import codepoint2name
from urllib.parse import quote, quote_plus

from fanseek.http.secret_shapes import HIDDEN
from fanseek.text.cut import ELLIPSIS

SHORTEST = 4
"""Secrets shorter than this would tear ordinary words apart; names and places still give them away."""

TELLING = 8
"""So many characters of the beginning of a secret are too many to be shown anywhere."""

UNESCAPED = "-_.~"
"""Signs that nobody escapes but who escapes every one."""

NAMED = {"'": "apos", "+": "plus", "/": "sol", "=": "equals", ":": "colon", ";": "semi"}
"""Names of signs in HTML beyond those of HTML 4."""

ESCAPES = frozenset("%\\&")


class KnownSecret:
    """A secret without the blanks around it."""

    def __init__(self, bare: str) -> None:
        self.bare = bare
        self.forms = tuple(dict.fromkeys(_forms(bare)))

    @property
    def is_odd(self) -> bool:
        """Whether signs in it may be escaped."""
        return not all(sign.isalnum() or sign in UNESCAPED for sign in self.bare)

    def unescaped(self, text: str) -> str:
        """`text` without the secret where signs in it are escaped as in addresses, JSON and HTML, several times too."""
        if ESCAPES.isdisjoint(text) or self._longest_word not in text.lower():
            return text
        return self._escaped.sub(HIDDEN, text)

    def uncut(self, text: str) -> str:
        """`text` without any beginning of the secret behind which it was cut, or may have been."""
        for form in self.forms:
            text = _uncut(text, form)
        return text

    @cached_property
    def _longest_word(self) -> str:
        return max(re.split(r"[\W_]+", self.bare.lower()), key=len)

    @cached_property
    def _escaped(self) -> re.Pattern[str]:
        return re.compile("".join(map(_as_escaped, self.bare)), re.IGNORECASE)


@cache
def _as_escaped(sign: str) -> str:
    if sign.isalnum() or sign in UNESCAPED:
        return re.escape(sign)
    code = ord(sign)
    encoded = "".join(f"%(?:25)*{byte:02x}" for byte in sign.encode(errors="replace"))
    named = "".join(f"|{name}" for name in (codepoint2name.get(code), NAMED.get(sign)) if name)
    return rf"(?:\\+u{code:04x}|{encoded}|&(?:amp;)*(?:\#0*{code}|\#x0*{code:x}{named});|\\*{re.escape(sign)})"


def _uncut(text: str, secret: str) -> str:
    head, at = secret[:SHORTEST], text.find(secret[:SHORTEST])
    while at >= 0:
        end = at + _shared(text[at : at + len(secret)], secret)
        if _is_cut(text[at:end], text[end : end + 3]):
            text, end = f"{text[:at]}{HIDDEN}{text[end:]}", at + len(HIDDEN)
        at = text.find(head, end)
    return text


def _shared(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _is_cut(beginning: str, behind: str) -> bool:
    """Whether the beginning of a secret may be the rest of a whole one: what is short and a word needs a clear sign."""
    if not behind.strip(f". {ELLIPSIS}") or behind.startswith((ELLIPSIS, "...")):
        return True
    return len(beginning) >= TELLING and not beginning.isalpha() and not behind[0].isalnum()


def _forms(bare: str) -> Iterator[str]:
    """`bare` as it may travel: bare, percent-encoded, escaped as JSON or Python show it, inside base64."""
    yield bare
    yield " ".join(bare.split())
    yield from (line for line in map(str.strip, bare.splitlines()) if len(line) >= SHORTEST)
    yield from (quote(bare, safe=""), quote(bare), quote_plus(bare))
    yield from (json.dumps(bare)[1:-1], repr(bare)[1:-1], repr(bare.encode(errors="replace"))[2:-1])
    for skipped, dependent in enumerate((0, 2, 3)):
        whole = base64.b64encode(b"\0" * skipped + bare.encode(errors="replace")).decode()
        core = whole.rstrip("=")[dependent : -1 if whole.endswith("=") else None]
        if len(core) >= SHORTEST:  # what no byte before or behind the secret changes
            yield from (core, core.replace("+", "-").replace("/", "_"), quote(core, safe=""))
