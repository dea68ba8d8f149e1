"""What is wrong with Fanseek in one profile: whether it is there, selected, starts, sees its keys and has the time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from fanseek.config.settings import Settings
from fanseek.guard.key_file import KeyFile
from fanseek.surface.dsh import credentials, fields, harness, manifest, rows, settings, worker
from fanseek.surface.dsh.files import body
from fanseek.surface.dsh.profile import PACKAGE, PROVIDER, ROW, WEB, Profile
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.remark import Remark, remark
from fanseek.surface.dsh.rows import Rows

TOOL = "tool-web"
HOST_MS = 60_000
"""The harness's own limit for one web_search, which its base profile sets."""

MARGIN_MS = 2000
"""What a search needs beyond its deadline to be handed over."""

PAGE = "@deepseek-ai/dsh-web-app"


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What is examined, and with what."""

    profile: Profile
    environment: Mapping[str, str]
    key_file: KeyFile
    dsh: str | None = None
    """The harness's command, which knows best what it loads."""
    page: bool = True
    """Whether its page is tried too, which takes some seconds."""


def examined(case: Case) -> list[Remark]:
    """All there is to say. Raises Refusal where the profile's own files can't be read."""
    found = list(_files(case))
    if any(one.code in {"absent", "swept"} for one in found):
        return found
    loaded, complaints = _loaded(case)
    found += complaints
    found += _selection(case, loaded)
    found += _worker(case)
    found += _keys(case)
    found += _time(case, loaded)
    return found + list(_page(case))


def _files(case: Case) -> Iterator[Remark]:
    from fanseek import __version__

    profile, held = case.profile, manifest.read(case.profile.manifest)
    name = profile.name
    if not profile.bundle.is_dir():
        code = "swept" if held.listed or held.dependency else "absent"
        yield remark(code, "problem", profile=name)
        return
    if not held.listed:
        yield remark("off", "note", profile=name)
    try:
        version = json.loads(body(profile.bundle / "package.json") or b"").get("version", "-")
    except (ValueError, AttributeError):
        version = "-"
    in_step = body(profile.bundle / fields.FILE) == fields.as_bytes()
    if version != __version__ or not in_step:
        yield remark("outdated", "note", profile=name, theirs=version, ours=__version__)
    else:
        yield remark("installed", "fine", profile=name, version=version)


def _loaded(case: Case) -> tuple[Rows | None, list[Remark]]:
    """The rows that the harness loads, where its command can be asked."""
    if case.dsh is None:
        return None, [remark("no-harness", "note")]
    try:
        loaded, said = harness.composed(case.dsh, case.profile, case.environment)
    except Refusal as problem:
        return None, [remark("harness", "problem", message=problem.fields.get("message", problem))]
    skipped = [line for line in said.splitlines() if "skipping" in line and PACKAGE in line]
    return loaded, [remark("skipped", "problem", message=line[:300]) for line in skipped[:1]]


def _selection(case: Case, loaded: Rows | None) -> Iterator[Remark]:
    """Fact 3.3 of the harness: its own switch writes a row that outranks the bundle's, and nobody tells."""
    own, name = rows.read(case.profile.patch), case.profile.name
    if (loaded or own).head(ROW).get("disabled") is True:
        yield remark("disabled", "problem", profile=name)
    provider: Any
    if loaded is not None:
        provider = (loaded.config(WEB) or {}).get("searchProvider")
    else:
        given = own.config(WEB)
        listed = manifest.read(case.profile.manifest).listed
        provider = given.get("searchProvider") if given is not None else PROVIDER if listed else "-"
    if provider == PROVIDER:
        yield remark("selected", "fine")
    else:
        yield remark("deselected", "problem", provider=provider or "-", profile=name)


def _worker(case: Case) -> Iterator[Remark]:
    from fanseek import __version__

    try:
        python = settings.python_of(case.profile)
        hello = worker.greeted(python)
    except Refusal as problem:
        yield remark("worker", "problem", message=problem, profile=case.profile.name)
        return
    if hello.get("version") != __version__:
        yield remark("other-version", "note", python=python, theirs=hello.get("version"), ours=__version__)
    else:
        yield remark("starts", "fine", python=python, version=hello.get("python"))


def _keys(case: Case) -> Iterator[Remark]:
    """Keys that are somewhere, but not where this profile can see them (fact 5.7)."""
    profile, config = case.profile, settings.given(case.profile)
    resolved = set(credentials.resolved(profile, config, case.environment))
    missing = credentials.names(config) - resolved
    stored = missing & set(credentials.stored(profile.home))
    if stored:
        yield remark("unseen", "problem", names=", ".join(sorted(stored)), profile=profile.name)
    if filed := (missing - stored) & set(case.key_file.held()):
        yield remark("key-file", "note", names=", ".join(sorted(filed)), profile=profile.name)
    if resolved:
        yield remark("keys", "fine", names=", ".join(sorted(resolved)))


def _time(case: Case, loaded: Rows | None) -> Iterator[Remark]:
    """Whether the harness waits as long as a search may take."""
    given = (loaded or rows.read(case.profile.patch)).config(TOOL) or {}
    host = given.get("searchTimeoutMs", HOST_MS)
    own = settings.given(case.profile).get("deadlineMs", Settings().deadline_ms)
    if not all(isinstance(one, int | float) for one in (host, own)):
        return
    if host < own + MARGIN_MS:
        yield remark("hasty", "problem", host=host, own=own, limit=max(100, int(host) - MARGIN_MS))


def _page(case: Case) -> Iterator[Remark]:
    """Fact 0.1 of the harness: the page of the published executable lacks a package."""
    if case.dsh is None or not case.page or PAGE not in manifest.read(case.profile.manifest).bundles:
        return
    if harness.blank_page(case.dsh, case.environment):
        yield remark("blank-page", "note", profile=case.profile.name)
