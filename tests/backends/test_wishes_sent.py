"""G5, G6, G8, G11, G12, BC-141 to BC-143: what each backend is sent for a wish, looked up in the sandbox's log.

The wishes go the whole way: given to the engine as a caller spells them, read once, sent over a socket.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from fanseek import open_engine
from fanseek.contract import Asked, SearchRequest
from fanseek.errors import UsageError
from fanseek.registry import backends
from fanseek.sandbox import Sandbox, running
from fanseek_backends import ddg, exa, parallel

CLOCK = 1_772_380_799.0
"""2026-03-01 in UTC."""

ALL = ("exa", "parallel", "ddg", "searxng", "brave", "deepseek", "tavily", "serper", "anthropic", "mojeek", "openai")


@pytest.fixture(scope="module")
def box():
    with running() as box:
        yield box


@pytest.fixture
def anyio_backend():
    """One loop is enough: what is sent does not depend on it."""
    return "asyncio"


async def search(box: Sandbox, settings: dict[str, Any] | None = None, query: str = "tidal turbines", **wishes: Any):
    box.log.clear()
    own = {**box.settings(), "enableAnthropic": "on", "enableOpenai": "on", **(settings or {})}
    async with open_engine(own, environment=box.environment, clock=lambda: CLOCK) as engine:
        return await engine.search(query, **{"backends": ALL, **wishes})


def sent(box: Sandbox, name: str) -> dict[str, Any]:
    """Parameters, form fields or JSON of the first request to `name`."""
    asked: Asked = next(one for one in box.log[name] if one.method == "GET" or b"initialize" not in one.body)
    if asked.tool:
        return dict(asked.arguments)
    body = asked.body.decode()
    if body.startswith("{"):
        whole = json.loads(body)
        return whole.get("params", {}).get("arguments", whole) if "jsonrpc" in whole else whole
    fields = parse_qs(urlsplit(asked.target).query if asked.method == "GET" else body)
    return {name: values[0] for name, values in fields.items()}


def words(box: Sandbox, name: str) -> str:
    return json.dumps(sent(box, name), ensure_ascii=False)


def kinds(result: Any) -> list[str]:
    return [note.kind for note in result.notes]


LOCALES: dict[str, tuple[str, str, tuple, tuple, tuple, tuple, str]] = {
    # language: duckduckgo kl, searxng language, brave country + search_lang, serper gl + hl, tavily country + language,
    # mojeek rb + lb, deepseek lang:
    "zh-CN": ("cn-zh", "zh-CN", ("CN", "zh-hans"), ("cn", "zh-cn"), ("china", "zh"), ("CN", "ZH"), "lang:zh"),
    "en-GB": ("uk-en", "en-GB", ("GB", "en-gb"), ("gb", "en"), ("united kingdom", "en"), ("GB", "EN"), "lang:en"),
    "pt-BR": ("br-pt", "pt-BR", ("BR", "pt-br"), ("br", "pt-br"), ("brazil", "pt"), ("BR", "PT"), "lang:pt"),
    "pt-PT": ("pt-pt", "pt-PT", ("PT", "pt-pt"), ("pt", "pt-pt"), ("portugal", "pt"), ("PT", "PT"), "lang:pt"),
    "zh-TW": ("tw-tzh", "zh-TW", ("TW", "zh-hant"), ("tw", "zh-tw"), ("taiwan", "zh"), ("TW", "ZH"), "lang:zh"),
    "zh-Hant-HK": ("hk-tzh", "zh-HK", ("HK", "zh-hant"), ("hk", "zh-tw"), (None, "zh"), ("HK", "ZH"), "lang:zh"),
    "zh-Hans": ("cn-zh", "zh", ("ALL", "zh-hans"), (None, "zh-cn"), (None, "zh"), (None, "ZH"), "lang:zh"),
    "zh-MO": ("wt-wt", "zh-MO", ("ALL", "zh-hant"), ("mo", "zh-tw"), (None, "zh"), ("MO", "ZH"), "lang:zh"),
    "ja": ("jp-jp", "ja", ("ALL", "jp"), (None, "ja"), (None, "ja"), (None, "JA"), "lang:ja"),
    "ja-JP": ("jp-jp", "ja-JP", ("JP", "jp"), ("jp", "ja"), ("japan", "ja"), ("JP", "JA"), "lang:ja"),
    "ko-KR": ("kr-kr", "ko-KR", ("KR", "ko"), ("kr", "ko"), ("south korea", "ko"), ("KR", "KO"), "lang:ko"),
    "de-AT": ("at-de", "de-AT", ("AT", "de"), ("at", "de"), ("austria", "de"), ("AT", "DE"), "lang:de"),
    "es-MX": ("mx-es", "es-MX", ("MX", "es"), ("mx", "es"), ("mexico", "es"), ("MX", "ES"), "lang:es"),
    "fr-CA": ("ca-fr", "fr-CA", ("CA", "fr"), ("ca", "fr"), ("canada", "fr"), ("CA", "FR"), "lang:fr"),
    "nb-NO": ("no-no", "nb-NO", ("NO", "nb"), ("no", "no"), ("norway", "nb"), ("NO", "NB"), "lang:nb"),
    "uk-UA": ("ua-uk", "uk-UA", ("ALL", "uk"), ("ua", "uk"), ("ukraine", "uk"), ("UA", "UK"), "lang:uk"),
    "zh_CN": ("cn-zh", "zh-CN", ("CN", "zh-hans"), ("cn", "zh-cn"), ("china", "zh"), ("CN", "ZH"), "lang:zh"),
    "ZH-cn": ("cn-zh", "zh-CN", ("CN", "zh-hans"), ("cn", "zh-cn"), ("china", "zh"), ("CN", "ZH"), "lang:zh"),
    "cn-zh": ("cn-zh", "zh-CN", ("CN", "zh-hans"), ("cn", "zh-cn"), ("china", "zh"), ("CN", "ZH"), "lang:zh"),
    "zh_TW.UTF-8": ("tw-tzh", "zh-TW", ("TW", "zh-hant"), ("tw", "zh-tw"), ("taiwan", "zh"), ("TW", "ZH"), "lang:zh"),
    "uk-en": ("uk-en", "en-GB", ("GB", "en-gb"), ("gb", "en"), ("united kingdom", "en"), ("GB", "EN"), "lang:en"),
    "xx-YY": ("wt-wt", "all", ("ALL", None), (None, None), (None, None), (None, None), ""),
    "": ("wt-wt", "all", ("ALL", None), (None, None), (None, None), (None, None), ""),
}  # fmt: skip


@pytest.mark.parametrize("language", LOCALES)
async def test_bc_141_a_locale_is_each_provider_s_own_code(box: Sandbox, language: str) -> None:
    """G11."""
    kl, searx, brave, serper, tavily, mojeek, lang = LOCALES[language]
    result = await search(box, language=language)
    assert sent(box, "ddg")["kl"] == kl
    assert f"kl={kl}" in next(iter(box.log["ddg"])).headers["cookie"]
    assert sent(box, "searxng")["language"] == searx
    assert (sent(box, "brave")["country"], sent(box, "brave").get("search_lang")) == brave
    assert (sent(box, "serper").get("gl"), sent(box, "serper").get("hl")) == serper
    assert (sent(box, "tavily").get("country"), sent(box, "tavily").get("language")) == tavily
    assert (sent(box, "mojeek").get("rb"), sent(box, "mojeek").get("lb")) == mojeek
    assert lang in sent(box, "deepseek")["query"]
    assert ("lang:" in sent(box, "deepseek")["query"]) == bool(lang)
    assert ("language_unknown" in kinds(result)) == (language == "xx-YY")
    if language == "xx-YY":
        assert not any(text in words(box, name).lower() for name in ALL for text in ("xx-yy", "in the language"))


@pytest.mark.parametrize(
    ("given", "setting"), [({"language": "de", "region": "ch"}, {}), ({}, {"language": "de_DE", "region": "CH"})]
)
async def test_g11_a_region_decides_the_country_whether_given_or_set(box: Sandbox, given: dict, setting: dict) -> None:
    await search(box, setting, **given)
    assert sent(box, "ddg")["kl"] == "ch-de"
    assert sent(box, "searxng")["language"] == "de-CH"
    assert (sent(box, "brave")["country"], sent(box, "brave")["search_lang"]) == ("CH", "de")
    assert (sent(box, "serper")["gl"], sent(box, "serper")["hl"]) == ("ch", "de")
    assert sent(box, "tavily")["country"] == "switzerland"
    assert sent(box, "mojeek")["rb"] == "CH"
    for model in ("anthropic", "openai"):
        assert '"country": "CH"' in words(box, model)
    assert "in the language de" in words(box, "exa")


def unmet(result: Any, wish: str) -> str:
    return next((note.message for note in result.notes if note.message.startswith(f"{wish} ")), "")


async def test_a_known_language_or_country_without_a_code_is_told_by_whom(box: Sandbox) -> None:
    """BC-141: looked up in a table, and what is not in it is reported."""
    result = await search(box, language="sw-KE")
    assert sent(box, "ddg")["kl"] == "wt-wt"
    assert "ddg (no code for it)" in unmet(result, "language")
    assert "brave (not on its list)" in unmet(result, "language")
    assert "searxng" not in unmet(result, "language")
    result = await search(box, region="ke")
    assert "ddg (no code for it)" in unmet(result, "region")
    assert "brave (not on its list)" in unmet(result, "region")
    assert "searxng (goes with a language only)" in unmet(result, "region")
    assert "serper" not in unmet(result, "region")
    result = await search(box, language="fil", region="us")
    for name in ("serper", "mojeek", "tavily", "ddg"):
        assert name in unmet(result, "language")
    result = await search(box, language="en-US")
    assert unmet(result, "language") == "language en-US was not applied by exa, parallel, anthropic, openai"


@pytest.mark.parametrize("address", ["https://html.duckduckgo.com/html/", "https://lite.duckduckgo.com/lite/"])
def test_bc_142_the_region_goes_to_every_page_of_the_provider(address: str) -> None:
    request = ddg.build(SearchRequest(query="cats", language="pt-BR"), ddg.Settings(base_url=address))
    assert parse_qs(request.body.decode())["kl"] == ["br-pt"]
    assert request.headers["Cookie"] == "kl=br-pt"
    assert request.headers["Accept-Language"].startswith("pt-BR")


LEVELS: dict[str | None, tuple[str, str, str, str, bool, str]] = {
    # duckduckgo kp, brave, searxng, serper, tavily, mojeek
    "strict": ("1", "strict", "2", "active", True, "1"),
    "moderate": ("-1", "moderate", "1", "active", True, "1"),
    "off": ("-2", "off", "0", "off", False, "0"),
    "OFF": ("-2", "off", "0", "off", False, "0"),
    " Strict ": ("1", "strict", "2", "active", True, "1"),
    "": ("-1", "moderate", "1", "active", True, "1"),
    None: ("-1", "moderate", "1", "active", True, "1"),
}


def safety(box: Sandbox) -> tuple:
    return (
        sent(box, "ddg")["kp"],
        sent(box, "brave")["safesearch"],
        sent(box, "searxng")["safesearch"],
        sent(box, "serper")["safe"],
        sent(box, "tavily")["safe_search"],
        sent(box, "mojeek")["safe"],
    )


@pytest.mark.parametrize("level", LEVELS)
async def test_bc_143_every_level_is_sent_the_default_too(box: Sandbox, level: str | None) -> None:
    """G12: two-level providers take moderate as on."""
    await search(box, safe_search=level)
    assert safety(box) == LEVELS[level]


@pytest.mark.parametrize(("setting", "level"), [(True, "moderate"), (False, "off")])
async def test_g12_the_setting_is_the_default_and_is_sent(box: Sandbox, setting: bool, level: str) -> None:
    await search(box, {"safeSearch": setting})
    assert safety(box) == LEVELS[level]
    await search(box, {"safeSearch": setting}, safe_search="strict")
    assert safety(box) == LEVELS["strict"]


@pytest.mark.parametrize("wrong", ["2", "high", "1", True, False, 1, ["off"]], ids=repr)
async def test_bc_143_other_words_are_refused_before_anything_is_sent(box: Sandbox, wrong: object) -> None:
    with pytest.raises(UsageError, match="safe_search must be one of off, moderate, strict"):
        await search(box, safe_search=wrong)
    assert not any(box.log[name].count for name in ALL)


SPANS = {
    # duckduckgo df, searxng, brave, serper tbs, tavily, mojeek since, deepseek
    "day": ("d", "day", "pd", "qdr:d", "day", "day", "after:2026-02-28"),
    "week": ("w", "week", "pw", "qdr:w", "week", "20260222", "after:2026-02-22"),
    "month": ("m", "month", "pm", "qdr:m", "month", "month", "after:2026-01-29"),
    "year": ("y", "year", "py", "qdr:y", "year", "year", "after:2025-02-28"),
}


@pytest.mark.parametrize("freshness", [*SPANS, "any", None])
async def test_g5_freshness_is_each_provider_s_own_word(box: Sandbox, freshness: str | None) -> None:
    result = await search(box, freshness=freshness)
    df, searx, brave, tbs, tavily, since, after = SPANS.get(freshness or "any", (None,) * 6 + ("",))
    assert sent(box, "ddg").get("df") == df
    assert sent(box, "searxng").get("time_range") == searx
    assert sent(box, "brave").get("freshness") == brave
    assert sent(box, "serper").get("tbs") == tbs
    assert sent(box, "tavily").get("time_range") == tavily
    assert sent(box, "mojeek").get("since") == since
    assert after in sent(box, "deepseek")["query"]
    assert ("after:" in sent(box, "deepseek")["query"]) == bool(after)
    for name in ("exa", "parallel", "anthropic", "openai"):
        assert (f"in the last {freshness}" in words(box, name)) == (freshness in SPANS)
    if freshness in SPANS:
        assert result.freshness_applied is True
        assert (
            unmet(result, "freshness") == f"freshness {freshness} was not applied by exa, parallel, anthropic, openai"
        )


async def test_g6_a_range_of_days_is_each_provider_s_own_form(box: Sandbox) -> None:
    result = await search(box, time_range="2026-02-03..2026-02-28", freshness="day")
    assert sent(box, "ddg")["df"] == "2026-02-03..2026-02-28"
    assert "df=2026-02-03..2026-02-28" in next(iter(box.log["ddg"])).headers["cookie"]
    assert sent(box, "brave")["freshness"] == "2026-02-03to2026-02-28"
    assert sent(box, "serper")["tbs"] == "cdr:1,cd_min:2/3/2026,cd_max:2/28/2026"
    tavily = sent(box, "tavily")
    assert (tavily["start_date"], tavily["end_date"], "time_range" in tavily) == ("2026-02-03", "2026-02-28", False)
    assert (sent(box, "mojeek")["since"], sent(box, "mojeek")["before"]) == ("20260203", "20260301")
    assert "after:2026-02-03 before:2026-03-01" in sent(box, "deepseek")["query"]
    assert sent(box, "searxng")["time_range"] == "month"
    for name in ("exa", "parallel", "anthropic", "openai"):
        assert "published from 2026-02-03 to 2026-02-28" in words(box, name)
        assert "in the last" not in words(box, name)
    assert (result.freshness_applied, result.time_range) == (True, "2026-02-03..2026-02-28")
    assert unmet(result, "time range").endswith("by exa, parallel, searxng, anthropic, openai")
    assert kinds(result)[0] == "time_range_wins"


async def test_g8_domains_go_to_those_who_take_them(box: Sandbox) -> None:
    """The sixth is dropped and told; five are sent, in one form."""
    six = ["HTTPS://www.A.test/", "b.test", "*.c.test", "例え.テスト", "gov.uk", "f.test"]
    result = await search(box, site=None, include_domains=six, exclude_domains=["x.b.test"])
    five = ["a.test", "b.test", "c.test", "xn--r8jz45g.xn--zckzah", "gov.uk"]
    assert "domains_truncated" in kinds(result)
    assert sent(box, "tavily")["include_domains"] == five
    assert sent(box, "tavily")["exclude_domains"] == ["x.b.test"]
    assert (sent(box, "mojeek")["fi"], sent(box, "mojeek")["fe"]) == (",".join(five), "x.b.test")
    assert sent(box, "ddg")["q"].endswith(f"({' OR '.join(f'site:{host}' for host in five)}) -site:x.b.test")
    assert not any("f.test" in words(box, name) for name in ALL)


async def test_bc_172_a_site_typed_in_the_query_is_asked_for_once_and_holds_for_all(box: Sandbox) -> None:
    result = await search(box, query="tidal site:example.org")
    assert sent(box, "ddg")["q"] == "tidal site:example.org"
    assert sent(box, "serper")["q"] == "tidal site:example.org"
    assert sent(box, "tavily")["include_domains"] == ["example.org"]
    assert "Only pages of example.org" in sent(box, "exa")["objective"]
    assert all(source.domain.endswith("example.org") for source in result.sources)
    await search(box, query="tidal site:docs.example.org", include_domains=["example.org"])
    assert sent(box, "ddg")["q"] == "tidal site:docs.example.org"
    assert sent(box, "mojeek")["fi"] == "docs.example.org"
    box.log.clear()
    with pytest.raises(UsageError, match="no site is both"):
        await search(box, query="tidal site:a.test", include_domains=["b.test"], exclude_domains=["b.test"])
    assert not any(box.log[name].count for name in ALL)


def test_every_backend_is_looked_at() -> None:
    assert set(ALL) == set(backends())


def test_words_that_only_words_can_carry() -> None:
    wishes = SearchRequest(query="cats", since="2026-02-03", until="2026-02-28", recency="month")
    for module in (exa, parallel):
        said = module.build(wishes, module.Settings()).arguments["objective"]
        assert "from 2026-02-03 to 2026-02-28" in said
        assert "last month" not in said
