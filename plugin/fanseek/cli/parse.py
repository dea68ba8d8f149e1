"""`fanseek parse BACKEND FILE`: how a recorded answer would be read, so that anyone can report drift."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fanseek.cli import exits
from fanseek.cli.console import complain, write

if TYPE_CHECKING:
    from fanseek.reading import Reading

LARGEST = 64 * 1024 * 1024
"""Bytes of a payload that are read; no backend's answer is near as large."""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command's arguments."""
    parser = subparsers.add_parser(
        "parse",
        help="say how a recorded answer of a backend would be read",
        description="Read a recorded answer of a backend and print its outcome and how many results it holds.",
    )
    parser.add_argument("backend", metavar="BACKEND", help="name of the backend that sent the answer")
    parser.add_argument("file", metavar="FILE", help="the body of the answer; - reads standard input")
    parser.add_argument("--kind", default="search", help="kind of request that was made (default: search)")
    parser.add_argument("--status", type=int, default=200, metavar="N", help="HTTP status (default: 200)")
    parser.add_argument(
        "--header", action="append", default=[], metavar="K:V", help="a header of the answer; may be repeated"
    )
    parser.add_argument("--json", action="store_true", help="print everything that was read as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print how the payload is read: 0 whatever it says, 2 when it can't be had or read at all."""
    from fanseek.errors import UsageError

    try:
        reading = _reading(args)
    except UsageError as problem:
        complain(str(problem))
        return exits.code_of(problem)
    return write((_json(reading) if args.json else _text(reading)) + "\n")


def _reading(args: argparse.Namespace) -> Reading:
    """Raises UsageError for an argument that names nothing."""
    from datetime import UTC, datetime

    from fanseek import registry
    from fanseek.contract import Response
    from fanseek.errors import UsageError
    from fanseek.reading import read

    known = registry.backends()
    if args.backend not in known:
        raise UsageError(f"unknown backend {args.backend[:40]!r}; known: {', '.join(known)}")
    backend = known[args.backend]
    if args.kind not in backend.operations:
        raise UsageError(f"{backend.name} serves no {args.kind[:40]!r}; it serves: {', '.join(backend.operations)}")
    if not 100 <= args.status <= 999:
        raise UsageError(f"--status {args.status} is no HTTP status")
    response = Response(status=args.status, headers=_headers(args.header), body=_body(args.file))
    return read(backend, backend.operations[args.kind], response, datetime.now(UTC))


def _headers(given: Iterable[str]) -> dict[str, str]:
    from fanseek.errors import UsageError

    found = {}
    for header in given:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise UsageError("--header is given as 'Name: value'")
        found[name.strip().lower()] = value.strip()
    return found


def _body(file: str) -> bytes:
    from fanseek.errors import UsageError

    try:
        if file == "-":
            if sys.stdin is None:
                raise UsageError("can't read -: standard input is closed")
            body = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with Path(file).open("rb") as stream:
                body = stream.read(LARGEST + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise UsageError(f"can't read {file}: {reason}") from problem
    if len(body) > LARGEST:
        raise UsageError(f"{file} has more than {LARGEST // 1024**2} MB")
    return body


def _text(reading: Reading) -> str:
    from fanseek.text.clean import plain

    lines = [f"class={reading.status} results={len(reading.hits)}"]
    lines += [plain(reading.message)] if reading.message else []
    lines += [f"asked again after {reading.retry_after:g} s"] if reading.retry_after is not None else []
    lines += [f"warning: {plain(warning)}" for warning in reading.warnings]
    lines += [f"answer: {plain(reading.answer)}"] if reading.answer else []
    for number, hit in enumerate(reading.hits, start=1):
        lines.append(f"{number}. {hit.title or '(no title)'}")
        lines.append("   " + " · ".join(part for part in (hit.url, hit.published, hit.author) if part))
        lines += [f"   {plain(hit.snippet)[:300]}"] if hit.snippet else []
    return "\n".join(lines)


def _json(reading: Reading) -> str:
    import msgspec

    whole: dict[str, Any] = msgspec.to_builtins(reading)
    whole = {"class": whole.pop("status"), "results": len(reading.hits), **whole}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()
