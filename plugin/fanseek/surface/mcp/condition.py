"""How every backend is doing, as text; what services said themselves stands in a frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import fanseek
from fanseek.catalogue import Lang, said
from fanseek.surface.frame import Frame
from fanseek.surface.text import GAP
from fanseek.text.clean import plain

ASKED = frozenset({"ready", "failing"})


def condition(body: Mapping[str, Any], frame: Frame, lang: Lang) -> str:
    """The routes' status `body` for a reader."""
    rows = body["backends"]
    able = sum(row["state"] in ASKED for row in rows)
    head = said(lang, "mcp.status", version=fanseek.__version__, ready=able, all=len(rows))
    lines = "\n".join(f"- {_line(row, lang)}" for row in rows)
    errors = "\n".join(_errors(rows, lang))
    framed = [f"[{frame.notice(lang)}]", said(lang, "mcp.errors"), frame.around(errors)] if errors else []
    return GAP.join([head, lines, *framed])


def _line(row: Mapping[str, Any], lang: Lang) -> str:
    error, state = row["lastError"] or {}, row["state"]
    code = "mcp.no-key.get" if state == "no-key" and row["keyUrl"] else f"mcp.{state}"
    return said(
        lang,
        code,
        backend=plain(row["id"]),
        kind=said(lang, f"status.{error['outcome']}") if error else "",
        until=row["coolingUntil"],
        key=row["keyName"],
        get=row["keyUrl"],
    )


def _errors(rows: list[Mapping[str, Any]], lang: Lang) -> Iterator[str]:
    for row in rows:
        if (error := row["lastError"]) and row["state"] != "off":
            yield f"- {said(lang, 'remark', backend=plain(row['id']), message=plain(error['message']))}"
