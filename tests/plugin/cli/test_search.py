"""`fanseek search` against the sandbox: what it prints, and how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from fanseek.config.options import options
from fanseek.sandbox import Sandbox
from fanseek.types import NOTICE
from processes import CANARY, Command

SCHEMA = json.loads((Path(__file__).resolve().parents[3] / "docs" / "result-schema.json").read_bytes())


def test_a_sandbox_search_prints_marked_numbered_results(fanseek: Command, names: list[str]) -> None:
    """H8, H11: made up and untrusted, both said; every backend on the health line."""
    ran = fanseek("search", "solar", "panels", "--sandbox")
    assert (ran.code, ran.said) == (0, "")
    assert ran.text.startswith("[SYNTHETIC")
    assert f"[{NOTICE}]" in ran.text
    assert re.findall(r"^(\d+)\. ", ran.text, re.MULTILINE) == [str(number) for number in range(1, 9)]
    line = ran.text.rstrip("\n").split("\n")[-1]
    assert line.startswith("[websearch backends] ")
    assert all(f"{name} ✓" in line for name in names)
    assert ran.text.endswith("\n")


def test_json_is_the_whole_result_in_the_documented_schema(fanseek: Command, names: list[str]) -> None:
    """E14, H11."""
    ran = fanseek("search", "solar panels", "--sandbox", "--json", "-n", "3")
    whole = ran.json
    jsonschema.validate(whole, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert (ran.code, whole["schema"], whole["query"], whole["notice"]) == (
        0,
        "fanseek.search/1",
        "solar panels",
        NOTICE,
    )
    assert len(whole["sources"]) == 3
    assert {outcome["backend"] for outcome in whole["outcomes"]} == set(names)
    assert [note["kind"] for note in whole["notes"]].count("synthetic") == 1


def test_the_health_line_can_be_turned_off(fanseek: Command) -> None:
    """H8."""
    for args, env in (
        (["--no-telemetry"], {}),
        (["--set", "resultTelemetry=false"], {}),
        ([], {"FANSEEK_RESULT_TELEMETRY": "off"}),
    ):
        ran = fanseek("search", "q", "--sandbox", *args, env=env)
        assert ran.code == 0
        assert "[websearch backends]" not in ran.text


def test_flag_over_environment_over_default(fanseek: Command) -> None:
    def count(*args: str, **env: str) -> int:
        return len(fanseek("search", "solar panels", "--sandbox", "--json", *args, env=env).json["sources"])

    assert count() == 8
    assert count(FANSEEK_NUM_RESULTS="2") == 2
    assert count("--set", "numResults=4", FANSEEK_NUM_RESULTS="2") == 4
    assert count("-n", "3", "--set", "numResults=4", FANSEEK_NUM_RESULTS="2") == 3


def test_only_the_named_backends_are_asked(fanseek: Command, names: list[str]) -> None:
    """B15 too: the list of the environment does the same."""
    first, second = names[:2]
    by_flag = fanseek("search", "q", "--sandbox", "--json", "--backends", f"{first}, {second.upper()}").json
    assert {outcome["backend"] for outcome in by_flag["outcomes"]} == {first, second}


def test_the_environments_list_forces_the_backends(
    fanseek: Command, at_box: dict[str, str], box: Sandbox, names: list[str]
) -> None:
    """B15: whatever the toggles say."""
    toggles = {name: "on" for name in at_box if name.startswith("FANSEEK_ENABLE_")}
    assert toggles
    env = {**at_box, **toggles, "DSH_UNIFIED_SEARCH_BACKENDS": names[0]}
    assert fanseek("search", "q", env=env).code == 0
    assert [name for name in names if box.log[name].count] == [names[0]]


def test_one_failed_backend_is_named_and_costs_nothing_else(fanseek: Command, names: list[str]) -> None:
    """Partial is exit 0; X15: 5 with --strict."""
    args = ("search", "solar panels", "--sandbox", "--fault", f"{names[0]}=503")
    ran = fanseek(*args)
    assert ran.code == 0
    assert f"- {names[0]}: server: " in ran.text
    assert f"{names[0]} ✗" in ran.text
    assert re.search(r"^1\. ", ran.text, re.MULTILINE)
    assert fanseek(*args, "--strict").code == 5
    assert fanseek("search", "solar panels", "--sandbox", "--strict").code == 0


def test_an_honest_nothing_is_a_success(fanseek: Command) -> None:
    """BC-023."""
    ran = fanseek("search", "q", "--sandbox", "--fault", "*=empty")
    assert (ran.code, ran.said) == (0, "")
    assert ran.text.count("no results") == 1
    assert re.search(r"^\d+ backends agree: no results\.$", ran.text, re.MULTILINE)


def test_nothing_found_by_half_is_degraded(fanseek: Command, names: list[str]) -> None:
    """BC-026."""
    ran = fanseek("search", "q", "--sandbox", "--fault", f"{names[0]}=503", "--fault", "*=empty")
    assert ran.code == 0
    assert "degraded" in ran.text
    assert f"{names[0]} ✗" in ran.text
    assert "no results" not in ran.text.lower()


def test_all_failed_is_code_4_with_each_reason(fanseek: Command, names: list[str]) -> None:
    """BC-025, Q4: one sentence for each reason on standard error; in JSON the whole result all the same."""
    args = ("search", "q", "--sandbox", "--fault", "*=503")
    ran = fanseek(*args)
    assert (ran.code, ran.text) == (4, "")
    lines = ran.said.rstrip("\n").split("\n")
    assert "search could not be made" in lines[0]
    assert all(any(line.startswith(f"fanseek: {name}: server: ") for line in lines) for name in names)
    assert "no result" not in ran.said.lower()
    whole = fanseek(*args, "--json")
    jsonschema.validate(whole.json, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert (whole.code, whole.json["status"]) == (4, "error")
    assert {outcome["status"] for outcome in whole.json["outcomes"]} == {"server"}


def test_no_network_is_one_plain_sentence(fanseek: Command, unplugged: dict[str, str]) -> None:
    """Every backend failed to connect: code 4; the hint is for terminals only."""
    ran = fanseek("search", "q", env=unplugged)
    assert (ran.code, ran.text) == (4, "")
    assert ran.said.count("\n") == 1
    assert "no backend could be reached" in ran.said
    assert "--sandbox" not in ran.said
    whole = fanseek("search", "q", "--json", env=unplugged)
    assert (whole.code, whole.json["status"]) == (4, "error")


def test_one_engine_that_can_t_be_reached_says_why(fanseek: Command) -> None:
    """An address of one's own may be mistyped while the network is well."""
    ran = fanseek("search", "q", "--backends", "searxng", "--set", "searxngBaseURL=http://127.0.0.1:9")
    assert (ran.code, ran.text) == (4, "")
    assert "127.0.0.1" in ran.said.splitlines()[1]


