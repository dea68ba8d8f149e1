"""`fanseek keys`, as a user runs it."""

from __future__ import annotations

import io
import json
import os
import signal
import stat
import sys
from pathlib import Path

import pytest

from fanseek.cli import main
from fanseek.config.options import options
from fanseek.registry import backends
from processes import Ran

LONG = "tvly-dev-0123456789abcdefWXYZ"
OTHER = "tvly-dev-9876543210fedcbaQRST"


@pytest.fixture
def surroundings(surroundings):
    """Without the keys that other tests of the command have."""
    return {name: value for name, value in surroundings.items() if not name.endswith("_API_KEY")}


@pytest.fixture
def place(surroundings) -> Path:
    return Path(surroundings["HOME"]) / ".config" / "fanseek" / "keys.json"


@pytest.fixture
def here(surroundings, monkeypatch, capfd):
    """The command in this process: what is refused is refused alike, and much sooner."""
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)

    def run(*args, input=b"", env=()):  # noqa: A002 - as subprocess has it
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input)))
            for name, value in dict(env).items():
                patch.setenv(name, value)
            try:
                code = main(args)
            except SystemExit as end:
                code = end.code
        captured = capfd.readouterr()
        return Ran(code, captured.out.encode(), captured.err.encode())

    return run


def listed(fanseek, **env) -> dict:
    return {one["name"]: one for one in fanseek("keys", "list", "--json", env=env).json["keys"]}


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_key_is_read_from_standard_input_and_kept_for_its_owner_alone(fanseek, place, end):
    """One line end is no part of it."""
    ran = fanseek("keys", "set", "TAVILY_API_KEY", input=f"{LONG}{end}".encode())
    assert (ran.code, ran.said) == (0, "")
    assert ran.text == f"TAVILY_API_KEY: slot 1 ••••WXYZ kept in {place}\n"
    assert json.loads(place.read_bytes()) == {"TAVILY_API_KEY": LONG}
    if os.name == "posix":
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    found = listed(fanseek)["TAVILY_API_KEY"]
    assert (found["place"], found["backends"], found["needed"]) == ("key file", ["tavily"], True)
    assert found["slots"] == [{"slot": 1, "shown": "••••WXYZ", "rests": []}]


@pytest.mark.parametrize("between", [",", "\n", " ", ", ", "\r\n"])
def test_n1_several_keys_are_kept_under_one_name(here, place, between):
    ran = here("keys", "set", "TAVILY_API_KEY", input=f"{LONG}{between}{OTHER}\n".encode())
    assert "slot 1 ••••WXYZ, slot 2 ••••QRST" in ran.text
    assert json.loads(place.read_bytes()) == {"TAVILY_API_KEY": [LONG, OTHER]}


@pytest.mark.parametrize("name", ["TAVILY_API_KEYS", "TAVILY_API_KEY_2"])
def test_n12_bc_037_the_plural_and_numbered_names_can_be_set(here, name):
    assert here("keys", "set", name, input=LONG.encode()).code == 0
    assert listed(here)["TAVILY_API_KEY"]["variables"] == [name]


def test_setting_replaces_and_says_so(here, place):
    here("keys", "set", "BRAVE_API_KEY", input=b"first-key-123")
    ran = here("keys", "set", "BRAVE_API_KEY", input=LONG.encode())
    assert "kept instead of what was" in ran.text
    assert json.loads(place.read_bytes()) == {"BRAVE_API_KEY": LONG}


