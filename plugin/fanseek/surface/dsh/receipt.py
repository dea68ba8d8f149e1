"""What was there before, so that it can be there again: kept beside the profile, under the harness's home."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import msgspec

from fanseek.surface.dsh.files import body, put
from fanseek.surface.dsh.profile import Profile
from fanseek.surface.dsh.refusal import Refusal

FILE = "receipt.json"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A file's bytes before us, and the digest of ours; None where there was, or is, no such file."""

    before: bytes | None
    after: str | None


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """One installation."""

    version: str
    """Fanseek's, at that time."""
    way: Literal["copy", "pnpm"]
    python: str
    fetch_provider: str
    made_modules: bool
    """Whether node_modules was not there before."""
    files: dict[str, Kept]

    def was(self, path: Path) -> bytes | None:
        """What the file held before us, if nobody but us has changed it since. Raises KeyError where somebody has."""
        kept = self.files[path.name]
        if digest(body(path)) != kept.after:
            raise KeyError(path.name)
        return kept.before

    def updated(self, path: Path, held: bytes | None) -> Receipt:
        """The receipt after a further change of ours to a file that `held` this before it."""
        kept = self.files.get(path.name)
        if kept is None or digest(held) != kept.after:
            return self
        now = Kept(before=kept.before, after=digest(body(path)))
        return msgspec.structs.replace(self, files={**self.files, path.name: now})


def digest(content: bytes | None) -> str | None:
    """SHA-256."""
    return None if content is None else hashlib.sha256(content).hexdigest()


def read(profile: Profile) -> Receipt | None:
    """The profile's receipt; None where there is none. Raises Refusal."""
    place = profile.own / FILE
    raw = body(place)
    if raw is None:
        return None
    try:
        return msgspec.json.decode(raw, type=Receipt)
    except msgspec.DecodeError:
        raise Refusal("broken-json", file=place, line=1, message="no receipt of ours") from None


def write(profile: Profile, receipt: Receipt) -> None:
    """Keep it."""
    put(profile.own / FILE, msgspec.json.format(msgspec.json.encode(receipt), indent=2) + b"\n")
