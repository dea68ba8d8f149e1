"""Why something can't be done to a profile; nothing was changed then."""

from __future__ import annotations

from fanseek.catalogue import Lang, said
from fanseek.errors import UsageError


class Refusal(UsageError):  # noqa: N818 - not a slip of ours
    """The catalogues word it under `dsh.<word>`."""

    def __init__(self, word: str, /, **fields: object) -> None:
        super().__init__(said("en", f"dsh.{word}", **fields))
        self.word = word
        self.fields = fields

    def words(self, lang: Lang) -> str:
        """The same in a person's language."""
        return said(lang, f"dsh.{self.word}", **self.fields)