def test_nothing_enabled_is_code_3(fanseek: Command, names: list[str]) -> None:
    env = {f"FANSEEK_ENABLE_{name.upper()}": "off" for name in names}
    ran = fanseek("search", "q", env=env)
    assert (ran.code, ran.text) == (3, "")
    assert ran.said.count("\n") == 1
    whole = fanseek("search", "q", "--json", env=env)
    jsonschema.validate(whole.json, SCHEMA, cls=jsonschema.Draft202012Validator)
    assert (whole.code, whole.json["status"], whole.json["sources"]) == (3, "error", [])


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["search"],
        ["search", "  "],
        ["search", "q", "-n", "many"],
        ["search", "q", "--freshness", "hour"],
        ["search", "q", "--safe", "perhaps"],
        ["search", "q", "--language", "not a tag"],
        ["search", "q", "--deadline-ms", "0"],
        ["search", "q", "--deadline-ms", "nan"],
        ["search", "q", "--backends", "nobody"],
        ["search", "q", "--backends", ""],
        ["search", "q", "--site", "not a domain"],
        ["search", "q", "--set", "numResults"],
        ["search", "q", "--set", "numResults=0"],
        ["search", "q", "--set", "nope=1"],
        ["search", "q", "--max-chars", "0", "--sandbox"],
        ["search", "q", "--fault", "*=503"],
        ["search", "q", "--seed", "1"],
        ["search", "q", "--results", "10"],
        ["search", "q", "--overlap", "0"],
        ["search", "q", "--cjk"],
        ["search", "q", "--latency", "0"],
        ["search", "q", "--sandbox", "--latency", "abc"],
        ["search", "q", "--sandbox", "--fault", "*=nonsense"],
        ["search", "q", "--sand"],
        ["nonsense"],
        ["config"],
    ],
    ids=" ".join,
)
def test_impossible_arguments_are_code_2(fanseek: Command, args: list[str]) -> None:
    """Q1, Q7, X15: said on standard error, nothing on standard output."""
    ran = fanseek(*args)
    assert (ran.code, ran.text) == (2, "")
    assert "fanseek: " in ran.said
    assert "Traceback" not in ran.said


def test_a_wrong_variable_is_code_2_and_named(fanseek: Command) -> None:
    """BC-041."""
    ran = fanseek("search", "q", env={"FANSEEK_PROXY": f"htps://me:{CANARY}@proxy.example"})
    assert ran.code == 2
    assert "FANSEEK_PROXY" in ran.said


