"""DuckDuckGo's region codes. https://duckduckgo.com/duckduckgo-help-pages/settings/params, read 2026-11-30."""

from __future__ import annotations

from fanseek.contract import SCRIPTS, Locale, SearchRequest, locale

EVERYWHERE = "wt-wt"

CODES = (
    "us-en uk-en cn-zh jp-jp kr-kr de-de fr-fr es-es br-pt it-it ru-ru nl-nl se-sv tw-tzh hk-tzh ar-es at-de au-en "
    "be-nl be-fr bg-bg ca-en ca-fr ct-ca ch-de ch-fr ch-it cl-es co-es cz-cs dk-da ee-et fi-fi gr-el hr-hr hu-hu "
    "id-id id-en ie-en il-he in-en lt-lt lv-lv mx-es my-ms my-en no-no nz-en pe-es ph-en ph-tl pl-pl pt-pt ro-ro "
    "sg-en sk-sk sl-sl th-th tr-tr ua-uk ue-es ve-es vn-vi xa-ar xa-en xl-es za-en"
)
"""Every code, each language's main country first."""

COUNTRIES = {"uk": "GB", "sl": "SI", "ct": "", "ue": "", "xa": "", "xl": ""}
"""Codes whose first half is no ISO 3166 country; empty where it is a group of countries or a part of one."""

TONGUES = {"jp": "ja", "kr": "ko", "tzh": "zh"}
ALIASES = {"nb": "no", "nn": "no", "fil": "tl"}
ELSEWHERE = {("US", "es"): "ue-es", ("ES", "ca"): "ct-ca"}


def _table() -> dict[tuple[str, str], str]:
    table: dict[tuple[str, str], str] = {}
    for code in CODES.split():
        first, _, second = code.partition("-")
        country, language = COUNTRIES.get(first, first.upper()), TONGUES.get(second, second)
        for key in ((country, language), (country, ""), ("", language)):
            if any(key):
                table.setdefault(key, code)
    return table | ELSEWHERE


TABLE = _table()


def unmet(search: SearchRequest) -> dict[str, str]:
    """Which of a language and a country there is no code for."""
    wished = locale(search.language, search.region)
    code, country = region_of(wished), wished.country or SCRIPTS.get(wished.script, "")
    exact = TABLE.get((country, ALIASES.get(wished.language, wished.language)), "")
    lost = ["language"] * bool(search.language and code != exact) + ["region"] * bool(
        search.region and code == EVERYWHERE
    )
    return dict.fromkeys(lost, "no code for it")


def region_of(wished: Locale) -> str:
    """The code for `wished`: of its country and language, else of its country, else of its language, else all."""
    language = ALIASES.get(wished.language, wished.language)
    country = wished.country or SCRIPTS.get(wished.script, "")
    return (
        TABLE.get((country, language))
        or (TABLE.get((country, "")) if country else TABLE.get(("", language)) if language else None)
        or EVERYWHERE
    )
