"""Text of others in a host's Markdown: shown as it is, never read as a link, an image, code, HTML or a reference.

CommonMark 0.31.2, sections 2.4 (backslash escapes), 2.5 (entities), 6.3 (links), 6.6 (raw HTML).
"""

from __future__ import annotations

import re

from fanseek.text.clean import plain
from fanseek.text.cut import cut

_ACTIVE = re.compile(
    r"[\[\]`]"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#[0-9xX]|[A-Za-z][A-Za-z0-9]{1,31};)"
    r"""|\\(?=[!-/:-@\[-`{-~]|\Z)"""
)
"""What Markdown acts on in the middle of a line. Emphasis is left alone: it leads nowhere and ends with its item."""


def inert(text: str, limit: int) -> str:
    """`text` as one line of at most `limit` visible characters, everything Markdown would act on escaped."""
    return escaped(cut(plain(text), limit))


def escaped(line: str) -> str:
    """`line` (plain) with backslashes before what Markdown would act on."""
    return _ACTIVE.sub(r"\\\g<0>", line)
