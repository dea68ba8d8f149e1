"""The JSON objects of the routes, as plain types. None holds a key, and the history's hold no error's text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from fanseek.catalogue import CATALOGUES, Lang, said
from fanseek.catalogue.account import reason, short
from fanseek.config.schema import composed, worded
from fanseek.contract import AnyBackend
from fanseek.engine import Engine
from fanseek.engine.probing import QUERY
from fanseek.errors import NothingUsable
from fanseek.guard.health import BackendStatus
from fanseek.text.instants import iso
from fanseek.types import HEARD, Outcome

State = Literal["ready", "failing", "cooling", "no-key", "off", "costs"]
"""`failing`: asked, and its last calls failed; `costs`: it spends tokens and is not asked before it is set to on."""


async def history_body(engine: Engine) -> dict[str, Any]:
    """`{ok, entries, backends}` of GET /api/websearch/history.

    An entry is `{query, time, resultCount, backendsOk, backendsTotal}`, newest first. A backend that something is
    known of is `{id, ok, ms, at, failCount, cooled}`: how its last real call went, `ms` milliseconds long, at `at`.
    Times are Unix milliseconds; `ms` is null for a call of another process.
    """
    entries = [msgspec.to_builtins(entry) for entry in await engine.history()]
    return {"ok": True, "entries": entries, "backends": [_brief(one) for one in engine.status() if _is_known(one)]}


async def cleared_body(engine: Engine) -> dict[str, Any]:
    """`{ok, cleared}` of POST /api/websearch/history/clear; false where the file can't be removed."""
    cleared = await engine.clear_history()
    return {"ok": cleared, "cleared": cleared}


def status_body(engine: Engine, lang: Lang = "en") -> dict[str, Any]:
    """`{ok, backends}` of GET /api/websearch/status: what a person needs to know of each backend, from memory alone."""
    return {"ok": True, "backends": [_row(engine, one, lang) for one in engine.status()]}


async def probe_body(engine: Engine, backend: str, query: str | None = None, lang: Lang = "en") -> dict[str, Any]:
    """`{ok, backend, outcome, ms, results, message}` of POST /api/websearch/test: one real call of one backend.

    Raises UsageError for a backend there is none of, or a query that can't be asked.
    """
    try:
        outcome = await engine.probe(backend, QUERY if query is None else query)
    except NothingUsable as problem:
        outcome = Outcome(backend=backend, status="skipped", code=problem.code, message=str(problem))
    return {
        "ok": outcome.status in HEARD,
        "backend": backend,
        "outcome": outcome.status,
        "ms": round(outcome.ms),
        "results": outcome.hits,
        "message": _worded(outcome, lang),
    }


def schema_body(backends: Mapping[str, AnyBackend] | None = None) -> dict[str, Any]:
    """`{ok, schema, words}` of GET /api/websearch/schema: every setting of every backend that is installed.

    `words` has what people read of it by language, so that a page changes language by itself.
    """
    return {"ok": True, "schema": composed(backends), "words": {lang: worded(lang, backends) for lang in CATALOGUES}}


def _is_known(one: BackendStatus) -> bool:
    return one.last_status is not None or bool(one.failures) or one.state == "cooling"


def _brief(one: BackendStatus) -> dict[str, Any]:
    return {
        "id": one.name,
        "ok": one.last_status in HEARD if one.last_status else False,
        "ms": None if one.last_ms is None else round(one.last_ms),
        "at": _unix_ms(max(filter(None, (one.last_ok_at, one.last_fail_at)), default=None)),
        "failCount": one.failures,
        "cooled": one.state == "cooling",
    }


def _row(engine: Engine, one: BackendStatus, lang: Lang) -> dict[str, Any]:
    backend = engine.backends[one.name]
    return {
        "id": one.name,
        "enabled": one.enabled,
        "state": _state(engine, one),
        "coolingUntil": iso(one.cooling_until.timestamp()) if one.cooling_until else None,
        "lastError": dict(_last_error(one, lang)) or None,
        "failCount": one.failures,
        "needsKey": one.needs_key,
        "takesKey": bool(one.key_name),
        "keyName": one.key_name or None,
        "keyFound": one.key_found,
        "keyUrl": backend.docs.get_key or None,
        "receives": backend.docs.receives,
    }


def _state(engine: Engine, one: BackendStatus) -> State:
    if not one.enabled:
        own = engine.settings.backends.get(one.name) or engine.backends[one.name].settings()
        if own.enabled == "off":
            return "off"
        return "no-key" if one.needs_key else "costs"
    if one.state == "cooling":
        return "cooling"
    return "failing" if one.state == "degraded" else "ready"


def _last_error(one: BackendStatus, lang: Lang) -> Iterator[tuple[str, Any]]:
    """The last failure while it counts; of another process's, only its kind."""
    kind = one.last_status if one.last_status and one.last_status not in HEARD else one.reason
    if kind:
        yield "outcome", kind
        yield "code", one.last_code
        yield "message", short(one.last_message) or said(lang, f"status.{kind}")
        yield "at", iso(one.last_fail_at.timestamp()) if one.last_fail_at else None


def _worded(outcome: Outcome, lang: Lang) -> str:
    if outcome.status not in HEARD:
        return short(outcome.message) if outcome.status == "skipped" else reason(outcome, lang)
    return said(lang, "routes.answered", results=outcome.hits, ms=round(outcome.ms))


def _unix_ms(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1000)
