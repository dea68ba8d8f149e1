"""The flags of `fanseek search`, and what they mean as wishes of one search."""

from __future__ import annotations

import argparse
import os
from typing import Any, cast, get_args

from fanseek.cli import origins
from fanseek.cli.sandbox import add_shape, shape, shaping
from fanseek.errors import UsageError
from fanseek.types import Recency, SafeSearch

RECENCY = get_args(Recency)
SAFETY = get_args(SafeSearch)


def define(parser: argparse.ArgumentParser) -> None:
    """Add every flag to `parser`."""
    parser.add_argument("query", nargs="+", metavar="QUERY", help="what to search for; several words are one query")
    wishes = parser.add_argument_group("what is wanted")
    wishes.add_argument("-n", "--max-results", type=int, metavar="N", help="how many results (1 to 50)")
    wishes.add_argument("--backends", type=names, metavar="A,B", help="ask these only")
    wishes.add_argument(
        *("--freshness", "--recency"),
        choices=RECENCY,
        type=str.lower,
        help="only results of the last day, week, month, year",
    )
    wishes.add_argument("--time-range", metavar="FROM..TO", help="only results of these days: 2026-02-20..2026-02-28")
    wishes.add_argument("--language", metavar="TAG", help="such as en or zh-CN")
    wishes.add_argument("--region", metavar="CC", help="country, such as us")
    wishes.add_argument("--safe", choices=SAFETY, type=str.lower, help="leave out adult results")
    wishes.add_argument("--site", action="append", default=[], metavar="DOMAIN", help="only this site; repeatable")
    wishes.add_argument(
        "--exclude-site", action="append", default=[], metavar="DOMAIN", help="not this site; repeatable"
    )
    wishes.add_argument("--deadline-ms", type=float, metavar="MS", help="the most the search may take, in milliseconds")
    wishes.add_argument("--deep", action="store_true", default=None, help="ask for more results, and more thoroughly")
    wishes.add_argument(
        "--multi-query", action="store_true", default=None, help="ask a long or compound query in its parts too"
    )
    wishes.add_argument(
        "--no-shape", dest="shape", action="store_false", default=None, help="leave greetings and commands in the query"
    )
    wishes.add_argument("--no-cache", action="store_true", help="ask anew, even what was asked a moment ago")
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="the whole result as JSON")
    output.add_argument("--max-chars", type=positive, metavar="N", help="cut the text to N characters, between results")
    output.add_argument("--max-chars-per-result", type=int, metavar="N", help="cut each result's text to N characters")
    output.add_argument("--no-telemetry", action="store_true", help="leave out the line on how each backend fared")
    output.add_argument("--strict", action="store_true", help="exit with 5 when some backend failed")
    origins.define(parser)
    made_up = parser.add_argument_group("a search without a network")
    made_up.add_argument("--sandbox", action="store_true", help="ask stand-ins on this machine; results are made up")
    add_shape(cast("argparse.ArgumentParser", made_up))  # a group takes arguments as a parser does


def wishes(arguments: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `Engine.search`, but for the query."""
    return {
        "max_results": arguments.max_results,
        "backends": arguments.backends,
        "max_chars_per_result": arguments.max_chars_per_result,
        "freshness": arguments.freshness,
        "time_range": arguments.time_range,
        "language": arguments.language,
        "region": arguments.region,
        "safe_search": arguments.safe,
        "include_domains": arguments.site,
        "exclude_domains": arguments.exclude_site,
        "deadline_ms": arguments.deadline_ms,
        "shape_query": arguments.shape,
        "multi_query": arguments.multi_query,
        "deep": arguments.deep,
    }


def query(arguments: argparse.Namespace) -> str:
    """The words as one text; bytes that are not in the locale's encoding are read as UTF-8."""
    text = " ".join(arguments.query)
    if any("\udc80" <= sign <= "\udcff" for sign in text):
        return os.fsencode(text).decode("utf-8", errors="replace")
    return text


def stand_in(arguments: argparse.Namespace) -> dict[str, Any] | None:
    """The options of the sandbox that was asked for; None when it was not. Raises UsageError."""
    if arguments.sandbox:
        return shape(arguments)
    if given := shaping(arguments):
        raise UsageError(f"{', '.join(given)}: only with --sandbox")
    return None


def positive(text: str) -> int:
    """A whole number of at least 1, for a flag."""
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError("must be a whole number of at least 1")


def names(text: str) -> list[str]:
    """A list of names with commas between them."""
    return [name for name in (part.strip().lower() for part in text.split(",")) if name]
