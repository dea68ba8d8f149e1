"""A harness with Fanseek in it and the sandbox behind it, and its page in Chromium."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import harness
import pytest
from playwright.sync_api import Browser, sync_playwright
from settings_page import SettingsPage, Site

HERE = Path(__file__).parent
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ROW = "- insert:\n    - id: page-repair\n      name: ./plugins/page/index.js\n"


@pytest.fixture(scope="session")
def box() -> Iterator[dict[str, Any]]:
    with subprocess.Popen(
        [sys.executable, "-m", "fanseek", "sandbox", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        yield json.loads(process.stdout.readline())
        process.stdin.close()


@pytest.fixture(scope="session")
def site(box: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("panel") / "home"
    home.mkdir()
    made = harness.run(harness.DSH, "--profile", "web", "--dump-config", home=home)
    assert made.returncode == 0, made.stderr
    harness.fanseek(home, "install", "--profile", "web")
    told = [f"{key}={value}" for key, value in box["settings"].items() if key.endswith(("URL", "RatePerMinute"))]
    harness.fanseek(home, "set", "--profile", "web", *told)
    profile = home / "profiles" / "web"
    shutil.copytree(HERE / "repair", profile / "plugins" / "page")
    patch = profile / "cordis.patch.yml"
    patch.write_text(patch.read_text(encoding="utf-8").replace("[]\n", "") + ROW, encoding="utf-8")
    with harness.web(home) as web:
        yield Site(web, home, box)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def opened(site: Site, browser: Browser) -> Iterator[SettingsPage]:
    """The page of Fanseek's settings, in English; the browser has nothing to complain of when the test ends."""
    with SettingsPage.shown(browser, site) as page:
        yield page
        assert page.complaints == []
