"""The generic table from HTTP status to failure, and Retry-After.

Sources: RFC 9110 (15, 10.2.3); the error tables of the backends' contracts, where most of them agree.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from fanseek.contract.exchange import Failure, Response
from fanseek.errors import FailureKind

BY_STATUS: dict[int, FailureKind] = {
    202: "blocked",
    401: "auth",
    402: "quota",
    403: "blocked",
    407: "network",
    408: "timeout",
    418: "blocked",
    429: "rate-limit",
    451: "blocked",
    504: "timeout",
}

CHALLENGE_HEADER = "cf-mitigated"


def by_status(response: Response, now: datetime | None = None) -> Failure | None:
    """The failure a status means by itself, None for success. `now` resolves a Retry-After date."""
    status = response.status
    if (challenged := challenge(response)) is not None:
        return challenged
    if status in BY_STATUS:
        kind = BY_STATUS[status]
    elif 200 <= status < 300:
        return None
    elif status < 400:
        kind = "blocked"
    else:
        kind = "server" if status >= 500 else "bad-request"
    return Failure(kind=kind, message=_said(response), retry_after=retry_after(response.headers, now))


def challenge(response: Response) -> Failure | None:
    """A bot challenge that says so in a header, whatever the status."""
    if response.headers.get(CHALLENGE_HEADER) != "challenge":
        return None
    return Failure(kind="blocked", message=f"HTTP {response.status}: a bot challenge stands in the way")


def _said(response: Response) -> str:
    """The status with the redirect's target or the first words of a plain or JSON body."""
    if 300 <= response.status < 400:
        return f"HTTP {response.status}: redirected, and redirects are not followed"
    body = "" if response.is_html else " ".join(response.text[:400].split())
    return f"HTTP {response.status}: {body[:200]}" if body else f"HTTP {response.status}"


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """The delay the server asked for, in seconds: retry-after-ms, or Retry-After as seconds or HTTP date.

    A date in the past is 0; without `now` a date can't be resolved and is None, as is anything malformed.
    """
    if (millis := _number(headers.get("retry-after-ms", ""))) is not None:
        return millis / 1000
    value = headers.get("retry-after", "").strip()
    if seconds := [_number(part) for part in value.split(",")]:
        said = [one for one in seconds if one is not None]
        if len(said) == len(seconds):
            return max(said)
    if not value or now is None:
        return None
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _number(value: str) -> float | None:
    return float(value) if re.fullmatch(r"[0-9]{1,12}(\.[0-9]{1,6})?", value.strip(), re.ASCII) else None
