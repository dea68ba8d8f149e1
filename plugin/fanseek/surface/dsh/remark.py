"""One thing the doctor of a profile has to say."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from fanseek.catalogue import Lang, said

Level = Literal["fine", "note", "problem"]
"""`problem` is for what keeps the plugin from searching, or from being asked."""


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """`fields` are what its words are made of, for other languages; the message is English."""

    code: str
    level: Level
    message: str
    fields: dict[str, Any] = {}

    def words(self, lang: Lang) -> str:
        """The same in a person's language."""
        return said(lang, f"dsh.doctor.{self.code}", **self.fields)


def remark(code: str, level: Level, /, **fields: Any) -> Remark:
    """The remark that the catalogues word under `dsh.doctor.<code>`."""
    shown = {name: str(value) for name, value in fields.items()}
    return Remark(code=code, level=level, message=said("en", f"dsh.doctor.{code}", **shown), fields=shown)
