"""The pytest plugin as a user's project meets it."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import httpx

import fanseek

USERS = """
import urllib.request

import pytest

import fanseek


def helper(value):
    assert value == 2, "rewritten"


def test_sync(fanseek_sandbox):
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    assert b"sandbox" in direct.open(fanseek_sandbox.url).read()
    result = fanseek.search_sync("tides", settings=fanseek_sandbox.settings(), environment=fanseek_sandbox.environment)
    assert result.status == "ok"


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_async(fanseek_sandbox, anyio_backend):
    name = next(iter(fanseek_sandbox.urls))
    fanseek_sandbox.faults.set(name, "hang")
    async with fanseek.open_engine({**fanseek_sandbox.settings(), "backendTimeoutMs": 300}, environment=fanseek_sandbox.environment) as engine:
        result = await engine.search("tides")
    assert result.status == "partial"
    assert {o.backend: o.status for o in result.outcomes}[name] == "timeout"
    assert fanseek_sandbox.log[name].count >= 1


def test_assertions_are_still_rewritten():
    with pytest.raises(AssertionError) as told:
        value = {"a": 1}
        assert value == {"a": 2}
    assert "Differing items" in str(told.value)
"""


def pytest_in(folder, *arguments):
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False, timeout=120)


def test_a_users_sync_and_async_tests_get_a_running_sandbox(tmp_path):
    (tmp_path / "test_users.py").write_text(textwrap.dedent(USERS), encoding="utf-8")
    done = pytest_in(tmp_path, "-W", "error")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_loading_the_plugin_imports_nothing_heavy(tmp_path):
    """pytest loads it in every project: of Fanseek only this one module and the package it is in."""
    (tmp_path / "test_modules.py").write_text(
        "import sys\ndef test_modules():\n"
        "    print(sorted(m for m in sys.modules if m.startswith(('fanseek', 'httpx', 'anyio', 'selectolax', 'msgspec'))))\n",
        encoding="utf-8",
    )
    done = pytest_in(tmp_path, "-s", "-p", "no:anyio")
    assert done.returncode == 0, done.stdout
    (line,) = [line for line in done.stdout.splitlines() if line.startswith(("[", ".["))]
    assert line.strip(".") == "['fanseek', 'fanseek.testing']"


def test_the_fixture_is_there_without_being_asked_for(fanseek_sandbox):
    assert httpx.get(fanseek_sandbox.url, trust_env=False).status_code == 200


async def test_the_fixture_in_an_async_test(fanseek_sandbox):
    async with fanseek.open_engine(fanseek_sandbox.settings(), environment=fanseek_sandbox.environment) as engine:
        result = await engine.search("tidal turbines", max_results=20)
    assert result.status == "ok"
    assert result.total - result.deduped == fanseek_sandbox.corpus.distinct(
        "tidal turbines", list(fanseek_sandbox.urls)
    )
    assert all(fanseek_sandbox.log[name].count for name in fanseek_sandbox.urls)


def test_each_test_has_a_fresh_sandbox(fanseek_sandbox):
    assert not any(len(requests) for requests in fanseek_sandbox.log.values())
    assert fanseek_sandbox.faults.armed() == {}
