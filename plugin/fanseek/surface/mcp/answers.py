"""What the tools answer. To load this takes half a second, so that is done in the background."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from fanseek.catalogue import Lang, listed, said
from fanseek.catalogue.language import language
from fanseek.engine import Engine
from fanseek.errors import AllFailed, FanseekError
from fanseek.select.clock import here
from fanseek.surface.frame import Frame
from fanseek.surface.mcp.arguments import Arguments
from fanseek.surface.mcp.condition import condition
from fanseek.surface.mcp.service import Manner
from fanseek.surface.routes.bodies import status_body
from fanseek.surface.seam import asked
from fanseek.surface.text import GAP, render
from fanseek.text.clean import plain
from fanseek.text.cut import cut
from fanseek.types import SearchResult

NAME = 80
"""The most characters of an unknown argument's name that are repeated."""


async def search(engine: Engine, given: Arguments, manner: Manner) -> dict[str, Any]:
    """One search, as text that stands alone."""
    lang, wishes = tongue(engine), dict(given.known)
    structured = wishes.pop("structured", False) or manner.structured
    try:
        if "query" not in wishes:
            return failed(said(lang, "mcp.missing"))
        today = here(manner.clock, engine.settings.time_zone) or datetime.now(UTC)
        question = asked(wishes.pop("query"), today.date())
        result = await engine.search(question.query, **{**question.wishes, **wishes})
    except AllFailed as problem:
        return _told(problem.result, engine, given, manner, structured=structured)
    return _told(result, engine, given, manner, structured=structured)


def status(engine: Engine, given: Arguments, manner: Manner) -> dict[str, Any]:
    """How every backend is doing."""
    lang = tongue(engine)
    body = status_body(engine, lang)
    whole = answer(GAP.join([condition(body, Frame(manner.draw()), lang), *_ignored(given, lang)]))
    return {**whole, "structuredContent": body} if given.known.get("structured") or manner.structured else whole


def _told(
    result: SearchResult, engine: Engine, given: Arguments, manner: Manner, *, structured: bool
) -> dict[str, Any]:
    lang = tongue(engine)
    text = render(
        result,
        max_chars=manner.max_chars,
        telemetry=engine.settings.result_telemetry,
        synthetic=manner.synthetic,
        lang=lang,
        frame=Frame(manner.draw()),
    )
    whole = answer(GAP.join([text, *_ignored(given, lang)]))
    if structured:
        whole["structuredContent"] = result.to_dict()
    return {**whole, "isError": True} if result.status == "error" else whole


def answer(text: str) -> dict[str, Any]:
    """A tool's result."""
    return {"content": [{"type": "text", "text": text}]}


def failed(text: str) -> dict[str, Any]:
    """A tool's result that a model should read as an error, and may mend."""
    return {**answer(text), "isError": True}


def refused(problem: Exception, engine: Engine | None) -> dict[str, Any]:
    """`problem` as a tool's result. Of an error that is not ours nothing but its type is told."""
    lang: Lang = tongue(engine) if engine else "en"
    if isinstance(problem, FanseekError):
        return failed(said(lang, f"error.{problem.code}", message=plain(str(problem))))
    return failed(said(lang, "mcp.unexpected", type=type(problem).__name__))


def tongue(engine: Engine, environment: Mapping[str, str] = os.environ) -> Lang:
    """The language of what is ours."""
    return language(engine.settings.lang, environment)


def _ignored(given: Arguments, lang: Lang) -> list[str]:
    names = listed(lang, (cut(plain(name), NAME) for name in given.unknown[:5]))
    return [said(lang, "mcp.ignored", names=names)] if given.unknown else []
