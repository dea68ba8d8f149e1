"""The settings page as a test sees it: what is on it, by role and name, and everything that went over the wire."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from harness import Web
from playwright.sync_api import Browser, Locator, Page

LIMIT_MS = 60_000


class Site(NamedTuple):
    """A running harness, its home, and the sandbox its searches go to."""

    web: Web
    home: Path
    box: dict[str, Any]

    def texts(self) -> Iterator[tuple[str, str]]:
        """Every file under the home and every log beside it, by name."""
        for path in self.home.parent.rglob("*"):
            if path.is_file() and "node_modules" not in path.parts:
                yield str(path.relative_to(self.home.parent)), path.read_bytes().decode("utf-8", errors="replace")


class SettingsPage:
    """Fanseek's page among the plugins."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda said: self._heard(said.type, said.text))
        page.on("pageerror", lambda error: self.complaints.append(f"thrown: {error}"))

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{kind}: {text}")

    @classmethod
    @contextmanager
    def shown(cls, browser: Browser, site: Site, locale: str = "en-US") -> Iterator[SettingsPage]:
        context = browser.new_context(locale=locale, viewport={"width": 1180, "height": 900})
        context.set_default_timeout(LIMIT_MS)
        name, _, value = site.web.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": site.web.base}])
        try:
            page = cls(context.new_page())
            page.open(site.web.base)
            yield page
        finally:
            context.close()

    def open(self, base: str) -> None:
        self.page.goto(base)
        plugins = self.page.get_by_text("Plugins", exact=True).or_(self.page.get_by_text("插件", exact=True)).first
        notice = (
            self.page.get_by_role("button", name="Continue").or_(self.page.get_by_role("button", name="继续")).first
        )
        plugins.wait_for()
        self.page.add_locator_handler(notice, notice.click)
        plugins.click()
        self.page.get_by_text("Fanseek", exact=True).first.click()
        self.page.locator("[data-engine]").first.wait_for()

    def setting(self, name: str) -> Locator:
        return self.page.locator(f'[data-setting="{name}"]').locator("input, select, button[role=switch]").first

    def line(self, name: str) -> Locator:
        return self.page.locator(f'[data-setting="{name}"]')

    def engine(self, name: str) -> Locator:
        return self.page.locator(f'[data-engine="{name}"]')

    def said(self, text: str) -> None:
        """Wait until the page says `text` to who can't see it."""
        self.page.locator("[data-said]", has_text=text).wait_for()

    def picture(self, name: str) -> None:
        """Written where FANSEEK_PICTURES says, if it says so."""
        folder = os.environ.get("FANSEEK_PICTURES")
        if folder:
            self.page.screenshot(path=str(Path(folder) / name))
