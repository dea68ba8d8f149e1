"""Searches of a real model turn through the real harness, the bundle, the worker and the sandbox's backends."""

from __future__ import annotations

import re
from pathlib import Path

from harness import fanseek, headless, sdk
from model_server import model

from fanseek import registry


def sources(text: str) -> list[str]:
    return re.findall(r"(?m)^- \[.*\]\((\S+)\)", text)


def heard(text: str) -> dict[str, bool]:
    """Which backends answered, by the line on how each fared."""
    return {name: mark == "✓" for line in text.splitlines() if line.startswith("[websearch backends]")
            for name, mark in re.findall(r"([a-z]+) ([✓✗])", line)}  # fmt: skip


def test_headless_two_queries_over_eleven_backends(home: Path, sandbox) -> None:
    """X1, HF4: fan-out at ctx.web; both queries of one call come back merged, each from every backend."""
    box = sandbox()
    fanseek(home, "install", "--profile", "headless")
    fanseek(home, "set", "--profile", "headless", *box.assignments)
    with model(["alpha engines", "beta engines"]) as told:
        ran = headless(home, told.url, box.environment)
        assert (ran.returncode, ran.stdout.strip()) == (0, "DONE"), ran.stderr
        (result,) = told.results
    assert not result["is_error"], result["text"]
    assert heard(result["text"]) == dict.fromkeys(registry.backends(), True)
    assert re.findall(r"(?m)^### (.+)$", result["text"]) == ["alpha engines", "beta engines"]
    assert len(set(sources(result["text"]))) == 8
    assert len(re.findall("alpha engines", result["text"])) > 1
    assert len(re.findall("beta engines", result["text"])) > 1


def test_sdk_with_a_stored_key(home: Path, sandbox) -> None:
    """Facts 5.6, 5.7: a key of the harness's store is seen in profile sdk, and never in headless; the doctor says so."""
    box = sandbox()
    name, canary = "TAVILY_API_KEY", "tvly-canary-0a1b2c3d4e5f"
    for profile in ("sdk", "headless"):
        fanseek(home, "install", "--profile", profile)
        fanseek(home, "set", "--profile", profile, *box.assignments, "enableDeepseek=off")
    kept = fanseek(home, "key", name, "--profile", "sdk", typed=canary + "\n")
    assert canary not in kept.stdout + kept.stderr
    with model(["gamma"]) as told:
        assert sdk(home, told.url) == ["DONE"]
        in_sdk = heard(told.results[0]["text"])
    with model(["gamma"]) as told:
        headless(home, told.url)
        in_headless = heard(told.results[0]["text"])
    assert in_sdk == {**in_headless, "tavily": True}
    assert len(in_headless) == 4
    said = fanseek(home, "doctor", "--profile", "headless", "--no-page", ok=False).stdout
    assert f"✗ {name}" in said
    assert f"keys it is given: DEEPSEEK_API_KEY, {name}" in fanseek(home, "doctor", "--profile", "sdk").stdout
    assert holders(home, canary) == {".credentials.yaml"}


def test_a_hanging_backend_costs_its_own_time_only(home: Path, sandbox) -> None:
    """HF4, HF5: what the others found comes back, and who failed is said."""
    box = sandbox("--fault", "exa=hang")
    fanseek(home, "install", "--profile", "headless")
    fanseek(home, "set", "--profile", "headless", *box.assignments, "backendTimeoutMs=700")
    with model(["delta"]) as told:
        headless(home, told.url, box.environment)
        (result,) = told.results
    assert not result["is_error"]
    assert heard(result["text"]) == {name: name != "exa" for name in registry.backends()}
    assert sources(result["text"])


def test_nobody_answers(home: Path, sandbox) -> None:
    """Fact 4.5: an error whose words say how each backend failed, for the code is not shown."""
    box = sandbox("--fault", "*=503")
    fanseek(home, "install", "--profile", "headless")
    fanseek(home, "set", "--profile", "headless", *box.assignments)
    with model(["epsilon"]) as told:
        headless(home, told.url, box.environment)
        (result,) = told.results
    assert result["is_error"]
    assert result["text"].startswith("Error: ")
    assert all(name in result["text"] for name in registry.backends())


def test_crash_abort_and_recovery_in_one_process(home: Path, scripted) -> None:
    """Facts 2.4, 4.5: one death is made good, two are told; a tool timeout aborts, and the process goes on."""
    plan = ["die:3", "answer", "die:3", "die:3", "hang", "answer"]
    python, seen = scripted({"search": plan})
    fanseek(home, "install", "--profile", "sdk", "--python", python)
    with (home / "profiles/sdk/cordis.patch.yml").open("w", encoding="utf-8") as patch:
        patch.write("- {id: tool-web, config: {fetch: true, searchTimeoutMs: 2000}}\n")
    with model(["one"], ["two"], ["three"], ["four"]) as told:
        assert sdk(home, told.url) == ["DONE"]
        first, second, third, fourth = told.results
    assert not first["is_error"]
    assert "About one" in first["text"]
    assert second["is_error"]
    assert second["text"].startswith("Error: search worker exited (3)")
    assert (third["text"], third["is_error"]) == ("Error: tool call timed out after 2000ms", True)
    assert "About four" in fourth["text"]
    asked = seen("search")
    assert [one["params"]["query"] for one in asked] == ["one", "one", "two", "two", "three", "four"]
    assert [one["params"]["id"] for one in seen("cancel")] == [asked[4]["id"]]
    assert asked[4]["pid"] == asked[5]["pid"]
    assert len({one["pid"] for one in asked}) == 4
    assert seen("started")[0]["environment"] == sorted(
        {*seen("started")[0]["environment"]} - {"DEEPSEEK_API_KEY", "DSH_HOME"}
    )


def test_a_python_that_is_gone(home: Path, scripted) -> None:
    """A wrong path is told in the tool's error, with what to do; the turn goes on."""
    python, _ = scripted({})
    fanseek(home, "install", "--profile", "headless", "--python", python)
    Path(python).unlink()
    with model(["zeta"]) as told:
        ran = headless(home, told.url)
        assert ran.stdout.strip() == "DONE"
        (result,) = told.results
    assert result["is_error"]
    assert "ENOENT" in result["text"]
    assert "fanseek dsh doctor" in result["text"]
    assert f"✗ {python} can't be started" in fanseek(home, "doctor", "--profile", "headless", ok=False).stdout


def holders(home: Path, text: str) -> set[str]:
    """The files below `home` that hold `text`."""
    found = [path for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
    return {str(path.relative_to(home)) for path in found}
