"""What the panel does, sent to the real executable's /api: settings, keys, routes, and the fence around them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from harness import Web, fanseek, until, web
from model_server import Model, model

from fanseek import registry

CANARY = "brave-canary-00112233445566778899"
ROUTES = (
    ("GET", "/api/websearch/history"),
    ("POST", "/api/websearch/history/clear"),
    ("GET", "/api/websearch/status"),
    ("GET", "/api/websearch/schema"),
    ("POST", "/api/websearch/test"),
)


class Site(NamedTuple):
    """A running harness with Fanseek in it, and the model it asks."""

    web: Web
    home: Path
    model: Model

    def search(self, query: str) -> str:
        """The tool's text of one search that the model asks for."""
        self.model.turns[:] = [[query]]
        self.model.requests.clear()
        self.web.prompt(self.home, query)
        result = until(lambda: self.model.results)[0]
        assert not result["is_error"], result["text"]
        return result["text"]


@pytest.fixture(scope="module")
def site(fresh: Path, tmp_path_factory: pytest.TempPathFactory, box: Any) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("web") / "home"
    shutil.copytree(fresh, home)
    fanseek(home, "install", "--profile", "web")
    fanseek(home, "set", "--profile", "web", *box.assignments)
    with model(["nothing yet"]) as told, web(home, {"DEEPSEEK_BASE_URL": told.url}) as running:
        yield Site(running, home, told)


