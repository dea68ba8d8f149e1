"""`fanseek doctor`, the real command."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fanseek.sandbox import Sandbox
from fanseek.text.columns import width
from loopback import authority
from processes import CANARY, Command, Screen
from proxies import closed_port, way_through

Start = Callable[..., Screen]
CHINESE = {"LANG": "zh_CN.UTF-8"}
HOST = "search.example.test"


def lines(text: str) -> list[str]:
    return text.split("\n")


def test_everything_works(fanseek: Command, names: list[str]) -> None:
    ran = fanseek("doctor", "--sandbox")
    assert (ran.code, ran.said) == (0, "")
    assert ran.text.startswith("[SYNTHETIC: ")
    for name in names:
        assert re.search(rf"^✓ {name} +\d+ ms · direct", ran.text, re.MULTILINE), name
    assert ran.text.endswith(f"\n{len(names)} of {len(names)} backends that were asked answer.\n")


def test_some_fail_and_what_to_do_is_said(fanseek: Command) -> None:
    ran = fanseek("doctor", "--sandbox", "--backends", "exa,ddg", "--fault", "ddg=captcha")
    assert ran.code == 0
    assert "✗ ddg  blocked: DuckDuckGo asks for proof of a person" in ran.text
    assert "  ddg: it takes this machine for a robot" in ran.text
    assert lines(ran.text)[-2] == "1 of 2 backends that were asked answer."


def test_the_same_in_chinese(fanseek: Command) -> None:
    """X27."""
    ran = fanseek("doctor", "--sandbox", "--backends", "exa,ddg", "--fault", "ddg=captcha", env=CHINESE)
    assert "✗ ddg  被拦截（要求验证）：DuckDuckGo asks for proof of a person" in ran.text
    assert "  ddg：它把本机当作机器人" in ran.text
    assert lines(ran.text)[-2] == "询问了 2 个引擎，1 个应答。"


def test_nobody_answers_is_4(fanseek: Command) -> None:
    ran = fanseek("doctor", "--sandbox", "--fault", "*=503")
    assert ran.code == 4
    assert re.search(r"None of the \d+ backends that were asked answers\.\n$", ran.text)


def test_json_is_english_with_codes(fanseek: Command, names: list[str]) -> None:
    ran = fanseek("doctor", "--sandbox", "--json", "--fault", "ddg=captcha", env=CHINESE)
    whole = ran.json
    assert ran.out.isascii()
    assert (whole["schema"], whole["status"], whole["synthetic"]) == ("fanseek.doctor/1", "ok", True)
    assert [one["name"] for one in whole["backends"]] == names
    ddg = next(one for one in whole["backends"] if one["name"] == "ddg")
    assert ddg["answers"] is False
    assert ddg["addresses"][0]["probe"]["code"] == "CHALLENGED"
    assert ddg["findings"][0]["code"] == "advice.blocked"
    found = [*whole["surroundings"], whole["summary"], *(each for one in whole["backends"] for each in one["findings"])]
    assert all(one["code"] and one["message"] for one in found)


def test_without_a_network_one_clear_sentence(fanseek: Command, unplugged: dict[str, str]) -> None:
    ran = fanseek("doctor", env=unplugged)
    assert ran.code == 4
    assert ran.text.count("✗") == 1
    assert "no connection; such as connection refused by 127.0.0.1" in ran.text
    assert lines(ran.text)[-2].startswith("No backend can be reached: the network is down, or a firewall")
    chinese = fanseek("doctor", env={**unplugged, **CHINESE})
    assert lines(chinese.text)[-2].startswith("一个引擎也连不上：网络已断开")


def test_offline_tells_what_is_set_and_asks_nobody(fanseek: Command, at_box: dict[str, str], box: Sandbox) -> None:
    ran = fanseek("doctor", "--offline", env=at_box)
    assert ran.code == 0
    assert sum(log.count for log in box.log.values()) == 0
    assert re.search(r"^- exa +enabled, not asked · key EXA_API_KEY \(environment\)$", ran.text, re.MULTILINE)
    assert "none was asked (--offline)" in ran.text
    off = {"FANSEEK_BACKENDS": "brave", "BRAVE_API_KEY": ""}
    assert fanseek("doctor", "--offline", env={**at_box, **off}).code == 4


def test_spending_is_asked_for(fanseek: Command, at_box: dict[str, str], box: Sandbox) -> None:
    ran = fanseek("doctor", "--backends", "exa,openai", env=at_box)
    assert "not asked: each search costs tokens; --spend asks it" in ran.text
    assert box.log["openai"].count == 0
    spent = fanseek("doctor", "--backends", "openai", "--spend", env=at_box)
    assert spent.code == 0
    assert box.log["openai"].count == 1


def test_files_stand_below_the_home(fanseek: Command, surroundings: dict[str, str]) -> None:
    home = Path(surroundings["HOME"])
    keys = home / ".config" / "fanseek" / "keys.json"
    keys.parent.mkdir(parents=True)
    keys.write_text(f'{{"BRAVE_API_KEY": "{CANARY}"}}', encoding="utf-8")
    keys.chmod(0o644)
    ran = fanseek(
        "doctor", "--offline", "--set", "numResults=3", env={"FANSEEK_NUM_RESULTS": "4", "FANSEEK_CASHE": "1"}
    )
    keys.unlink()
    assert "  config file: none (it would be ~/.config/fanseek/config.toml)" in ran.text
    assert "cache: ~/cache/fanseek can be written" in ran.text
    if sys.platform != "win32":
        assert "! the key file ~/.config/fanseek/keys.json: others than its owner may read" in ran.text
    assert "  numResults of FANSEEK_NUM_RESULTS has no effect: flag outranks it" in ran.text
    assert ran.text.count("FANSEEK_CASHE is not a setting") == 1
    assert ran.said == ""
    assert str(home) not in ran.text


def test_settings_that_cannot_be_read_are_2(fanseek: Command, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("numResults = 99\n", encoding="utf-8")
    ran = fanseek("doctor", "--config", str(file))
    assert ran.code == 2
    assert lines(ran.text)[-2].startswith("The settings can't be read, so no search is possible: ~/bad.toml, line 1")
    assert fanseek("doctor", "--config", str(file), env=CHINESE).text.endswith("from 1 to 50, not 99\n")


@pytest.mark.parametrize("args", [["--fault", "ddg=503"], ["--backends", "nobody"], ["--set", "nothing=1"]], ids=str)
def test_usage(fanseek: Command, args: list[str]) -> None:
    ran = fanseek("doctor", *args)
    assert (ran.code, ran.text) == (2, "")
    assert ran.said.startswith("fanseek: ")


@pytest.fixture
def exa_behind(tmp_path: Path) -> dict[str, str]:
    """Exa alone, at a host that only a proxy knows, with a certificate that is trusted."""
    authority().cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    return {
        "FANSEEK_BACKENDS": "exa",
        "FANSEEK_EXA_BASE_URL": f"https://{HOST}/exa/mcp",
        "SSL_CERT_FILE": str(tmp_path / "authority.pem"),
    }


def test_by_proxy_and_never_its_password(fanseek: Command, box: Sandbox, exa_behind: dict[str, str]) -> None:
    with way_through(box.port, "works", HOST) as (proxy, heads):
        way = {"HTTPS_PROXY": f"http://user:PROXYPASS@127.0.0.1:{proxy.port}"}
        shown = f"http://127.0.0.1:{proxy.port}"
        works = fanseek("doctor", env={**exa_behind, **way})
        passed_by = fanseek("doctor", "--proxy", "direct", env={**exa_behind, **way})
        as_json = fanseek("doctor", "--json", "--proxy", "direct", env={**exa_behind, **way, **CHINESE})
    assert works.code == 0
    assert f"  proxy: {shown} (from HTTPS_PROXY)" in works.text
    assert re.search(rf"^✓ exa +\d+ ms · by proxy {shown}", works.text, re.MULTILINE)
    assert heads
    assert passed_by.code == 4
    assert f"https://{HOST} answers by proxy {shown}, not direct" in " ".join(passed_by.text.split())
    assert as_json.json["backends"][0]["addresses"][0]["other"]["proxy"] == shown
    for ran in (works, passed_by, as_json):
        assert b"PROXYPASS" not in ran.out + ran.err


def test_no_way_names_both(fanseek: Command, exa_behind: dict[str, str]) -> None:
    with closed_port() as port:
        ran = fanseek("doctor", env={**exa_behind, "HTTPS_PROXY": f"http://u:PROXYPASS@127.0.0.1:{port}", **CHINESE})
    assert ran.code == 4
    assert f"无论直连还是经代理 http://127.0.0.1:{port}，一个引擎也连不上" in ran.text
    assert b"PROXYPASS" not in ran.out + ran.err


@pytest.mark.parametrize(("columns", "env"), [(60, {}), (48, CHINESE)], ids=str)
def test_it_fits_the_terminal(screen: Start, columns: int, env: dict[str, str]) -> None:
    seen = (
        screen("doctor", "--sandbox", "--fault", "*=captcha", env=env, columns=columns, piped=("stderr",)).read().seen
    )
    for line in seen.decode("utf-8").replace("\r\n", "\n").split("\n"):
        assert width(line) <= columns or " " not in line.strip(), line


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("gbk", "被拦截（要求验证）"),
        ("ascii", "FAILED  ddg"),
        ("cp1252", "FAILED  ddg"),
        ("utf-8", "✗ ddg  被拦截"),
    ],
)
def test_a_terminal_of_any_encoding(screen: Start, encoding: str, expected: str) -> None:
    env = {**CHINESE, "PYTHONIOENCODING": f"{encoding}:strict", "PYTHONUTF8": "0"}
    args = ("doctor", "--sandbox", "--backends", "ddg", "--fault", "ddg=captcha")
    seen = screen(*args, env=env).read().seen.decode(encoding, errors="replace")
    assert expected in seen.rpartition("\r \r")[2]
    assert "Traceback" not in seen


def test_progress_is_drawn_and_wiped(screen: Start) -> None:
    seen = screen("doctor", "--sandbox", columns=300).read().seen.decode()
    wiped = re.search(r"\r +\r", seen)
    assert wiped
    assert "asking exa …" in seen[: wiped.start()]
    assert "asking" not in seen[wiped.end() :]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are a thing of POSIX")
def test_ctrl_c_is_clean(screen: Start) -> None:
    running: Any = screen("doctor", "--sandbox", "--backends", "exa,ddg", "--fault", "ddg=hang", columns=100)
    running.read_until("exa ✓".encode())
    running.process.send_signal(signal.SIGINT)
    seen = running.read().seen.decode()
    assert running.process.wait(30) == 130
    assert "Traceback" not in seen
    assert "Stopped: 1 of 2 backends had answered." in seen
