"""Brave's error bodies and rate headers, read as failures."""

from __future__ import annotations

import re

import msgspec

from fanseek.contract import Failure, FailureKind, Response, present, rows
from fanseek_backends._answers import answer_of, loosely
from fanseek_backends._refusals import Service, is_object

BRAVE = Service("Brave", "braveApiKeyEnv")
DAY_S = 86_400

CODES: dict[str, FailureKind] = {
    "SUBSCRIPTION_TOKEN_INVALID": "auth",
    "SUBSCRIPTION_NOT_FOUND": "auth",
    "OPTION_NOT_IN_PLAN": "auth",
    "RESOURCE_NOT_ALLOWED": "auth",
    "QUOTA_LIMITED": "quota",
    "RATE_LIMITED": "rate-limit",
    "VALIDATION": "bad-request",
}


class Field(msgspec.Struct):
    """One field of a request that was not accepted."""

    loc: list[object] = []


class Meta(msgspec.Struct):
    """What an error carries beside its code."""

    errors: msgspec.Raw = msgspec.Raw()
    quota_limit: float = 0
    quota_current: float = 0


class Error(msgspec.Struct):
    """One error."""

    code: str = ""
    detail: str = ""
    status: int = 0
    meta: msgspec.Raw = msgspec.Raw()


class Refused(msgspec.Struct):
    """An error body: one error, or in the documents' older form several."""

    type: str = ""
    error: msgspec.Raw = msgspec.Raw()
    errors: msgspec.Raw = msgspec.Raw()


def refusal(response: Response) -> Failure | None:
    """The failure that `response` is; None for an answer."""
    if not is_object(response):
        return BRAVE.by_status(response, None)
    body = answer_of(response.body, Refused)
    sent = [body.error] if present(body.error) else loosely(body.errors)
    error = next(iter(rows(sent, Error)), None)
    if error is None and (response.status == 200 and body.type != "ErrorResponse"):
        return None
    return _of(error or Error(), response)


def _of(error: Error, response: Response) -> Failure | None:
    status = error.status if response.status == 200 and error.status else response.status
    told = BRAVE.by_status(msgspec.structs.replace(response, status=status), None)
    kind = _kind(error, CODES.get(error.code) or (told.kind if told else "server"))
    wait = None
    if kind == "rate-limit" and (exhausted := _exhausted(response)):
        wait = exhausted[0][1]
        if any(window >= DAY_S for window, _ in exhausted):
            kind, wait = "quota", None
    said = ": ".join(part for part in (error.code, error.detail) if part)
    own_wait = "retry-after" in response.headers or "retry-after-ms" in response.headers
    return BRAVE.failure(kind, said, None if own_wait else wait, status=status)


def _kind(error: Error, kind: FailureKind) -> FailureKind:
    meta = next(iter(rows([error.meta], Meta)), Meta()) if present(error.meta) else Meta()
    if error.code == "VALIDATION":
        named = [[str(part).lower() for part in field.loc] for field in rows(loosely(meta.errors), Field)]
        return "auth" if ["header", "x-subscription-token"] in named else "bad-request"
    spent = meta.quota_current >= meta.quota_limit > 0
    return "quota" if kind == "rate-limit" and spent else kind


def _exhausted(response: Response) -> list[tuple[float, float]]:
    """The windows with nothing left in them: their length and the wait until they begin anew, in seconds.

    A window whose limit is 0 has none.
    """
    limits, left, resets = (
        _numbers(response.headers.get(f"x-ratelimit-{name}", "")) for name in ("limit", "remaining", "reset")
    )
    spans = [float(span) for span in re.findall(r";\s*w=(\d+)", response.headers.get("x-ratelimit-policy", ""))]
    return [
        (spans[at] if at < len(spans) else reset, reset)
        for at, (limit, remaining, reset) in enumerate(zip(limits, left, resets, strict=False))
        if limit > 0 and remaining <= 0
    ]


def _numbers(listed: str) -> list[float]:
    return [float(part) for part in re.findall(r"\d{1,12}", listed)]