@pytest.mark.parametrize(
    "typed",
    [
        b"",
        b"\n",
        b" \n\n ",
        b"your-api-key",
        b"<your key>",
        b"Your API key here",
        b"${TAVILY_API_KEY}",
        b"tvly-xxxxxxxx",
        f'"{LONG}"'.encode(),
        f"'{LONG}'".encode(),
        f"Bearer {LONG}".encode(),
        f"TAVILY_API_KEY={LONG}".encode(),
        f"export TAVILY_API_KEY={LONG}".encode(),
        f"{LONG}\x00".encode(),
        f"{LONG}\x1b[2K".encode(),
        LONG.encode("utf-16"),
        b"\xff\xfe\xfd",
        "ключ-0123456789".encode(),
        LONG.encode() * 5000,
        f"{OTHER},'{LONG}'".encode(),
    ],
)
def test_what_is_no_key_is_refused_without_being_shown(here, place, typed):
    here("keys", "set", "TAVILY_API_KEY", input=b"the-old-key-0123")
    before = place.read_bytes()
    ran = here("keys", "set", "TAVILY_API_KEY", input=typed)
    assert ran.code == 2
    assert ran.text == ""
    assert LONG[-8:] not in ran.said
    assert ran.said.startswith("fanseek: ")
    assert place.read_bytes() == before


@pytest.mark.parametrize(
    "rest", [[LONG], [f"--{LONG}"], [f"-{LONG}"], ["--value", LONG], [f"--value={LONG}"], ["-", LONG]]
)
def test_n11_a_key_on_the_command_line_is_refused_and_not_repeated(here, place, rest):
    ran = here("keys", "set", "TAVILY_API_KEY", *rest, input=OTHER.encode())
    assert ran.code == 2
    assert "never from the command line" in ran.said
    assert LONG not in ran.text + ran.said
    assert not place.exists()


@pytest.mark.parametrize(
    "name", [LONG, f"TAVILY_API_KEY={LONG}", "tavily_api_key", "", "TAVILY API KEY", "SOME_API_KEY"]
)
@pytest.mark.parametrize("part", ["set", "remove"])
def test_a_name_that_is_none_is_refused_and_not_repeated(here, place, name, part):
    ran = here("keys", part, name, input=b"k-0123456789")
    assert ran.code == 2
    assert LONG not in ran.text + ran.said
    assert not place.exists()


def test_a_misspelt_name_is_told_the_nearest_one(here):
    ran = here("keys", "set", "TAVILY_KEY", input=LONG.encode())
    assert "the nearest one is TAVILY_API_KEY" in ran.said


def test_removing_takes_the_key_out_of_the_file(here, place):
    here("keys", "set", "TAVILY_API_KEY", input=LONG.encode())
    here("keys", "set", "BRAVE_API_KEY", input=OTHER.encode())
    ran = here("keys", "remove", "TAVILY_API_KEY")
    assert (ran.code, ran.text) == (0, f"TAVILY_API_KEY: removed from {place}\n")
    assert LONG.encode() not in place.read_bytes()
    assert listed(here)["TAVILY_API_KEY"]["place"] == ""
    assert here("keys", "remove", "TAVILY_API_KEY").code == 2


def test_what_the_environment_hides_is_said(here):
    env = {"TAVILY_API_KEYS": OTHER}
    ran = here("keys", "set", "TAVILY_API_KEY", input=LONG.encode(), env=env)
    assert "The environment has TAVILY_API_KEYS, which comes first." in ran.text
    found = listed(here, **env)["TAVILY_API_KEY"]
    assert found["place"] == "environment"
    assert [slot["shown"] for slot in found["slots"]] == ["••••QRST"]
    assert found["remarks"] == ["there is something in the key file too, which is not used"]
    assert "which comes first" in here("keys", "remove", "TAVILY_API_KEY", env=env).text


def test_every_backend_that_takes_a_key_is_listed(here):
    references = {option.default for option in options().values() if option.is_reference}
    found = listed(here)
    assert set(found) == references
    for name, one in found.items():
        owners = [backend for backend in backends().values() if getattr(backend.settings(), "api_key_env", "") == name]
        assert one["backends"] == [backend.name for backend in owners]
        assert one["needed"] is any("key" in backend.needs for backend in owners)
        assert one["slots"] == []


def test_n14_a_renamed_reference_is_the_one_that_is_read(here):
    """braveApiKeyEnv=OTHER."""
    env = {"FANSEEK_BRAVE_API_KEY_ENV": "MY_BRAVE", "MY_BRAVE": LONG, "BRAVE_API_KEY": OTHER}
    found = listed(here, **env)
    assert "BRAVE_API_KEY" not in found
    assert found["MY_BRAVE"]["backends"] == ["brave"]
    assert [slot["shown"] for slot in found["MY_BRAVE"]["slots"]] == ["••••WXYZ"]
    assert here("keys", "set", "MY_BRAVE", input=LONG.encode(), env=env).code == 0


