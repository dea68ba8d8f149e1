"""The English words, by code."""

from __future__ import annotations

from fanseek.catalogue import en_doctor, en_dsh, en_mcp, en_seam
from fanseek.types import NOTICE

SEARCH = {
    "list-comma": ", ",
    "notice": NOTICE,
    "made-up": "SYNTHETIC: these results were made up by the sandbox; no search engine was asked.",
    "answer": "Answer of {backend}: {text}",
    "found-by": "found by: {backends} ({families} families)",
    "found-by.one": "found by: {backends} ({families} family)",
    "folded.copies": "; also at {domains}",
    "folded.release": "; also in {releases} other release",
    "folded.releases": "; also in {releases} other releases",
    "undated": "undated",
    "cut": "cut to {room} characters: {missing} of {parts} results are not shown",
    "cut.remarks": "cut to {room} characters: remarks are not shown",
    "remark": "{backend}: {message}",
    "reason": "{backend}: {kind}",
    "reason.detail": "{backend}: {kind}: {message}",
    "again": "{reason} (asked again in {wait})",
    "again.meanwhile": "{reason} (asked again in {wait}; {other} can be asked meanwhile)",
    "span.s": "{number} s",
    "span.min": "{number} min",
    "span.h": "{number} h",
    "empty": "{number} backends agree: no results.",
    "empty.one": "1 backend answered: no results.",
    "empty.left-out": "No results: everything that was found was left out, as the search had asked.",
    "degraded": (
        "Nothing was found, but the search was degraded: {missing} of {all} backends failed or were not heard, so this "
        "does not mean that there is nothing; {when}."
    ),
    "when.in": "try again in {wait}",
    "when.later": "try again later",
    "not-made": "The search could not be made: every backend that was asked has failed.",
    "not-made.resting": (
        "The search could not be made: every backend that was asked has failed and now rests. The network, or this "
        "address of yours, may be restricted: wait, or go by a proxy (the setting proxy, FANSEEK_PROXY)."
    ),
    "not-made.unreachable": (
        "The search could not be made: no backend could be reached. The network is down, or a proxy or firewall cuts "
        "connections; fanseek doctor tries the ways there are."
    ),
    "look-at-settings": (
        "{message}; `fanseek config show` says what is set and by whom, --set {switch}=on (or another) turns one on"
    ),
    "try-sandbox": "To see it work without a network, add --sandbox.",
}

KEYS = {
    "keys.kept": "{name}: {slots} kept in {file}",
    "keys.replaced": "{name}: {slots} now kept instead of what was in {file}",
    "keys.removed": "{name}: removed from {file}",
    "keys.unheld": "the key file {file} holds nothing under this name (fanseek keys list)",
    "keys.unwritten": "the key file {file} can't be written: {message}",
    "keys.outranked": "The environment has {names}, which comes first.",
    "keys.ask": "Key for {name} (it is not shown): ",
    "keys.needed": "{name} ({backends}): {found}",
    "keys.optional": "{name} ({backends}, optional): {found}",
    "keys.none": "none",
    "keys.none.get": "none; keys: {get}",
    "keys.place.settings": "settings",
    "keys.place.credentials": "credentials",
    "keys.place.environment": "environment",
    "keys.place.key file": "key file",
    "keys.rests": "; {backend} leaves it alone until {until} ({kind})",
    "keys.unused": "{name}: in the key file, and no backend looks for it",
    "keys.file": "Key file: {file}",
    "keys.file.none": "Key file: {file} (there is none)",
}
"""Of `fanseek keys`."""

RECORDS = {
    "history.none": "No searches are kept.",
    "history.cleared": "The history is empty now.",
    "history.results": "{number} results",
    "history.results.one": "1 result",
    "history.heard": "{ok} of {all} answered",
    "history.unread": "the history {file} can't be read: {reason}",
    "history.uncleared": "the history {file} can't be cleared: {reason}",
    "cache.folder": "folder   {value}",
    "cache.entries": "entries  {value}",
    "cache.size": "size     {value} bytes",
    "cache.hits": "hits     {value}",
    "cache.misses": "misses   {value}",
    "cache.errors": "errors   {value}",
    "cache.removed": "removed  {value}",
    "cache.unusable": "the cache {folder} can't be used: {reason}",
}
"""Of `fanseek history` and `fanseek cache`."""

ROUTES = {
    "routes.answered": "answered: {results} results in {ms} ms",
}
"""Of the routes under /api/websearch/."""

HEALTH = {
    "health.none": "none asked",
    "health.more": "(and {number} more)",
    "health.cached": "cache hit, age {seconds}s",
    "health.cooled": "cooled {seconds}s",
    "health.skipped": "skipped",
    "health.late": "late",
    "health.cancelled": "cancelled",
    "health.asking": "asking {backends}",
}
"""The parts of the line on how each backend fared."""

STATUSES = {
    "status.ok": "ok",
    "status.partial": "partial",
    "status.empty": "empty",
    "status.auth": "auth",
    "status.quota": "quota",
    "status.rate-limit": "rate-limit",
    "status.bad-request": "bad-request",
    "status.blocked": "blocked",
    "status.server": "server",
    "status.timeout": "timeout",
    "status.network": "network",
    "status.format": "format",
    "status.late": "late",
    "status.cancelled": "cancelled",
    "status.skipped": "skipped",
}
"""The vocabulary of outcomes; in English the words are the codes."""

NOTES = {
    "note.empty": "{message}",
    "note.degraded": "{message}",
    "note.synthetic": "{message}",
    "note.stopped": "{message}",
    "note.nothing-usable": "{message}",
    "note.not_applied": "{message}",
    "note.query_rewritten": "{message}",
    "note.sub_queries": "{message}",
    "note.query_cut": "{message}",
    "note.results_clamped": "{message}",
    "note.when_cached": "{message}",
    "note.max_results_out_of_range": "{message}",
    "note.max_chars_per_result_out_of_range": "{message}",
    "note.freshness_inferred": "{message}",
    "note.freshness_filtered": "{message}",
    "note.freshness_unchecked": "{message}",
    "note.time_range_wins": "{message}",
    "note.time_range_ahead": "{message}",
    "note.domains_truncated": "{message}",
    "note.domains_contradict": "{message}",
    "note.domains_widened": "{message}",
    "note.language_unknown": "{message}",
    "note.region_unknown": "{message}",
}
"""A note says in English what it has to say; elsewhere its kind goes before."""

ERRORS = {
    "error.ENGINE_ERROR": "{message}",
    "error.INVALID_ARGUMENTS": "{message}",
    "error.NO_BACKENDS": "{message}",
    "error.ABORTED": "{message}",
    "error.RATE_LIMITED": "{message}",
    "error.CHALLENGED": "{message}",
    "error.TIMEOUT": "{message}",
    "error.NETWORK_ERROR": "{message}",
    "error.PARSER_DRIFT": "{message}",
    "error.CREDENTIAL_MISSING": "{message}",
    "error.KEYS_EXHAUSTED": "{message}",
}

WORDS = {
    **SEARCH,
    **KEYS,
    **RECORDS,
    **ROUTES,
    **HEALTH,
    **STATUSES,
    **NOTES,
    **ERRORS,
    **en_doctor.WORDS,
    **en_dsh.WORDS,
    **en_seam.WORDS,
    **en_mcp.WORDS,
}
