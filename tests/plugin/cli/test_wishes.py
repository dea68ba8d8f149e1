"""The flags for what is wanted, through the real command, on the sandbox."""

from __future__ import annotations

import pytest

from processes import Command


def kinds(whole: dict) -> list[str]:
    return [note["kind"] for note in whole["notes"]]


@pytest.mark.parametrize("flag", ["--freshness", "--recency"])
def test_x4_freshness_and_its_other_name(fanseek: Command, flag: str) -> None:
    whole = fanseek("search", "solar panels", "--sandbox", "--json", flag, "WEEK").json
    assert (whole["freshness"], whole["freshnessApplied"], whole["freshnessAutoInferred"]) == ("week", True, False)
    assert any(note["message"].startswith("freshness week was not applied by") for note in whole["notes"])
    assert "timeRange" not in whole


def test_g6_a_time_range_wins_over_freshness_and_says_so(fanseek: Command) -> None:
    days = "2020-02-20..2026-02-28"
    whole = fanseek("search", "solar panels", "--sandbox", "--json", "--freshness", "day", "--time-range", days).json
    assert (whole["timeRange"], whole["freshnessApplied"]) == (days, True)
    assert "freshness" not in whole
    assert "time_range_wins" in kinds(whole)


def test_g4_the_query_s_own_words_are_told(fanseek: Command) -> None:
    ran = fanseek("search", "本周 新闻", "--sandbox")
    assert 'freshness week was taken from the query\'s words "本周"' in ran.text
    told = fanseek("search", "本周 新闻", "--sandbox", "--json", "--freshness", "any").json
    assert not {"freshness", "freshnessAutoInferred"} & set(told)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--time-range", "2026-02-28..2026-02-20"], "ends before it begins"),
        (["--time-range", "2026-02-30..2026-03-20"], "in no calendar"),
        (["--time-range", "last week"], "YYYY-MM-DD..YYYY-MM-DD"),
        (["--freshness", "hour"], "invalid choice"),
        (["--safe", "2"], "invalid choice"),
        (["--language", "english please"], "language must be a code"),
        (["--region", "united-kingdom"], "region must be a code"),
        (["--site", "a b"], "include_domains: 'a' is no domain"),
        (["--site", "a.test", "--exclude-site", "a.test"], "no site is left"),
        (["--max-chars-per-result", "x"], "invalid int value"),
        (["--set", "strictArguments=true", "-n", "51"], "max_results 51 is not between 1 and 50"),
        (["--set", "timeZone=Asia/Nowhere"], "timeZone must be a time zone"),
    ],
)
def test_what_can_t_be_wished_is_a_usage_error_in_one_line(fanseek: Command, flags: list[str], said: str) -> None:
    ran = fanseek("search", "solar panels", "--sandbox", *flags)
    assert (ran.code, ran.text) == (2, "")
    assert said in ran.said
    assert "Traceback" not in ran.said


@pytest.mark.parametrize("most", [20, 900])
def test_g13_each_result_s_text_is_cut(fanseek: Command, most: int) -> None:
    whole = fanseek("search", "solar panels", "--sandbox", "--json", "--max-chars-per-result", str(most)).json
    assert whole["sources"]
    assert all(0 < len(source["snippet"]) <= most for source in whole["sources"])


def test_domains_as_people_write_them(fanseek: Command) -> None:
    whole = fanseek("search", "solar panels", "--sandbox", "--json", "--site", "HTTPS://www.Example.com/, *.org").json
    assert all(source["domain"].endswith(("example.com", ".org")) for source in whole["sources"])
    assert whole["filtered"] > 0


def test_every_source_has_its_moment(fanseek: Command) -> None:
    whole = fanseek("search", "solar panels", "--sandbox", "--json", "-n", "20").json
    for source in whole["sources"]:
        assert {"published", "publishedAt", "publishedPrecision", "undated"} <= set(source)
