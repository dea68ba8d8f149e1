"""Errors of model vendors' APIs: by the status, by the error's own type, by its words where nothing else tells.

The body is `{"error": {"message", "type", "code"}}`, `{"error": "…"}` or `{"message": "…"}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from fanseek.contract import Failure, FailureKind, Response, by_status, decode, first_text, present, rows
from fanseek_backends._answers import answer_of, quoted

SPENT = re.compile(r"credit balance|insufficient balance|exceeded your current quota|billing", re.IGNORECASE)
MASKED_KEY = re.compile(r"[\w-]*\*{3,}[\w-]*")

KINDS: Mapping[str, FailureKind] = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "invalid_api_key": "auth",
    "billing_error": "quota",
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


class Vendor(msgspec.Struct, frozen=True, kw_only=True):
    """Who is asked, and by which settings, for messages."""

    name: str
    key_setting: str
    model_setting: str


class Trouble(msgspec.Struct):
    """An error as the vendor describes it."""

    message: str = ""
    type: str | None = None
    code: str | None = None


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


def refused(response: Response, vendor: Vendor) -> Failure | None:
    """The failure that a status other than success stands for; None for a success."""
    told = by_status(response)
    if told is None:
        return None
    if not response.body.lstrip().startswith(b"{") or response.is_html:
        return _worded(told.kind, told.message, vendor) if response.status in (401, 402, 429) else told
    trouble = trouble_of(response.body)
    kind = "auth" if response.status == 403 else told.kind
    if response.status == 429 and "insufficient_quota" in (trouble.type, trouble.code):
        kind = "quota"
    if response.status in (400, 403, 429) and SPENT.search(trouble.message):
        kind = "quota"
    return _worded(kind, f"HTTP {response.status}: {quoted(_masked(trouble.message))}", vendor, response.status)


def of_type(trouble: Trouble, vendor: Vendor) -> Failure:
    """An error sent under a status of success."""
    kind = KINDS.get(trouble.type or "")
    if kind in (None, "bad-request"):
        kind = KINDS.get(trouble.code or "") or kind or "server"
    kind = "quota" if SPENT.search(trouble.message) else kind
    said = first_text(trouble.message, trouble.code, trouble.type) or "no reason given"
    return _worded(kind, quoted(_masked(said)), vendor)


def _worded(kind: FailureKind, said: str, vendor: Vendor, status: int = 0) -> Failure:
    """A failure with what a person can do about it."""
    name = vendor.name
    if kind == "auth" and status != 403:
        return Failure(kind=kind, message=f"{name} refused the key: correct it ({vendor.key_setting})")
    if kind == "auth":
        return Failure(kind=kind, message=f"{name} does not allow this to the key ({vendor.key_setting}): {said}")
    if kind == "quota":
        return Failure(kind=kind, message=f"the balance or quota of this {name} key is used up: {said}")
    if kind == "rate-limit":
        return Failure(kind=kind, message=f"the rate limit of this {name} key is reached: wait, or ask less often")
    hint = f" (the model is set by {vendor.model_setting})" if "model" in said.lower() and vendor.model_setting else ""
    return Failure(kind=kind, message=f"{name} reports an error: {said}{hint}")


def _masked(text: str) -> str:
    """`text` without what a vendor shows of a key."""
    return MASKED_KEY.sub("…", text)