def test_two_backends_may_share_a_key(here):
    env = {"FANSEEK_SERPER_API_KEY_ENV": "BRAVE_API_KEY", "BRAVE_API_KEY": LONG}
    assert listed(here, **env)["BRAVE_API_KEY"]["backends"] == ["brave", "serper"]


def test_bc_037_n11_the_list_for_people_is_whole_and_masked(fanseek, place):
    env = {
        "TAVILY_API_KEY": f"{LONG},k1",
        "TAVILY_API_KEY_2": "your-api-key",
        "TAVILY_API_KEY_OLD": OTHER,
        "EXA_API_KEY_3": OTHER,
    }
    ran = fanseek("keys", "list", env=env)
    assert ran.code == 0
    lines = ran.text.splitlines()
    at = lines.index("TAVILY_API_KEY (tavily): environment")
    assert lines[at + 1 : at + 5] == [
        "  slot 1 ••••WXYZ",
        "  slot 2 ••••",
        "  TAVILY_API_KEY_2 (environment): it is a placeholder, not a key",
        "  TAVILY_API_KEY_OLD is set and is not a name that is read",
    ]
    assert "EXA_API_KEY (exa, optional): environment (EXA_API_KEY_3)" in lines
    assert "BRAVE_API_KEY (brave): none; keys: https://api-dashboard.search.brave.com" in lines
    assert lines[-1] == f"Key file: {place} (there is none)"
    assert not any(key in ran.text for key in (LONG, OTHER, LONG[:-4], "k1"))


@pytest.mark.skipif(os.name != "posix", reason="file modes are a thing of POSIX")
@pytest.mark.parametrize(
    "args", [("list",), ("list", "--json"), ("set", "BRAVE_API_KEY"), ("remove", "TAVILY_API_KEY")]
)
def test_n11_a_file_that_others_can_read_is_not_used_and_the_remedy_is_named(here, place, args):
    here("keys", "set", "TAVILY_API_KEY", input=LONG.encode())
    place.chmod(0o644)
    ran = here("keys", *args, input=OTHER.encode())
    assert f"chmod 600 {place}" in ran.text + ran.said
    assert ran.code == (0 if args[0] == "list" else 2)
    assert LONG[-4:] not in ran.text
    assert json.loads(place.read_bytes()) == {"TAVILY_API_KEY": LONG}


def test_names_in_the_file_that_nobody_looks_for_are_told(here, place):
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"OLD_KEY": LONG, OTHER: "x"}), encoding="utf-8")
    place.chmod(0o600)
    ran = here("keys", "list")
    assert "OLD_KEY: in the key file, and no backend looks for it" in ran.text
    assert OTHER not in ran.text
    assert here("keys", "remove", "OLD_KEY").code == 0


def test_a_disk_that_can_t_be_written_is_said(fanseek, place):
    place.parent.parent.mkdir(parents=True)
    place.parent.write_bytes(b"")
    ran = fanseek("keys", "set", "BRAVE_API_KEY", input=LONG.encode())
    assert ran.code == 1
    assert "can't be written" in ran.said
    assert "Traceback" not in ran.said


def test_on_a_terminal_the_key_is_asked_for_and_not_shown(screen, place):
    shown = screen("keys", "set", "BRAVE_API_KEY")
    shown.read_until(b"it is not shown")
    os.write(shown._leader, f"{LONG}\n".encode())
    shown.read()
    assert shown.process.wait(30) == 0
    assert LONG.encode() not in shown.seen
    assert b"WXYZ" in shown.seen
    assert json.loads(place.read_bytes()) == {"BRAVE_API_KEY": LONG}


