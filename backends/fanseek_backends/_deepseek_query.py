"""A search as one DeepSeek query: the words whole, and as many operators as fit beside them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from fanseek.contract import QueryLimit, SearchRequest, Wording, locale, worded

LIMIT = QueryLimit(characters=128)

DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}


class Query:
    """The words of a query and the operators put beside them."""

    def __init__(self, search: SearchRequest) -> None:
        words = worded(search.query, LIMIT)
        self.words, self.cut = words.text, words.cut
        self._said = search.query.lower()
        self._room = LIMIT.characters - len(self.words)
        hard = (_after(search), _before(search), _language(search))
        self.hard = [operator for operator in hard if operator and self._takes(operator)]
        self._wanted = search.include_domains
        self.sites = [] if "site:" in self._said else self._joined(search.include_domains)
        others = [f"-site:{domain}" for domain in search.exclude_domains]
        self.others = [each for each in others if each not in self._said and self._takes(each)]

    @property
    def wording(self) -> Wording:
        """The whole query, and which of its domains found no room."""
        missing = () if "site:" in self._said else self._wanted[len(self.sites) :]
        return Wording(text=self.text, cut=self.cut, left_out=missing)

    @property
    def text(self) -> str:
        """The whole query."""
        return " ".join((self.words, *([" OR ".join(self.sites)] * bool(self.sites)), *self.hard, *self.others)).strip()

    def has(self, name: str) -> bool:
        """Whether the operator `name` is in the query, put there by us or by the user."""
        return name in self._said or any(operator.startswith(name) for operator in self.hard)

    def _takes(self, operator: str) -> bool:
        """Whether `operator` is wanted and fits; its room is then taken."""
        name = operator.partition(":")[0] + ":"
        fits = len(operator) < self._room and (name in ("site:", "-site:") or name not in self._said)
        self._room -= (len(operator) + 1) * fits
        return fits

    def _joined(self, domains: Iterable[str]) -> list[str]:
        kept: list[str] = []
        for domain in domains:
            if self._takes(f"{'OR ' * bool(kept)}site:{domain}"):
                kept.append(f"site:{domain}")
        return kept


def _after(search: SearchRequest) -> str:
    """The operator for the first day wished; empty where none is, or today is not known."""
    if search.since:
        return f"after:{search.since}"
    if search.recency not in DAYS or not search.today:
        return ""
    return f"after:{date.fromisoformat(search.today) - timedelta(days=DAYS[search.recency])}"


def _before(search: SearchRequest) -> str:
    return f"before:{date.fromisoformat(search.until) + timedelta(days=1)}" if search.until else ""


def _language(search: SearchRequest) -> str:
    language = locale(search.language, "").language
    return f"lang:{language}" if language else ""


def wording(search: SearchRequest) -> Wording:
    """The query with its operators."""
    return Query(search).wording


def unmet(search: SearchRequest) -> dict[str, str]:
    """What of `search` its query could not hold."""
    query = Query(search)
    needed = {"recency": ("after:",), "date_range": ("after:", "before:"), "language": ("lang:",)}
    wished = {"recency": search.recency in DAYS, "date_range": search.since, "language": search.language}
    lost = [wish for wish, names in needed.items() if wished[wish] and not all(map(query.has, names))]
    return dict.fromkeys(lost, f"no room in the query's {LIMIT}")
