"""What instances refuse, in words that say what to do."""

from __future__ import annotations

from fanseek.contract import Failure, Response, by_status

INSTANCES = ("https://searx.be", "https://searx.tiekoetter.com", "https://priv.au")
OTHERS = f"try another instance ({', '.join(INSTANCES)}) or one of your own, in searxngBaseURL"
JSON_OFF = "the instance does not give JSON: its owner must add json to search.formats in settings.yml"


def refusal(response: Response) -> Failure | None:
    """A failure by status, in words that say what to do."""
    failure = by_status(response)
    if failure is None or response.headers.get("cf-mitigated"):
        return failure
    kind, message = failure.kind, failure.message
    if response.status == 403:
        kind, message = "auth", f"HTTP 403: {JSON_OFF}, or {OTHERS}"
    elif response.status == 401:
        message = f"HTTP 401: the instance wants a token (searxngApiKeyEnv), or {OTHERS}"
    elif response.status == 429 and b"BLOCKLIST" in response.body[:400]:
        kind, message = "blocked", f"HTTP 429: the instance has blocked this network address; {OTHERS}"
    elif response.status == 429:
        message = f"HTTP 429: the instance limits how often it may be asked; {OTHERS}"
    elif response.status in (301, 308):
        kind, message = "bad-request", f"HTTP {response.status}: the instance lives at another address; correct it"
    elif response.status in (302, 303, 307):
        message = f"HTTP {response.status}: the instance suspects a robot and sends it away; {OTHERS}"
    return Failure(kind=kind, message=message, retry_after=failure.retry_after)
