"""The settings in memory: the core's fields, and each backend's own under its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from fanseek.catalogue.language import DEFAULT, Choice
from fanseek.contract import BackendSettings
from fanseek.types import Dedup, Recency


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fanseek settings."""

    num_results: Annotated[
        int, Meta(title="Results", description="How many results a search returns.", ge=1, le=50)
    ] = 8
    concurrency: Annotated[
        int,
        Meta(
            title="Calls at once",
            description="Calls in flight to one backend, over all searches.",
            ge=1,
            le=50,
        ),
    ] = 6
    deadline_ms: Annotated[
        int,
        Meta(
            title="Deadline (ms)",
            description="The most a whole search may take, in milliseconds.",
            ge=100,
            le=600_000,
        ),
    ] = 25_000
    backend_timeout_ms: Annotated[
        int,
        Meta(
            title="Backend timeout (ms)",
            description="The most one backend may take, in milliseconds; scraped and API backends have lower caps.",
            ge=50,
            le=600_000,
        ),
    ] = 30_000
    recency: Annotated[
        Recency, Meta(title="Recency", description="Only results of the last day, week, month or year.")
    ] = "any"
    language: Annotated[
        str,
        Meta(
            title="Language",
            description="BCP 47 tag such as en or zh-CN; empty means any.",
            max_length=35,
            pattern=r"^([A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*)?$(?!\n)",
            examples=["en", "zh-CN"],
        ),
    ] = ""
    region: Annotated[
        str,
        Meta(
            title="Region",
            description="Country as ISO 3166 alpha-2, such as us; empty means any.",
            max_length=10,
            pattern=r"^([A-Za-z]{2}(-[A-Za-z0-9]{1,3})?|[0-9]{3})?$(?!\n)",
            examples=["us", "de"],
        ),
    ] = ""
    time_zone: Annotated[
        str,
        Meta(
            title="Time zone",
            description="Where “today” is: an IANA name; empty means the zone of this machine.",
            max_length=64,
            examples=["Asia/Shanghai", "Europe/Berlin"],
        ),
    ] = ""
    safe_search: Annotated[bool, Meta(title="Safe search", description="Ask backends to leave out adult results.")] = (
        True
    )
    shape_query: Annotated[
        bool,
        Meta(title="Tidy the query", description="Leave out greetings and fillers; what was changed is reported."),
    ] = True
    max_domains: Annotated[
        int,
        Meta(
            title="Domains a list",
            description="How many domains an include or exclude list may name; those beyond are dropped and reported.",
            ge=1,
            le=50,
        ),
    ] = 5
    strict_arguments: Annotated[
        bool,
        Meta(title="Strict arguments", description="Refuse a number out of range instead of using the default."),
    ] = False
    dedup_strategy: Annotated[
        Dedup,
        Meta(
            title="Duplicates",
            description="url: one address is one result; url+title: copies of one text on other sites are one, too.",
        ),
    ] = "url"
    rerank: Annotated[
        bool,
        Meta(title="Rerank", description="Order by the words of the query found in title, text and address."),
    ] = False
    multi_query_enabled: Annotated[
        bool,
        Meta(
            title="Several queries",
            description="Ask a long or compound query also in its parts, and fuse what is found.",
        ),
    ] = False
    deep_coverage: Annotated[
        bool,
        Meta(title="Deep coverage", description="Ask each backend for half as many results more, and more thoroughly."),
    ] = False
    result_telemetry: Annotated[
        bool,
        Meta(title="Backend health line", description="Append how each backend fared to the text of a result."),
    ] = True
    lang: Annotated[
        Choice,
        Meta(
            title="Language of messages",
            description="auto: that of the locale on a command line, else English; results and JSON stay as they are.",
        ),
    ] = DEFAULT
    cache_enabled: Annotated[
        bool, Meta(title="Cache", description="Answer a repeated search from disk while its result is fresh.")
    ] = True
    cache_ttl: Annotated[
        int,
        Meta(
            title="Cache time (s)",
            description="How long a result is fresh, in seconds; one of the last day for 300 at most.",
            ge=1,
            le=86_400,
        ),
    ] = 900
    history_enabled: Annotated[
        bool, Meta(title="History", description="Keep the last 50 searches: query, time, counts; no addresses.")
    ] = True
    breaker_enabled: Annotated[
        bool, Meta(title="Circuit breaker", description="Leave a backend alone after failures in a row.")
    ] = True
    breaker_threshold: Annotated[
        int,
        Meta(title="Failures until open", description="Failures in a row that open the breaker.", ge=1, le=100),
    ] = 3
    breaker_cooldown_ms: Annotated[
        int,
        Meta(
            title="Cool-down (ms)",
            description="How long an open breaker rests a backend, in milliseconds; 0 turns cooling off.",
            ge=0,
            le=86_400_000,
        ),
    ] = 60_000
    proxy: Annotated[
        str,
        Meta(
            title="Proxy",
            description="auto (the system's settings and *_PROXY variables), direct, or a proxy URL.",
            examples=["auto", "direct", "http://127.0.0.1:7890"],
        ),
    ] = "auto"
    backends: Mapping[str, BackendSettings] = msgspec.field(default_factory=dict)
