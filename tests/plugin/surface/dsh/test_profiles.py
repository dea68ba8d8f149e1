"""Manifests, the credential store, interpreters, and the bundle that ships."""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from importlib.resources import files
from pathlib import Path

import pytest

from fanseek.guard.key_file import KeyFile
from fanseek.surface.dsh import credential_entry, credentials, interpreter, manifest, profile, worker
from fanseek.surface.dsh.contents import contents, patch
from fanseek.surface.dsh.examination import Case, examined
from fanseek.surface.dsh.files import all_or_nothing, body, fill, put, remove
from fanseek.surface.dsh.installation import install
from fanseek.surface.dsh.profile import Profile
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.rows import Rows

BUNDLE = files("fanseek") / "bundles" / "dsh"
CANARY = "sk-canary-1234567890"


@pytest.fixture
def place(tmp_path: Path) -> Profile:
    """A profile as the harness makes it."""
    whole = {"name": "dsh-profile-web", "private": True, "dependencies": {}, "dsh": {"profile": {"bundles": ["base"]}}}
    folder = tmp_path / "home" / "profiles" / "web"
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    (folder / "cordis.patch.yml").write_text("# yours\n[]\n", encoding="utf-8")
    return profile.profile("web", tmp_path / "home")


def test_b2_the_patch_pins_our_provider_and_restates_the_fetch_provider() -> None:
    """B2, as design.md leaves it: nothing is disabled."""
    declared = json.loads((BUNDLE / "package.json").read_text(encoding="utf-8"))["dsh"]["bundle"]["patch"]
    shipped = (BUNDLE / declared).read_bytes()
    for text in (shipped, patch("http").encode()):
        rows = Rows(Path("patch"), text)
        assert rows.config("web") == {"searchProvider": "unified", "fetchProvider": "http"}
        assert re.search(rb"(?m)^- insert:\n    - id: unified-search\n      name: fanseek-dsh$", text)
        assert b"disabled" not in text


def test_the_package_names_files_that_are_there() -> None:
    package = json.loads((BUNDLE / "package.json").read_text(encoding="utf-8"))
    here = contents(python="/p", fetch_provider="http")
    top = {name.partition("/")[0] for name in here}
    assert top - {"package.json"} <= set(package["files"])
    assert package["main"] in here
    assert package["icon"].removeprefix("./") in here
    assert len(here["icon.svg"]) < 256 * 1024
    assert json.loads(here["launch.json"])["python"] == "/p"
    imported = set(re.findall(r"from '(@deepseek-ai/[\w-]+)'", here["index.js"].decode()))
    assert imported == set(package["peerDependencies"])
    english, chinese = (json.loads(here[f"locale/{lang}.json"]) for lang in ("en", "zh"))
    assert english["meta"].keys() == chinese["meta"].keys()


@pytest.mark.parametrize("name", sorted(contents(python="/p", fetch_provider="http")))
def test_a_file_of_the_bundle_is_short(name: str) -> None:
    if name.endswith((".js", ".yml")):
        assert contents(python="/p", fetch_provider="http")[name].count(b"\n") <= 250


def test_the_command_gives_its_worker_the_environment_the_harness_gives() -> None:
    script = (BUNDLE / "shim" / "environment.js").read_text(encoding="utf-8")
    listed = re.search(r"new Set\(\[(.*?)\]\)", script, re.DOTALL)
    assert listed
    assert set(re.findall(r"'(\w+)'", listed[1])) == worker.KEPT
    given = {"PATH": "/bin", "https_proxy": "p", "TAVILY_API_KEY": CANARY, "DSH_HOME": "/h", "FANSEEK_LANG": "zh"}
    assert worker.environment(given) == {"PATH": "/bin", "https_proxy": "p", "PYTHONUTF8": "1", "PYTHONSAFEPATH": "1"}


def test_the_home_is_named_by_flag_or_variable(tmp_path: Path) -> None:
    assert profile.home_of({"DSH_HOME": str(tmp_path)}) == tmp_path
    assert profile.home_of({"DSH_HOME": str(tmp_path)}, "/other") == Path("/other")
    assert profile.home_of({"DSH_HOME": "  "}).name == ".dsh"


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "node_modules"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refusal, match="can't be the name"):
        profile.profile(name, tmp_path)


def test_a_manifest_keeps_its_form(place: Profile) -> None:
    for text in ('{"dsh":{"profile":{"bundles":["b"]}}}', '{\n\t"a": "é",\n\t"dsh": {"profile": {"bundles": []}}\n}\n'):
        place.manifest.write_text(text, encoding="utf-8")
        new = manifest.read(place.manifest).with_bundle("file:x")
        again = manifest.Manifest(place.manifest, new)
        assert again.listed
        assert again.with_bundle("file:x") == new
        assert json.loads(again.without_package()) == {**json.loads(text), "dependencies": {}}
        assert new.endswith(b"\n") == text.endswith("\n")
        assert ("\t" in text) == (b"\n\t" in new)


