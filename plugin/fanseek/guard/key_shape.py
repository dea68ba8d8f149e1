"""What a key looks like in text: several in one value, what is none, and how much of one may be shown. Pure."""

from __future__ import annotations

import re

SEPARATORS = re.compile(r"[\s,;]+")
COMMENT = re.compile(r"(?:(?<=\s)|\A)#[^\r\n]*")
LONGEST = 2048
"""Characters; signed tokens are the longest keys there are."""
LONGEST_PLACEHOLDER = 80

SHOWN, SHORT = 4, 12
"""How many characters of a key are shown, and below how many none is."""

QUOTES = (
    "\"'`\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
    "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
)
SCHEMES = frozenset({"bearer", "basic", "token"})
ASSIGNED = re.compile(r"(?:export\b|[A-Z][A-Z0-9_]{2,}=)", re.ASCII)

PLACEHOLDER = re.compile(
    r"""
    .*[<>{}].* | \$.* | %\w+% | .*(?:\.{3}|…|\*{3}|•{2}).*
    | (?:.*[-_])?your[-_]?(?:.*[-_])?(?:key|token|secret|password)(?:[-_].*)?
    | (?:.*[-_])?(?:api[-_]?)?(?:key|token)[-_](?:goes[-_])?here
    | (?:insert|enter|paste|put|add|replace|change)[-_]?(?:.*[-_])?(?:key|token|here|me|this)
    | (?:[a-z]+[-_])*(?:api|access|secret)[-_]?(?:key|token)
    | (?:[a-z]{1,8}[-_])*x{3,}(?:[-_]x+)*
    | none | null | undefined | todo | tbd | placeholder | dummy | n/a
    | true | false | yes | no | on | off | enabled? | disabled?
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""Texts of templates and manuals that stand where a key belongs."""


def split(value: str) -> list[str]:
    """The keys in one value, each once: they stand apart by commas, semicolons, spaces or line ends.

    A comment is one part, whatever it says.
    """
    if _is_placeholder("-".join(value.split())):
        return [value]
    comments = [comment.strip() for comment in COMMENT.findall(value)]
    return list(dict.fromkeys(part for part in [*SEPARATORS.split(COMMENT.sub(" ", value)), *comments] if part))


def fault(key: str) -> str:
    """Why `key` can't be a key, in words that show nothing of it; empty when it can."""
    odd = (character for character in key if character not in QUOTES and character not in "…•")
    rules = (
        (key.startswith("#"), "what stands behind # is a comment: leave it out"),
        (_is_placeholder("-".join(key.split())), "it is a placeholder, not a key"),
        (
            any(not " " < character < "\x7f" for character in odd),
            "it holds a character that no key has (a control character, or one that is not ASCII)",
        ),
        (any(quote in key for quote in QUOTES), "it has quotes in it: leave them out"),
        (key.lower() in SCHEMES, "a key is given without the word of its header (such as Bearer)"),
        ("://" in key, "it is an address, and a key itself is wanted: nothing is fetched from there"),
        (ASSIGNED.match(key), "only what stands behind NAME= is the key"),
        (len(key) > LONGEST, f"it is longer than {LONGEST} characters"),
    )
    return next((why for broken, why in rules if broken), "")


def _is_placeholder(text: str) -> bool:
    return len(text) <= LONGEST_PLACEHOLDER and PLACEHOLDER.fullmatch(text) is not None


def masked(key: str) -> str:
    """`key` as it may be shown: its end, nothing at all of a short one."""
    return "•" * SHOWN + (key[-SHOWN:] if len(key) >= SHORT else "")


def slot(place: int, key: str) -> str:
    """The key in place `place`, counted from 1, as every message names it."""
    return f"slot {place} {masked(key)}"
