"""A frame around what others wrote, with a mark in it that they can't know: whatever they write, it stays inside."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import msgspec

from fanseek.catalogue import Lang, said

Draw = Callable[[], str]
"""A new mark: unguessable, and made after what it frames has come."""


def mark() -> str:
    """64 bits from the operating system."""
    return secrets.token_hex(8)


class Frame(msgspec.Struct, frozen=True):
    """The lines of one answer. Of another answer they are others."""

    mark: str

    @property
    def opening(self) -> str:
        """The line before it."""
        return f"<<< web content {self.mark}"

    @property
    def closing(self) -> str:
        """The line behind it."""
        return f">>> end of web content {self.mark}"

    def notice(self, lang: Lang) -> str:
        """What the reader must know of it."""
        return said(lang, "notice.framed", mark=self.mark)

    def around(self, text: str) -> str:
        """`text` between the lines; nothing where there is none."""
        return f"{self.opening}\n{text}\n{self.closing}" if text else ""
