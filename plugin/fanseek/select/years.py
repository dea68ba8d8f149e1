"""The one year a query is about, where it says `2025年`."""

from __future__ import annotations

import re
import unicodedata

from fanseek.contract import pieces

_YEAR = re.compile(
    r"(?:(?<![0-9A-Za-z._/\\~\u2010-\u2015\u301c至到-])|(?<=年[vV][sS]))(20[0-9]{2})\s*年"
    r"(?!\s*[-~\u2010-\u2015\u301c至到])(?!代|款|式|版|型|以来|以來|以前|以後|以后|之前|之後|之后|以降)"
    r"(?![前后後](?![0-9半一二三四五六七八九十]))"
)
"""Not in identifiers, models, versions and decades, and not where it ends or begins a range."""


def query_year(query: str) -> int | None:
    """The year 20xx that `query` names; None where it names none, several, or a range (G3).

    What stands in quotes is a text of its own, a title or a name, unless it is the year alone.
    """
    parts = (f" {part.text} " if part.kind != "phrase" else _alone(part.text) for part in pieces(query))
    years = {int(year) for year in _YEAR.findall(unicodedata.normalize("NFKC", "".join(parts)))}
    return years.pop() if len(years) == 1 else None


def _alone(quoted: str) -> str:
    inner = unicodedata.normalize("NFKC", quoted[1:-1])
    return f" {inner} " if quoted[0] in '"“「' and re.fullmatch(r"\s*20[0-9]{2}\s*年\s*", inner) else " "