def test_an_unknown_variable_is_a_warning(fanseek: Command) -> None:
    ran = fanseek("search", "q", "--sandbox", env={"FANSEEK_NUM_RESULT": CANARY})
    assert ran.code == 0
    assert "FANSEEK_NUM_RESULT is not a setting" in ran.said


@pytest.mark.parametrize(
    "args",
    [
        ["--api-key", CANARY],
        [f"--api-key={CANARY}"],
        [f"--key={CANARY}"],
        ["--set", f"someApiKey={CANARY}"],
        ["--set", CANARY],
        ["--set", f"{CANARY}=x"],
        ["--proxy", f"http://me:{CANARY}@127.0.0.1:9"],
        ["--set", f"proxy=http://me:{CANARY}@127.0.0.1:9"],
        ["-n", CANARY],
        ["--recency", CANARY],
        ["--deadline-ms", CANARY],
    ],
    ids=" ".join,
)
def test_no_key_is_taken_from_or_repeated_to_a_command_line(fanseek: Command, args: list[str]) -> None:
    """N11: the fixture looks for the canary in what was written."""
    ran = fanseek("search", "q", "--sandbox", *args)
    assert (ran.code, ran.text) == (2, "")


def test_a_key_as_reference_or_address_is_refused_unrepeated(fanseek: Command) -> None:
    for option in options().values():
        if option.is_base_url:
            value = f"https://me:{CANARY}@host.example"
            ran = fanseek("search", "q", "--set", f"{option.key}={value}")
            assert ran.code == 2, option.key
            assert option.key in ran.said


def test_sandbox_results_never_leave_the_sandbox(fanseek: Command, unplugged: dict[str, str]) -> None:
    """Addresses and proxies given beside --sandbox are not used."""
    env = {**unplugged, "FANSEEK_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"}
    given = [f"{option.key}={unplugged[option.variable]}" for option in options().values() if option.is_base_url]
    flags = [word for pair in given for word in ("--set", pair)]
    whole = fanseek("search", "q", "--sandbox", "--json", "--proxy", "http://127.0.0.1:9", *flags, env=env)
    assert (whole.code, whole.json["status"]) == (0, "ok")


def test_a_sandbox_search_leaves_nothing_behind(fanseek: Command, surroundings: dict[str, str]) -> None:
    assert fanseek("search", "q", "--sandbox", "--fault", "*=503").code == 4
    assert [path for path in Path(surroundings["HOME"]).rglob("*") if path.is_file()] == []


def test_the_breaker_is_remembered_between_commands(
    fanseek: Command, at_box: dict[str, str], box: Sandbox, names: list[str]
) -> None:
    """A captcha rests a backend; the next process knows."""
    box.faults.set(names[0], "captcha")
    first = fanseek("search", "q", "--json", env=at_box).json
    asked = box.log[names[0]].count
    second = fanseek("search", "other", "--json", env=at_box).json
    states = [next(o["status"] for o in one["outcomes"] if o["backend"] == names[0]) for one in (first, second)]
    assert states[0] == "blocked"
    assert states[1] == "skipped"
    assert box.log[names[0]].count == asked
    assert f"{names[0]} ⏸cooled" in fanseek("search", "third", env=at_box).text


@pytest.mark.parametrize("query", ["天气 🌧", "naïve café", "a\x1b[31mb", "-- --x", "\u202eabc", "'; rm -rf /"])
def test_any_query_arrives_as_it_is_but_for_controls(fanseek: Command, at_box: dict[str, str], query: str) -> None:
    ran = fanseek("search", "--json", "--", query, env=at_box)
    assert ran.code == 0
    assert ran.json["query"] == query.replace("\x1b[31m", "").replace("\u202e", "")
    assert b"\x1b" not in ran.out


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are bytes on POSIX only")
@pytest.mark.parametrize(
    ("word", "query"),
    [(b"caf\xe9", "caf\ufffd"), ("天气 🌧".encode(), "天气 🌧"), (b"\xed\xa0\xbd", "\ufffd\ufffd\ufffd")],
)
@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C.UTF-8"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}], ids=str
)
def test_bytes_of_any_locale_are_read_as_utf_8(
    surroundings: dict[str, str], word: bytes, query: str, locale: dict[str, str]
) -> None:
    line = [sys.executable.encode(), b"-m", b"fanseek", b"search", b"--sandbox", b"--json", word]
    ran = subprocess.run(line, env=surroundings | locale, capture_output=True, check=False, timeout=60)
    assert (ran.returncode, json.loads(ran.stdout)["query"]) == (0, query)