def sent(site: Site, method: str, path: str, headers: dict[str, str] | None = None, *, cookie: bool = True) -> int:
    body = {"backend": "ddg"} if method == "POST" else None
    return site.web.send(method, path, body, headers, cookie=cookie)[0]


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_the_fence_of_every_route(site: Site, method: str, path: str) -> None:
    """O6, fact 6.2: nobody without the cookie, no page of another site, no other host's name."""
    port = site.web.base.rpartition(":")[2]
    assert sent(site, method, path, cookie=False) == 401
    for hostile in (
        {"Host": "evil.example"},
        {"Host": f"evil.example:{port}"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": site.web.base},
    ):
        assert sent(site, method, path, hostile) == 403, hostile
    assert sent(site, method, path, {"Host": f"localhost:{port}"}) == 401
    assert sent(site, "DELETE", path) in {404, 405}
    assert sent(site, "GET" if method == "POST" else "POST", path) in {404, 405}
    assert sent(site, method, path) == 200
    assert sent(site, method, path, {"Origin": site.web.base, "Sec-Fetch-Site": "same-origin"}) == 200


@pytest.mark.parametrize("path", [path for method, path in ROUTES if method == "POST"])
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_of_another_page_is_refused(site: Site, path: str, kind: str) -> None:
    """O6: the harness itself takes any content type."""
    status, body = site.web.send("POST", path, b'{"backend": "ddg"}', {"Content-Type": kind})
    assert (status, body["ok"]) == (415, False)


def test_a_number_a_switch_and_a_key_count_for_the_next_search(site: Site) -> None:
    """A5, B12: changed over the wire, obeyed without a restart; the key is in the credential store and nowhere else."""
    before = site.search("first of all")
    assert len(set(re.findall(r"(?m)^- \[.*\]\((\S+)\)", before))) == 8
    assert "exa ✓" in before
    assert "brave ✓" not in before
    started = log(site)
    assert site.web.call("credentials/set", ref="BRAVE_API_KEY", value=CANARY)["ok"]
    ops = [set_to("numResults", 3), set_to("enableExa", "off"), set_to("safeSearch", False)]
    changed = site.web.change(*ops, revision=site.web.settings()["revision"])
    assert changed["ok"], changed
    after = site.search("second of all")
    assert len(set(re.findall(r"(?m)^- \[.*\]\((\S+)\)", after))) == 3
    assert "exa" not in re.findall(r"(?m)^\[websearch backends\] (.*)$", after)[0]
    assert "brave ✓" in after
    assert log(site) == started
    assert holders(site.home, CANARY) == {".credentials.yaml"}
    rows = (site.home / "profiles/web/cordis.patch.yml").read_text(encoding="utf-8")
    assert "numResults: 3" in rows
    assert fanseek(site.home, "set", "--profile", "web").stdout.count("numResults = 3") == 1


def test_a_setting_out_of_its_range_is_refused_and_nothing_stored(site: Site) -> None:
    was = site.web.settings()
    for name, value in (
        ("numResults", 51),
        ("numResults", 0),
        ("numResults", 2.5),
        ("numResults", "5"),
        ("recency", "decade"),
        ("language", "no language"),
        ("enableExa", "perhaps"),
        ("safeSearch", "yes"),
    ):
        reply = site.web.change(set_to(name, value))
        assert (reply["ok"], reply["error"]["code"]) == (False, "settings/rejected"), (name, value)
    for name in ("python", "timeoutMs"):
        assert "not volatile" in site.web.change(set_to(name, "/bin/sh"))["error"]["message"]
    assert site.web.settings()["user"] == was["user"]


def test_a_stale_revision_is_refused(site: Site) -> None:
    revision = site.web.settings()["revision"]
    assert site.web.change(set_to("cacheTtl", 60), revision=revision)["ok"]
    reply = site.web.change(set_to("cacheTtl", 61), revision=revision)
    assert (reply["ok"], reply["error"]["code"]) == (False, "settings/conflict")
    assert site.web.settings()["value"]["cacheTtl"] == 60


def test_every_setting_can_be_set_there(site: Site) -> None:
    """B12: a form can be built for all of them."""
    from fanseek.config.options import options

    schema = site.web.settings()["schema"]
    assert set(schema["refs"][str(schema["uid"])]["dict"]) == set(options())


def test_status_test_and_history(site: Site) -> None:
    """O4, O5: how backends stand, one of them asked, what was searched for, and all of it forgotten."""
    status, stood = site.web.send("GET", "/api/websearch/status")
    assert status == 200
    assert {one["id"] for one in stood["backends"]} == set(registry.backends())
    assert CANARY not in str(stood)
    status, tried = site.web.send("POST", "/api/websearch/test", {"backend": "ddg"})
    assert (status, tried["ok"], tried["outcome"]) == (200, True, "ok")
    assert site.web.send("POST", "/api/websearch/test", {"backend": "../x"})[0] == 400
    site.search("kept in the history")
    kept = until(lambda: site.web.send("GET", "/api/websearch/history")[1]["entries"])
    assert kept[0]["query"] == "kept in the history"
    assert "kept in the history" in fanseek(site.home, "history", "--profile", "web").stdout
    assert site.web.send("POST", "/api/websearch/history/clear", {}) == (200, {"ok": True, "cleared": True})
    assert site.web.send("GET", "/api/websearch/history")[1]["entries"] == []


def test_the_schema_is_in_the_language_that_is_asked_for(site: Site) -> None:
    status, found = site.web.send("GET", "/api/websearch/schema?lang=zh")
    assert status == 200
    assert set(found["words"]) >= {"en", "zh"}
    assert "numResults" in found["schema"]["properties"]


def test_deselected_by_the_switch_of_the_harness_and_selected_again(site: Site) -> None:
    """Fact 3.3: its own switch outranks the bundle; the doctor says so, and one command mends it, also while it runs."""
    assert site.web.settings("web")["value"]["searchProvider"] == "unified"
    switched = site.web.change(set_to("searchProvider", "deepseek-search-api"), ns="web")
    assert switched["ok"], switched
    said = fanseek(site.home, "doctor", "--profile", "web", "--no-page", ok=False)
    assert said.returncode == 1
    assert "✗ deepseek-search-api is selected" in said.stdout
    fanseek(site.home, "on", "--profile", "web")
    until(lambda: site.web.settings("web")["value"]["searchProvider"] == "unified")
    assert site.web.settings("web")["value"]["fetchProvider"] == "http"
    site.search("third of all")


def test_switched_off_while_it_runs(site: Site) -> None:
    """B18: with the row off the routes are gone; on again, the doctor finds no fault with it."""
    plugins = site.web.call("pluginManager/listPlugins")["value"]
    ident = next(one["entryId"] for one in plugins if "fanseek-dsh" in str(one))
    off = site.web.call("pluginManager/setPluginEnabled", id=ident, enabled=False)
    assert off["ok"], off
    until(lambda: site.web.send("GET", "/api/websearch/status")[0] == 404)
    said = fanseek(site.home, "doctor", "--profile", "web", "--no-page", ok=False).stdout
    assert "✗ its row is switched off" in said
    fanseek(site.home, "on", "--profile", "web")
    assert "switched off" not in fanseek(site.home, "doctor", "--profile", "web", "--no-page", ok=False).stdout


def test_the_blank_page_of_this_build_is_told(site: Site) -> None:
    """Fact 0.1."""
    from harness import DSH

    said = fanseek(site.home, "doctor", "--profile", "web", "--dsh", DSH).stdout
    assert "- the page of this build of the harness does not load" in said
    assert "✗" not in said


def set_to(name: str, value: Any) -> dict[str, Any]:
    return {"op": "set", "path": [name], "value": value}


def log(site: Site) -> int:
    """How often a worker was started."""
    return (site.home / "cache/websearch/harness.log").read_text(encoding="utf-8").count(" is ready")


def holders(home: Path, text: str) -> set[str]:
    found = [path for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]
    return {str(path.relative_to(home)) for path in found}
