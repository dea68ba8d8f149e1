"""Languages as SearXNG instances take them. https://docs.searxng.org/dev/search_api.html."""

from __future__ import annotations

from fanseek.contract import Locale, SearchRequest, locale


def unmet(search: SearchRequest) -> dict[str, str]:
    """A country by itself: instances know it as part of a language only."""
    alone = bool(search.region) and not locale(search.language).language
    return {"region": "goes with a language only"} if alone else {}


def language_of(wished: Locale) -> str:
    """`wished` as an instance takes it: two or three letters, perhaps a country; `all` for none."""
    if not wished.language:
        return "all"
    country = wished.country or ("TW" if wished.script == "hant" else "")
    return f"{wished.language}-{country}" if country else wished.language