def test_a_key_is_kept_in_the_store_and_what_was_there_stays(tmp_path: Path) -> None:
    store = tmp_path / credentials.FILE
    before = "version: 1\nrecords:\n  a/b:\n    refs: no\n    secret: x\nrefs:\n  # mine\n  OTHER_KEY: o\n"
    store.write_text(before, encoding="utf-8")
    credential_entry.keep(tmp_path, "NEW_KEY", CANARY)
    credential_entry.keep(tmp_path, "NEW_KEY", CANARY + '"\\x: #')
    assert credentials.stored(tmp_path) == {"OTHER_KEY": "o", "NEW_KEY": CANARY + '"\\x: #'}
    assert store.read_text(encoding="utf-8").startswith(before)
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    credential_entry.keep(tmp_path, "NEW_KEY", None)
    assert store.read_text(encoding="utf-8") == before
    credential_entry.keep(tmp_path, "OTHER_KEY", None)
    assert credentials.stored(tmp_path) == {}
    assert not list(tmp_path.glob("*.lock"))


def test_a_store_is_made_where_there_is_none(tmp_path: Path) -> None:
    credential_entry.keep(tmp_path, "A_KEY", "a")
    assert (tmp_path / credentials.FILE).read_text(encoding="utf-8") == 'version: 1\nrefs:\n  A_KEY: "a"\n'


def test_two_writers_of_the_store_lose_no_key(tmp_path: Path) -> None:
    def write(name: str) -> None:
        credential_entry.keep(tmp_path, name, name.lower())

    writers = [threading.Thread(target=write, args=(f"KEY_{number}",)) for number in range(8)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert set(credentials.stored(tmp_path)) == {f"KEY_{number}" for number in range(8)}


def test_a_copy_of_a_tool_is_disposable_and_a_checkout_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, outside = tmp_path / "cache" / "tool", Path("/usr/local/lib/somewhere")
    environment = {"UV_CACHE_DIR": str(tmp_path / "cache")}
    monkeypatch.setattr(interpreter, "_editable", lambda: False)
    assert interpreter.disposable(environment, inside)
    assert not interpreter.disposable(environment, outside)
    monkeypatch.undo()
    assert not interpreter.disposable(environment, inside), "this one is installed from its checkout"


def test_files_change_all_or_not_at_all(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"1")

    def fail() -> None:
        with all_or_nothing(one, two):
            put(one, b"changed")
            put(two, b"new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (body(one), body(two)) == (b"1", None)


def test_a_folder_is_exchanged_whole_and_never_written_into(tmp_path: Path) -> None:
    """pnpm may have linked its files to those of its store."""
    folder, store = tmp_path / "folder", tmp_path / "store.js"
    store.write_bytes(b"of the store")
    folder.mkdir()
    os.link(store, folder / "index.js")
    fill(folder, {"index.js": b"new", "a/b.js": b"deep"})
    assert store.read_bytes() == b"of the store"
    assert {path.name: path.read_bytes() for path in folder.rglob("*.js")} == {"index.js": b"new", "b.js": b"deep"}
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".")] == []


def test_the_doctor_compares_the_patience_of_the_harness_with_ours(place: Profile, tmp_path: Path) -> None:
    """HF5: the harness must not give up before the search does."""
    install(place, "/no/such/python")
    case = Case(profile=place, environment={}, key_file=KeyFile(tmp_path / "keys.json"), page=False)

    def hasty() -> list[str]:
        return [one.message for one in examined(case) if one.code == "hasty"]

    assert not hasty()
    with place.patch.open("a", encoding="utf-8") as file:
        file.write("- id: tool-web\n  config:\n    searchTimeoutMs: 20000\n")
    place.patch.write_text(place.patch.read_text(encoding="utf-8").replace("[]\n", ""), encoding="utf-8")
    assert "gives up after 20000 ms, a search may take 25000 ms: set deadlineMs to at most 18000" in hasty()[0]
    assert {one.code: one.level for one in examined(case)}["worker"] == "problem"


def test_the_doctor_knows_a_package_that_was_swept_out_or_is_old(place: Profile, tmp_path: Path) -> None:
    case = Case(profile=place, environment={}, key_file=KeyFile(tmp_path / "keys.json"), page=False)
    assert [one.code for one in examined(case)] == ["absent"]
    install(place, "/no/such/python")
    (place.bundle / "fields.json").write_text("{}", encoding="utf-8")
    assert "outdated" in [one.code for one in examined(case)]
    remove(place.bundle)
    assert [one.code for one in examined(case)] == ["swept"]
