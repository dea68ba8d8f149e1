"""The settings page in the harness's own page: change, store, test, clear, select; by mouse, by keys, in Chinese."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from harness import fanseek, until
from playwright.sync_api import Browser, expect
from settings_page import SettingsPage, Site

CANARY = "brave-canary-5f2d1c0b9a88776655443322"


def held(site: Site, name: str) -> Any:
    return site.web.settings()["value"].get(name)


def test_b12_every_setting_is_on_the_page_with_label_hint_and_default(site: Site, opened: SettingsPage) -> None:
    """B12: built from the schema: every property has a control with a name; a key has a link that opens elsewhere."""
    opened.picture("panel-en.png")
    _, body = site.web.send("GET", "/api/websearch/schema")
    for details in opened.page.locator("[data-engine] details").all():
        details.evaluate("one => { one.open = true }")
    for name, shape in body["schema"]["properties"].items():
        line = opened.line(name)
        words = body["words"]["en"]["properties"][name]
        expect(line, name).to_have_count(1)
        control = opened.setting(name)
        expect(control).to_have_accessible_name(words["title"])
        expect(control).to_have_accessible_description(re.compile(re.escape(words["description"])))
        if "maximum" in shape:
            expect(line).to_contain_text(f"{shape['minimum']} to {shape['maximum']}")
        if shape.get("unit"):
            expect(line).to_contain_text(words["unit"])
    links = opened.page.get_by_role("link", name="Get a key")
    wanted = {
        one["x-get-key-url"].rstrip("/") for one in body["schema"]["properties"].values() if "x-get-key-url" in one
    }
    assert {(link.get_attribute("href") or "").rstrip("/") for link in links.all()} == wanted
    for link in links.all():
        assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")
    for title in body["words"]["en"]["groups"].values():
        expect(opened.page.get_by_role("heading", name=re.compile(f"^{title}")).first).to_be_visible()


def test_a_number_a_switch_and_a_choice_are_stored_at_once_and_taken_back(site: Site, opened: SettingsPage) -> None:
    opened.setting("numResults").fill("12")
    opened.setting("numResults").press("Enter")
    opened.said("“Results” is stored.")
    assert held(site, "numResults") == 12
    before = opened.setting("rerank").get_attribute("aria-checked")
    opened.setting("rerank").click()
    opened.said("“Rerank” is stored.")
    assert held(site, "rerank") is (before == "false")
    opened.setting("recency").select_option("week")
    opened.said("“Recency” is stored.")
    assert held(site, "recency") == "week"
    for name in ("numResults", "rerank", "recency"):
        opened.line(name).get_by_role("button", name=re.compile("^Set .* back")).click()
        until(lambda name=name: name not in (site.web.settings().get("user") or {}))
    expect(opened.setting("numResults")).to_have_value("")


@pytest.mark.parametrize(
    ("name", "typed", "told"),
    [
        ("numResults", "99", "Enter a number, 1 to 50."),
        ("numResults", "2.5", "Enter a whole number."),
        ("numResults", "many", "Enter a number, or nothing"),
        ("language", "not a tag", "not of the right form"),
    ],
)
def test_what_is_not_right_is_told_and_not_stored(
    site: Site, opened: SettingsPage, name: str, typed: str, told: str
) -> None:
    revision = site.web.settings()["revision"]
    opened.setting(name).fill(typed)
    opened.setting(name).blur()
    expect(opened.line(name)).to_contain_text(told)
    expect(opened.setting(name)).to_have_attribute("aria-invalid", "true")
    assert site.web.settings()["revision"] == revision
    opened.setting(name).press("Escape")
    expect(opened.setting(name)).not_to_have_attribute("aria-invalid", "true")


def test_a_stale_revision_is_told_and_the_newer_value_shown(site: Site, opened: SettingsPage) -> None:
    """Somebody else changes the same setting while it is being typed: theirs stays. Another setting is no conflict."""
    field = opened.setting("cacheTtl")
    field.focus()
    field.fill("100")
    assert site.web.change({"op": "set", "path": ["cacheTtl"], "value": 200})["ok"]
    field.press("Enter")
    opened.said("was changed elsewhere in the meantime: it is now 200. Yours, 100, was not stored.")
    assert held(site, "cacheTtl") == 200
    expect(field).to_have_value("200")
    field.fill("300")
    assert site.web.change({"op": "set", "path": ["maxDomains"], "value": 7})["ok"]
    field.press("Enter")
    opened.said("“Cache time (s)” is stored.")
    assert (held(site, "cacheTtl"), held(site, "maxDomains")) == (300, 7)


def test_a_key_goes_to_the_credential_store_and_nowhere_else(site: Site, opened: SettingsPage) -> None:
    brave = opened.engine("brave")
    expect(brave).to_contain_text("needs a key")
    brave.get_by_role("textbox", name="Key of brave").fill(CANARY)
    brave.get_by_role("button", name="Store the key of brave").click()
    opened.said("The key of brave is stored.")
    expect(brave.locator("[data-key-state=there]")).to_have_count(1)
    expect(brave.locator("[data-state]")).to_have_attribute("data-state", "ready")
    expect(brave.get_by_role("textbox", name="Key of brave")).to_have_value("")
    assert CANARY not in opened.page.content()
    brave.get_by_role("button", name="Test brave").click()
    expect(brave.locator("[data-test-result]")).to_contain_text(re.compile(r"\d"))
    holders = [name for name, text in site.texts() if CANARY in text]
    assert holders == ["home/.credentials.yaml"]
    stored = json.dumps(opened.page.evaluate("() => ({...localStorage, ...sessionStorage})"))
    assert CANARY not in stored
    brave.get_by_role("button", name="Remove the key of brave").click()
    opened.said("The key of brave is removed.")
    expect(brave.locator("[data-state]")).to_have_attribute("data-state", "no-key")
    assert not [name for name, text in site.texts() if CANARY in text]


def test_an_engine_is_tested_and_its_state_follows(site: Site, opened: SettingsPage) -> None:
    ddg = opened.engine("ddg")
    ddg.get_by_role("button", name="Test ddg").click()
    expect(ddg.get_by_role("status")).to_contain_text("10")
    expect(ddg.locator("[data-state]")).to_have_attribute("data-state", "ready")
    assert site.web.change({"op": "set", "path": ["ddgBaseURL"], "value": "http://127.0.0.1:9/"})["ok"]
    ddg.get_by_role("button", name="Test ddg").click()
    expect(ddg.locator("[data-last-error]")).to_be_visible()
    expect(ddg.locator("[data-state]")).to_have_attribute("data-state", re.compile("failing|cooling"))
    back = {"op": "set", "path": ["ddgBaseURL"], "value": site.box["settings"]["ddgBaseURL"]}
    assert site.web.change(back)["ok"]


HOSTILE = "<img src=x onerror=alert(1)> \u202eevil\u2066 [a](javascript:alert(1))"


def test_the_history_is_shown_as_text_and_cleared_after_asking(site: Site, opened: SettingsPage) -> None:
    file = site.home / "cache" / "websearch" / "history.json"
    entry = {"query": HOSTILE, "time": 1_700_000_000_000, "resultCount": 3, "backendsOk": 2, "backendsTotal": 4}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([entry]), encoding="utf-8")
    history = opened.page.locator("[data-history]")
    history.get_by_role("button", name="Refresh").click()
    cell = history.locator("td bdi")
    expect(cell).to_contain_text("<img src=x onerror=alert(1)>")
    assert not re.search("[\u202e\u2066]", cell.inner_text())
    assert history.locator("img, a").count() == 0
    expect(history).to_contain_text("2 of 4")
    history.get_by_role("button", name="Clear the history").click()
    expect(history.get_by_role("button", name="Keep them")).to_be_focused()
    history.get_by_role("button", name="Keep them").click()
    assert file.exists()
    history.get_by_role("button", name="Clear the history").click()
    history.get_by_role("button", name="Forget them").click()
    opened.said("The history is cleared.")
    expect(history).to_contain_text("No searches are kept.")
    assert site.web.send("GET", "/api/websearch/history")[1]["entries"] == []


def test_one_click_selects_it_again(site: Site, opened: SettingsPage) -> None:
    """The harness's own switch writes another provider over ours without a word."""
    expect(opened.page.locator("[data-deselected]")).to_have_count(0)
    other = {"op": "set", "path": ["searchProvider"], "value": "deepseek-search-api"}
    assert site.web.change(other, ns="web")["ok"]
    warning = opened.page.locator("[data-deselected]")
    expect(warning).to_contain_text("deepseek-search-api")
    warning.get_by_role("button", name="Use Fanseek").click()
    opened.said("Fanseek is selected again.")
    expect(warning).to_have_count(0)
    assert site.web.settings("web")["value"]["searchProvider"] == "unified"


