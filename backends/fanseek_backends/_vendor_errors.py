"""Errors of model vendors' APIs: by the status, by the error's own type, by its words where nothing else tells.

The body is `{"error": {"message", "type", "code"}}`, `{"error": "…"}` or `{"message": "…"}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from fanseek.contract import Failure, FailureKind, Response, by_status, decode, first_text, present, rows, words
from fanseek_backends._answers import answer_of
from fanseek_backends._refusals import Service, is_object

SPENT = re.compile(
    r"credit balance|insufficient balance|exceeded your current quota|(?:billing(?: hard)?|usage|spending) limit",
    re.IGNORECASE,
)

KINDS: Mapping[str, FailureKind] = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "invalid_api_key": "auth",
    "billing_error": "quota",
    "billing_not_active": "quota",
    "billing_hard_limit_reached": "quota",
    "insufficient_quota": "quota",
    "rate_limit_error": "rate-limit",
    "rate_limit_exceeded": "rate-limit",
    "overloaded_error": "server",
    "api_error": "server",
    "server_error": "server",
    "timeout_error": "timeout",
    "invalid_request_error": "bad-request",
    "invalid_prompt": "bad-request",
    "not_found_error": "bad-request",
    "request_too_large": "bad-request",
}
DOUBTFUL = (400, 403, 429)
"""Statuses under which a balance may be used up."""


class Trouble(msgspec.Struct):
    """An error as the vendor describes it."""

    message: str = ""
    type: str | None = None
    code: str | None = None

    @property
    def kinds(self) -> list[FailureKind]:
        """What its code and its type stand for, as far as they are known."""
        return [KINDS[name] for name in (self.code or "", self.type or "") if name in KINDS]


class _Body(msgspec.Struct):
    error: msgspec.Raw = msgspec.Raw()
    message: str = ""


def trouble_of(body: bytes) -> Trouble:
    """The error in `body`, as far as there is one.

    Raises msgspec.DecodeError when the body is no JSON object.
    """
    sent = answer_of(body, _Body)
    if found := rows([sent.error], Trouble):
        return found[0]
    bare = decode(sent.error, object) if present(sent.error) else None
    return Trouble(message=first_text(bare, sent.message) or "")


def refused(response: Response, service: Service) -> Failure | None:
    """The failure that a status other than success stands for; None for a success."""
    told = by_status(response)
    if told is None or not is_object(response):
        return service.by_status(response, None)
    trouble = trouble_of(response.body)
    kind = _doubtful(response.status, told.kind, trouble) if response.status in DOUBTFUL else told.kind
    return service.failure(kind, words(trouble.message), told.retry_after, status=response.status)


def _doubtful(status: int, kind: FailureKind, trouble: Trouble) -> FailureKind:
    """The kind by code or type, by words where these say nothing of balance and pace."""
    for named in ("quota", "rate-limit"):
        if named in trouble.kinds:
            return named
    if SPENT.search(trouble.message):
        return "quota"
    return "auth" if status == 403 else kind


def of_type(trouble: Trouble, service: Service) -> Failure:
    """An error sent under a status of success: by its code, by its type where that says more."""
    told = [kind for kind in trouble.kinds if kind != "bad-request"] or trouble.kinds
    kind: FailureKind = told[0] if told else "server"
    if kind != "rate-limit" and SPENT.search(trouble.message):
        kind = "quota"
    return service.failure(kind, first_text(trouble.message, trouble.code, trouble.type) or "no reason given")
