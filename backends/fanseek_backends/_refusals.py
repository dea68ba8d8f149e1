"""What services that need a key say when they do not answer, in words a person can act on."""

from __future__ import annotations

import re

import msgspec

from fanseek.contract import Failure, FailureKind, Response, by_status, present, words
from fanseek_backends._answers import quoted

MEANT: dict[FailureKind, str] = {
    "auth": "{name} refused the key{http}: correct or remove it ({setting})",
    "quota": "the calls or credits of this {name} key are used up{http}: add some, or wait for the next period",
    "rate-limit": "{name} limits how often it may be asked{http}: wait, or ask it less often",
    "bad-request": "{name} does not take this request{http}",
}
FORBIDDEN = "{name} does not accept this key for this{http}: use another ({setting}), or have it allowed there"
MASKED_KEY = re.compile(r"[\w-]*\*{3,}[\w-]*")


class Service(msgspec.Struct, frozen=True):
    """A service as messages name it, and the settings that name its key and its model."""

    name: str
    key_setting: str
    model_setting: str = ""

    def failure(
        self, kind: FailureKind, said: str | None, retry_after: float | None = None, *, status: int = 200
    ) -> Failure:
        """A failure of `kind`, the service's own words quoted behind ours, without what they show of a key."""
        words = FORBIDDEN if (kind, status) == ("auth", 403) else MEANT.get(kind, "{name} reports an error{http}")
        http = f" (HTTP {status})" if status != 200 else ""
        message = words.format(name=self.name, setting=self.key_setting, http=http)
        if said:
            message += f": {quoted(MASKED_KEY.sub('…', said))}"
        if self.model_setting and said and kind == "bad-request" and "model" in said.lower():
            message += f" (the model is set by {self.model_setting})"
        return Failure(kind=kind, message=message, retry_after=retry_after)

    def by_status(self, response: Response, said: str | None) -> Failure | None:
        """The failure a status means where a key travels: 403 is about the key, except on a page."""
        told = by_status(response)
        if told is None or response.is_html or response.status < 400:
            return told
        kind = "auth" if response.status == 403 else told.kind
        return self.failure(kind, said, told.retry_after, status=response.status)


def is_object(response: Response) -> bool:
    """Whether the body begins as a JSON object."""
    return response.body[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def told(raw: msgspec.Raw) -> str | None:
    """The words in an error that may be text, an object with a message, or a list of such; nothing else of it."""
    return _words(msgspec.json.decode(raw)) if present(raw) else None


def _words(tree: object) -> str | None:
    if isinstance(tree, dict):
        parts = [tree.get(name) for name in ("error", "message", "detail", "msg", "code")]
        return next((found for found in map(_words, parts) if found), None)
    if isinstance(tree, list):
        return "; ".join(found for found in map(_words, tree[:3]) if found) or None
    return words(tree)