def test_everything_is_done_with_keys_alone(site: Site, opened: SettingsPage) -> None:
    """From the first control on, by Tab, Enter, Space and arrows; the focus is always seen."""
    keys = opened.page.keyboard
    opened.page.get_by_role("button", name="Refresh").first.focus()

    def tab_to(selector: str) -> None:
        for _ in range(400):
            keys.press("Tab")
            if opened.page.evaluate("one => document.activeElement.matches(one)", selector):
                outline = opened.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", selector
                return
        raise AssertionError(f"no way to {selector} by Tab")

    tab_to('[data-engine="brave"] input[type=password]')
    keys.type(CANARY)
    keys.press("Enter")
    opened.said("The key of brave is stored.")
    tab_to('[data-engine="brave"] summary')
    keys.press("Enter")
    tab_to('[data-setting="braveRatePerMinute"] input')
    tab_to('[data-engine="ddg"] button')
    keys.press("Enter")
    expect(opened.engine("ddg").locator("[data-test-result]")).to_contain_text(re.compile(r"\d"))
    tab_to('[data-setting="numResults"] input')
    keys.type("9")
    keys.press("Tab")
    opened.said("“Results” is stored.")
    assert held(site, "numResults") == 9
    tab_to('[data-setting="safeSearch"] [role=switch]')
    keys.press("Space")
    opened.said("“Safe search” is stored.")
    assert held(site, "safeSearch") is False
    fanseek(site.home, "set", "--profile", "web", "--unset", "numResults", "--unset", "safeSearch")


def test_it_speaks_chinese(site: Site, browser: Browser) -> None:
    _, body = site.web.send("GET", "/api/websearch/schema")
    with SettingsPage.shown(browser, site, "zh-CN") as page:
        expect(page.page.get_by_role("heading", name="引擎", exact=True)).to_be_visible()
        page.picture("panel-zh.png")
        for name, words in body["words"]["zh"]["properties"].items():
            expect(page.line(name)).to_contain_text(words["description"])
        page.setting("numResults").fill("99")
        page.setting("numResults").blur()
        expect(page.line("numResults")).to_contain_text("请填数字，1 到 50。")
        page.setting("numResults").press("Escape")
        page.engine("ddg").get_by_role("button", name="测试 ddg").click()
        expect(page.engine("ddg").locator("[data-test-result]")).to_contain_text(re.compile("[\u4e00-\u9fff]"))
        own = page.page.locator(".fanseek").inner_text()
        assert not re.search(r"\b(Enabled|Refresh|Store|default|needs a key)\b", own)
        assert page.complaints == []
