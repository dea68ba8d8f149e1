"""`fanseek parse`: the outcome of any payload, for every sample, from a file or standard input."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fanseek import registry
from fanseek.cli import main

SAMPLES = Path(__file__).parents[2] / "backends"


def parsed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["parse", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def entries(name: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((SAMPLES / name / "expected.json").read_bytes())
    return found


@pytest.mark.parametrize("name", list(registry.backends()))
def test_every_sample_gives_the_stated_class_and_number(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The issue's own check: `fanseek parse BACKEND --status N --header K:V FILE`."""
    for file, entry in entries(name).items():
        headers = [part for item in entry["headers"].items() for part in ("--header", f"{item[0]}: {item[1]}")]
        kind = ["--kind", entry["kind"]] if "kind" in entry else []
        code, out, err = parsed(
            capsys, name, "--status", str(entry["status"]), *headers, *kind, str(SAMPLES / name / file)
        )
        assert (code, err) == (0, "")
        assert out.splitlines()[0] == f"class={entry['class']} results={entry.get('results', 0)}", file


def test_the_text_shows_what_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = parsed(capsys, "parallel", str(SAMPLES / "parallel" / "mcp_search_warnings.json"))
    lines = out.splitlines()
    assert lines[0] == "class=ok results=1"
    assert "warning: search_queries truncated to 5" in lines
    assert "1. Tidal turbines: a ten-year review" in lines
    assert any("https://energy.example.org/tidal/review-2026 · 2026-03-18" in line for line in lines)


def test_a_failure_shows_its_message_and_wait(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(SAMPLES / "exa" / "mcp_rate_limited_429.json")
    code, out, _ = parsed(capsys, "exa", "--status", "429", "--header", "Retry-After: 43", file)
    assert code == 0
    assert out.splitlines()[0] == "class=rate-limit results=0"
    assert "asked again after 43 s" in out


def test_json_holds_hits_message_and_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = parsed(capsys, "searxng", "--json", str(SAMPLES / "searxng" / "own_some_unresponsive.json"))
    whole = json.loads(out)
    assert (whole["class"], whole["results"]) == ("ok", 1)
    assert whole["hits"][0]["url"] == "https://x.example.test/"
    assert whole["hits"][0]["families"] == ["mojeek"]
    assert "engineb" in whole["warnings"][0]
    _, out, _ = parsed(capsys, "ddg", "--json", str(SAMPLES / "ddg" / "html_unexpected.html"))
    assert json.loads(out)["message"]


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    body = (SAMPLES / "ddg" / "html_ok_mixed.html").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(body), encoding="ascii"))
    code, out, _ = parsed(capsys, "ddg", "-")
    assert (code, out.splitlines()[0]) == (0, "class=ok results=4")


def test_hostile_text_reaches_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text(
        json.dumps({"results": [{"url": "https://a.test/", "title": "a\x1b[31mb\x9b2J\u202ec", "content": "\x07s"}]}),
        encoding="utf-8",
    )
    _, out, _ = parsed(capsys, "searxng", str(file))
    assert not set("\x1b\x9b\x07\u202e") & set(out)
    file.write_text("\x1b]0;pwn\x07 not JSON", encoding="utf-8")
    for status, kind in (("200", "format"), ("500", "server")):
        _, out, _ = parsed(capsys, "searxng", "--status", status, str(file))
        assert out.startswith(f"class={kind} results=0")
        assert not set("\x1b\x07") & set(out)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nobody", "x"], "unknown backend"),
        (["ddg", "--kind", "images", "x"], "serves no"),
        (["ddg", "--status", "7", "x"], "--status"),
        (["ddg", "--header", "no colon canary-1", "x"], "--header"),
        (["ddg", "--header", ": v", "x"], "--header"),
        (["ddg", "no/such/file"], "can't read"),
        (["ddg", "."], "can't read"),
        (["ddg", "a\0b"], "can't read"),
    ],
)
def test_an_impossible_argument_is_told_and_ends_with_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = parsed(capsys, *arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert "canary-1" not in err


def test_the_command_runs_as_installed() -> None:
    """The script itself, in a process of its own."""
    script = Path(sys.executable).with_name("fanseek")
    file = SAMPLES / "exa" / "mcp_search_ok.sse"
    ran = subprocess.run([script, "parse", "exa", file], capture_output=True, text=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("class=ok results=3\n")


def test_a_closed_standard_input_is_said_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The interpreter has no `sys.stdin` after `<&-`."""
    monkeypatch.setattr(sys, "stdin", None)
    code, out, err = parsed(capsys, "exa", "-")
    assert (code, out, err) == (2, "", "fanseek: can't read -: standard input is closed\n")
