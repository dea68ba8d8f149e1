"""From a response to an outcome: classify, parse, and the rule that emptiness needs a positive sign. Pure."""

from __future__ import annotations

import re
from datetime import datetime

import msgspec

from fanseek.contract import AnyBackend, AnyOperation, Failure, Hit, Parsed, Response
from fanseek.contract.complaint import stated_error
from fanseek.contract.status import by_status, challenge, retry_after
from fanseek.errors import policy_of
from fanseek.text.hits import cited, cleaned, said
from fanseek.text.html import apply
from fanseek.types import Outcome, Status

CHALLENGE_PARTS = re.compile(
    rb"/cdn-cgi/challenge-platform/|\b_cf_chl_opt\b|\bcaptcha-delivery\.com/|"
    rb"action=.?[^ >]*/(?:sorry/index|anomaly\.js)|class=.?(?:g-recaptcha|h-captcha|cf-turnstile)\b|"
    rb"<title>\s*(?:Just a moment\.\.\.|Attention Required! \| Cloudflare)\s*</title>",
    re.IGNORECASE,
)
"""Scripts, forms, widgets and titles of challenges; looked for only in a page that holds no answer."""

DISGUISES = {"format", "server", "auth", "bad-request"}
"""What a challenge may look like by its status alone."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What one response came to: the hits that may be shown, cleaned, in the backend's order."""

    status: Status
    hits: tuple[Hit, ...] = ()
    answer: str | None = None
    citations: tuple[str, ...] = ()
    message: str = ""
    retry_after: float | None = None
    warnings: tuple[str, ...] = ()
    unfinished: str = ""
    """The one of `warnings` that a following part of the answer settles."""

    def outcome(self, backend: str, ms: float) -> Outcome:
        """This reading as the public record of a call that took `ms` milliseconds."""
        policy = policy_of(self.status)
        return Outcome(
            backend=backend,
            status=self.status,
            hits=len(self.hits),
            ms=ms,
            message=self.message,
            code=policy.code if policy else "",
            retryable=bool(policy and policy.retryable),
            retry_after_s=self.retry_after,
            warnings=self.warnings,
        )


def read(backend: AnyBackend, operation: AnyOperation, response: Response, now: datetime | None = None) -> Reading:
    """`response` read by the backend's own rules, else by the generic ones. `now` resolves a Retry-After date.

    Raises nothing but ConfigError, for a selector that is none.
    """
    try:
        if operation.markup is not None and response.is_html:
            response = msgspec.structs.replace(response, page=apply(operation.markup, response))
        failure = challenge(response) or (backend.classify and backend.classify(response)) or by_status(response, now)
        if failure is not None:
            return _failed(failure, response, now)
        parsed = operation.parse(response)
    except (msgspec.DecodeError, ValueError, RecursionError) as problem:
        failure = by_status(response, now)
        return _failed(failure, response, now) if failure else _unreadable(response, str(problem))
    return _read(operation, parsed, response)


def _read(operation: AnyOperation, parsed: Parsed, response: Response) -> Reading:
    hits, answer = cleaned(parsed.hits, html=operation.html_text), said(parsed.answer)
    warnings = (*parsed.warnings, *([parsed.unfinished] if parsed.unfinished else []))
    if hits or answer:
        lost = not hits and not parsed.empty
        if lost:
            warnings = (*warnings, "an answer came, and no result that could be read")
        partial = parsed.failed or lost or (parsed.unfinished and hits)
        return Reading(
            status="partial" if partial else ("ok" if hits else "empty"),
            hits=hits,
            answer=answer,
            citations=cited(parsed.citations, hits),
            warnings=warnings,
            unfinished=parsed.unfinished,
        )
    if parsed.failed:
        count = f"{parsed.failed} item{'s' * (parsed.failed > 1)}"
        return Reading(status="server", message=f"none of {count} could be delivered", warnings=parsed.warnings)
    if parsed.hits:
        return _unreadable(response, f"{len(parsed.hits)} results, none with an http or https address")
    if parsed.empty:
        complaint = stated_error(response)
        return Reading(
            status="server" if complaint else "empty",
            message=f"no results, and an error: {complaint!r}" if complaint else "",
            warnings=warnings,
            unfinished=parsed.unfinished,
        )
    if parsed.unfinished:
        return Reading(status="server", message=f"no result: {parsed.unfinished}", warnings=parsed.warnings)
    return _unreadable(response, "neither results nor a sign that there are none")


def _failed(failure: Failure, response: Response, now: datetime | None) -> Reading:
    if failure.kind in DISGUISES and (blocked := _blocked(response)):
        return blocked
    wait = retry_after(response.headers, now) if failure.retry_after is None else failure.retry_after
    return Reading(status=failure.kind, message=failure.message, retry_after=wait)


def _blocked(response: Response) -> Reading | None:
    """What an unreadable page is when it carries a challenge."""
    if not response.is_html or not CHALLENGE_PARTS.search(response.body):
        return None
    return Reading(status="blocked", message=f"HTTP {response.status}: a bot challenge came instead of an answer")


def _unreadable(response: Response, why: str) -> Reading:
    if blocked := _blocked(response):
        return blocked
    seen = " ".join(response.text[:200].split())
    media = response.content_type or "no content type"
    return Reading(
        status="format",
        message=f"unreadable answer ({media}, {len(response.body)} bytes): {why}; it starts: {seen!r}",
    )
