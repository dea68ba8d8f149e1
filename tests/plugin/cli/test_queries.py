"""The command's flags for what is made of a query."""

from __future__ import annotations

from processes import Command


def test_x26_a_shaped_query_is_reported_and_shaping_can_be_switched_off(fanseek: Command) -> None:
    shaped = fanseek("search", "please search for solar panels", "--sandbox", "--json").json
    assert (shaped["query"], shaped["queryRewritten"]) == ("please search for solar panels", "solar panels")
    for args in (["--no-shape"], ["--set", "shapeQuery=off"]):
        plain = fanseek("search", "please search for solar panels", "--sandbox", "--json", *args).json
        assert "queryRewritten" not in plain
        assert plain["query"] == "please search for solar panels"
    assert 'searched for "solar panels"' in fanseek("search", "please search for solar panels", "--sandbox").text


def test_g1_a_query_of_fillers_is_a_usage_error(fanseek: Command) -> None:
    for query in ("搜索", "search", "请帮我查一下"):
        ran = fanseek("search", query, "--sandbox")
        assert (ran.code, ran.text) == (2, "")
        assert "say what to search for" in ran.said


def test_e7_parts_are_asked_by_flag_or_setting(fanseek: Command) -> None:
    for args in (["--multi-query"], ["--set", "multiQueryEnabled=on"]):
        result = fanseek("search", "sftp vs rsync", "--sandbox", "--json", *args).json
        assert result["subQueries"] == ["sftp", "rsync"]
        assert len({outcome["backend"] for outcome in result["outcomes"]}) == len(result["outcomes"])
        assert any(found["variant"] for source in result["sources"] for found in source["foundBy"])
    assert fanseek("search", "sftp vs rsync", "--sandbox", "--json").json["subQueries"] == []


def test_e10_deep_coverage_by_flag_or_setting(fanseek: Command) -> None:
    def found(*args: str) -> int:
        ran = fanseek("search", "solar panels", "--sandbox", "--json", "--results", "40", "-n", "8", *args).json
        assert len(ran["sources"]) == 8
        return ran["total"]

    assert found("--deep") == found("--set", "deepCoverage=on") > found()
