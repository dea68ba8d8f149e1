"""`fanseek config`: what is set, who decided it, and where the file is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from fanseek.config.options import options
from fanseek.sandbox import Sandbox
from processes import CANARY, Command

RANKED = ("call", "flag", "environment", "file", "default")


@pytest.fixture
def usual(surroundings: dict[str, str]) -> Path:
    """Where the command looks for its file."""
    place = Path(surroundings["HOME"]) / ".config" / "fanseek" / "config.toml"
    place.parent.mkdir(parents=True)
    return place


@pytest.fixture
def count(fanseek: Command) -> Callable[..., int]:
    """How many results a sandbox search comes to."""

    def count(*args: str, **env: str) -> int:
        return len(fanseek("search", "solar panels", "--sandbox", "--json", *args, env=env).json["sources"])

    return count


@pytest.mark.parametrize(("high", "low"), list(combinations(RANKED, 2)))
def test_x20_precedence_of_the_command(count: Callable[..., int], usual: Path, high: str, low: str) -> None:
    """Every pair of the layers that a command has."""
    said = {high: 5} | ({} if low == "default" else {low: 3})
    if "file" in said:
        usual.write_text(f"numResults = {said['file']}\n", encoding="utf-8")
    args = ["-n", str(said["call"])] if "call" in said else []
    args += ["--set", f"numResults={said['flag']}"] if "flag" in said else []
    env = {"FANSEEK_NUM_RESULTS": str(said["environment"])} if "environment" in said else {}
    assert count(*args, **env) == 5


def test_the_file_is_the_flag_s_or_the_variable_s_or_the_usual_one(
    count: Callable[..., int], usual: Path, tmp_path: Path
) -> None:
    for place, number in ((usual, 2), (tmp_path / "named.toml", 3), (tmp_path / "flagged.toml", 4)):
        place.write_text(f"numResults = {number}\n", encoding="utf-8")
    named = {"FANSEEK_CONFIG": str(tmp_path / "named.toml")}
    assert count() == 2
    assert count(**named) == 3
    assert count("--config", str(tmp_path / "flagged.toml"), **named) == 4
    assert count(FANSEEK_CONFIG="/dev/null") == 8


def test_the_usual_file_need_not_be_there_and_a_named_one_must(fanseek: Command, tmp_path: Path) -> None:
    assert fanseek("config", "show").code == 0
    for args, env in ((["--config", "absent.toml"], {}), ([], {"FANSEEK_CONFIG": "absent.toml"})):
        ran = fanseek("search", "q", "--sandbox", *args, env=env)
        assert (ran.code, ran.text) == (2, "")
        assert re.fullmatch(
            r"fanseek: the config file \S+absent.toml can't be read: No such file or directory\n", ran.said
        )


def test_a_broken_usual_file_is_one_sentence_and_no_search(fanseek: Command, usual: Path) -> None:
    usual.write_text('numResults = 3\nexaApiKey = "' + CANARY + '"\n', encoding="utf-8")
    for args in (["search", "q", "--sandbox"], ["search", "q"], ["config", "show"], ["config", "explain", "rerank"]):
        ran = fanseek(*args)
        assert (ran.code, ran.text) == (2, "")
        assert ran.said.startswith(f"fanseek: {usual}, line 2: exaApiKey is not a setting")
        assert "`fanseek keys set EXA_API_KEY`" in ran.said
        assert ran.said.count("\n") == 1
    usual.unlink()


def test_path_says_where_the_file_is_or_would_be(fanseek: Command, usual: Path, tmp_path: Path) -> None:
    assert fanseek("config", "path").text == f"{usual}\n"
    assert (
        fanseek("config", "path", env={"FANSEEK_CONFIG": str(tmp_path / "x.toml")}).text == f"{tmp_path / 'x.toml'}\n"
    )
    assert fanseek("config", "path", "--config", str(tmp_path / "y")).text == f"{tmp_path / 'y'}\n"


def test_show_prints_what_is_not_the_default_with_who_said_it(fanseek: Command, usual: Path) -> None:
    usual.write_text('numResults = 3\nrerank = false\n[ddg]\nenabled = "off"\n', encoding="utf-8")
    ran = fanseek("config", "show", "--set", "deadlineMs=900", env={"FANSEEK_SAFE_SEARCH": "off"})
    assert (ran.code, ran.said) == (0, "")
    assert ran.text.splitlines() == [
        "numResults = 3  # file: line 1",
        "deadlineMs = 900  # flag",
        "safeSearch = false  # environment: FANSEEK_SAFE_SEARCH",
        'enableDdg = "off"  # file: line 4',
    ]


def test_show_all_is_a_config_file_of_every_default(fanseek: Command) -> None:
    ran = fanseek("config", "show", "--all")
    assert tomllib.loads(ran.text) == {key: option.default for key, option in options().items()}
    assert (
        fanseek("config", "show").text == "# every setting has its default; `fanseek config show --all` prints them\n"
    )


def test_show_as_json(fanseek: Command, usual: Path) -> None:
    usual.write_text("numResults = 3\n", encoding="utf-8")
    whole = fanseek("config", "show", "--json", env={"FANSEEK_NUM_RESULTS": "4"}).json
    assert whole["file"] == str(usual)
    assert whole["settings"].keys() == {"numResults"}
    one = whole["settings"]["numResults"]
    assert (one["value"], one["layer"], one["source"], one["default"]) == (4, "environment", "FANSEEK_NUM_RESULTS", 8)
    assert [layer["layer"] for layer in one["layers"]] == ["environment", "file", "default"]
    usual.unlink()
    assert fanseek("config", "show", "--json").json == {"file": None, "settings": {}}
    assert fanseek("config", "show", "--json", "--all").json["settings"].keys() == options().keys()


@pytest.mark.parametrize("key", ["numResults", "NUMRESULTS", "FANSEEK_NUM_RESULTS", "num_results", "num-results"])
def test_explain_says_which_layer_won_and_what_the_others_say(fanseek: Command, usual: Path, key: str) -> None:
    """X20."""
    usual.write_text("\nnumResults = 3\n", encoding="utf-8")
    ran = fanseek("config", "explain", key, "--set", "numResults=5", env={"FANSEEK_NUM_RESULTS": "4"})
    lines = ran.text.splitlines()
    assert lines[:2] == ["numResults = 5", "How many results a search returns."]
    told = [line.split() for line in lines if line.startswith("  ")]
    assert told == [
        ["flag", "5", "<-", "counts"],
        ["environment", "4", "(FANSEEK_NUM_RESULTS)"],
        ["harness", "-"],
        ["file", "3", "(line", "2)"],
        ["default", "8"],
    ]
    assert "takes a whole number from 1 to 50" in lines
    assert f"set it with --set numResults=VALUE, FANSEEK_NUM_RESULTS, or in {usual}" in lines


def test_explain_names_the_list_that_forces_backends(fanseek: Command) -> None:
    """B15."""
    ran = fanseek("config", "explain", "enableDdg", env={"DSH_UNIFIED_SEARCH_BACKENDS": "exa"})
    assert 'environment  "off"  (DSH_UNIFIED_SEARCH_BACKENDS)  <- counts' in ran.text


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("numResult", "unknown setting numResult; the nearest one is numResults"),
        ("exa", "exa is a backend and no setting; its switch is enableExa"),
        ("exaApiKey", "exaApiKey is not a setting: keys are never settings"),
        (CANARY, "unknown setting (a name that is not repeated here)"),
    ],
)
def test_explain_of_what_is_no_setting(fanseek: Command, key: str, said: str) -> None:
    ran = fanseek("config", "explain", key)
    assert (ran.code, ran.text) == (2, "")
    assert ran.said.startswith(f"fanseek: {said}")


def test_every_setting_is_explained(fanseek: Command) -> None:
    told = fanseek("config", "show", "--all", "--json").json["settings"]
    for key, option in options().items():
        assert (told[key]["variable"], told[key]["value"]) == (option.variable, option.default)
        assert all(told[key][part] for part in ("title", "description", "takes")), key


def test_no_secret_is_shown(fanseek: Command) -> None:
    """N11: the fixture looks for the canary in what is written."""
    env = {
        "FANSEEK_PROXY": f"http://me:{CANARY}@proxy.example:1",
        "FANSEEK_SEARXNG_BASE_URL": f"https://x.example/?token={CANARY}",
        "FANSEEK_EXA_API_KEY_ENV": "SOME_API_KEY",
    }
    for args in (["show"], ["show", "--json"], ["explain", "proxy"], ["explain", "searxngBaseURL", "--json"]):
        ran = fanseek("config", *args, env=env)
        assert "[redacted]" in ran.text
    assert "http://[redacted]@proxy.example:1" in fanseek("config", "explain", "proxy", env=env).text


def test_the_list_of_backends_and_switches_hold_in_a_sandbox_too(
    fanseek: Command, usual: Path, names: list[str]
) -> None:
    """B15; a switch of the file and of the environment, and a key of the sandbox's own for those that need one."""

    def asked(*args: str, **env: str) -> set[str]:
        whole = fanseek("search", "q", "--sandbox", "--json", *args, env=env).json
        return {outcome["backend"] for outcome in whole["outcomes"]}

    assert asked() == set(names)
    assert asked(DSH_UNIFIED_SEARCH_BACKENDS="ddg,brave") == {"ddg", "brave"}
    assert asked(FANSEEK_ENABLE_DDG="off") == set(names) - {"ddg"}
    usual.write_text(
        'enableDdg = "off"\nexaBaseURL = "http://127.0.0.1:9"\nproxy = "http://127.0.0.1:9"\n', encoding="utf-8"
    )
    assert asked() == set(names) - {"ddg"}
    assert asked("--set", "enableDdg=on") == set(names)


def test_nothing_usable_says_what_to_do_at_a_command_line(fanseek: Command, box: Sandbox, names: list[str]) -> None:
    """B6: each key's variable, and where settings are looked at."""
    nothing = fanseek("search", "q", env={f"FANSEEK_ENABLE_{name.upper()}": "off" for name in names})
    keyless = {"FANSEEK_BACKENDS": "brave", "BRAVE_API_KEY": ""}
    for ran in (nothing, fanseek("search", "q", env=keyless)):
        assert (ran.code, ran.text) == (3, "")
        assert "`fanseek config show`" in ran.said
        assert "--set enable" in ran.said
        assert ran.said.count("\n") == 1
    assert "BRAVE_API_KEY" in fanseek("search", "q", env=keyless).said
    assert json.loads(fanseek("search", "q", "--json", env=keyless).text)["status"] == "error"