@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D"])
def test_on_a_terminal_one_can_think_better_of_it(screen, place, way):
    termios = pytest.importorskip("termios")
    shown = screen("keys", "set", "BRAVE_API_KEY")
    shown.read_until(b"it is not shown")
    if way == "Ctrl-C":
        shown.process.send_signal(signal.SIGINT)
    else:
        os.write(shown._leader, b"\x04")
    shown.read()
    assert shown.process.wait(30) == (130 if way == "Ctrl-C" else 2)
    assert termios.tcgetattr(shown._leader)[3] & termios.ECHO
    assert b"Traceback" not in shown.seen
    assert not place.exists()


def test_x27_in_chinese(here, place):
    """What is found out of the ordinary is told in English; JSON is English always."""
    chinese = {"LANG": "zh_CN.UTF-8"}
    assert here("keys", "set", "TAVILY_API_KEY", input=LONG.encode(), env=chinese).text == (
        f"TAVILY_API_KEY：slot 1 ••••WXYZ 已保存到 {place}\n"
    )
    env = {**chinese, "BRAVE_API_KEYS": OTHER, "SERPER_API_KEY": "your-key-here"}
    shown = here("keys", "list", env=env).text
    assert "TAVILY_API_KEY（tavily）：密钥文件\n  slot 1 ••••WXYZ\n" in shown
    assert "BRAVE_API_KEY（brave）：环境变量 (BRAVE_API_KEYS)\n" in shown
    assert "EXA_API_KEY（exa，可选）：没有；申请：https://" in shown
    assert shown.endswith(f"密钥文件：{place}\n")
    assert "placeholder" in shown
    as_json = here("keys", "list", "--json", env=env).json["keys"]
    assert {one["place"] for one in as_json} == {"", "environment", "key file"}
    assert here("keys", "remove", "TAVILY_API_KEY", env=chinese).text == f"TAVILY_API_KEY：已从 {place} 中删除\n"
    gone = here("keys", "remove", "TAVILY_API_KEY", env=chinese)
    assert (gone.code, gone.said) == (2, f"fanseek: 密钥文件 {place} 中没有这个名字（fanseek keys list）\n")


def test_b4_a_search_uses_the_key_file(fanseek, box, at_box):
    fanseek("keys", "set", "TAVILY_API_KEY", input=LONG.encode())
    ran = fanseek("search", "tidal turbines", "--json", "--backends", "tavily", env=at_box)
    assert ran.json["outcomes"][0]["status"] == "ok"
    assert [dict(one.headers)["authorization"] for one in box.log["tavily"]] == [f"Bearer {LONG}"]
    assert LONG not in ran.text + ran.said


@pytest.mark.skipif(os.name != "posix", reason="file modes are a thing of POSIX")
def test_a_sandbox_search_does_not_even_look_at_the_key_file(fanseek, place):
    """And a real one says why it does not use it."""
    fanseek("keys", "set", "TAVILY_API_KEY", input=LONG.encode())
    place.chmod(0o644)
    assert fanseek("search", "q", "--sandbox", "--backends", "tavily").said == ""
    ran = fanseek("search", "q", "--backends", "tavily")
    assert ran.code == 3
    assert f"chmod 600 {place}" in ran.said


def test_p2_a_resting_key_is_shown_as_one(fanseek, box, at_box):
    box.faults.set("tavily", "rate-limit")
    env = {**at_box, "TAVILY_API_KEY": LONG}
    assert fanseek("search", "q", "--backends", "tavily", env=env).code == 4
    (slot,) = listed(fanseek, **env)["TAVILY_API_KEY"]["slots"]
    assert [(rest["backend"], rest["reason"]) for rest in slot["rests"]] == [("tavily", "rate-limit")]
    assert "slot 1 ••••WXYZ; tavily leaves it alone until 20" in fanseek("keys", "list", env=env).text
    again = fanseek("search", "q", "--backends", "tavily", "--json", env=env).json["outcomes"][0]
    assert (again["status"], again["code"]) == ("skipped", "KEYS_EXHAUSTED")
    assert len(box.log["tavily"]) == 1


def test_a_missing_name_is_the_only_thing_missed(here):
    ran = here("keys", "set")
    assert ran.code == 2
    assert ran.said.rstrip().endswith("required: NAME")
