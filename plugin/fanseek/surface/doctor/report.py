"""What the doctor found, as data. In JSON every finding has a stable code and English words."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from fanseek.catalogue import Lang, said
from fanseek.types import HEARD, Status

SCHEMA = "fanseek.doctor/1"
"""Name and major version. Within a major, fields are only added."""

Level = Literal["fine", "note", "problem"]
"""`problem` is for what keeps a search from working as set, and can be mended."""

Way = Literal["direct", "proxy"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing found. `fields` are what its words are made of, for other languages."""

    code: str
    level: Level = "note"
    message: str
    fields: dict[str, Any] = {}

    def words(self, lang: Lang) -> str:
        """The finding in a person's language."""
        return said(lang, f"doctor.{self.code}", **self.fields)


def finding(code: str, level: Level = "note", /, **fields: Any) -> Finding:
    """The finding that the catalogues word under `doctor.<code>`."""
    return Finding(code=code, level=level, message=said("en", f"doctor.{code}", **fields), fields=fields)


class Probe(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One address of a backend asked by one way."""

    origin: str
    way: Way
    proxy: str = ""
    """The proxy's address without credentials, where the way leads through one."""
    status: Status
    code: str = ""
    ms: float = 0.0
    hits: int = 0
    message: str = ""

    @property
    def answered(self) -> bool:
        """Whether an answer came."""
        return self.status in HEARD


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """One address of a backend: asked the way the settings say, and the other way where that failed by network."""

    probe: Probe
    other: Probe | None = None


class KeyNeed(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The key a backend takes: the name it is looked for under, and where it was found."""

    reference: str
    required: bool
    place: str = ""
    """credentials, environment or key file; empty where there is none."""
    keys: int = 0
    get_key: str = ""


class Checked(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One backend."""

    name: str
    enabled: bool
    switch: str
    """The setting that turns it on and off."""
    key: KeyNeed | None = None
    answers: bool | None = None
    """By the way the settings say; None where it was not asked."""
    addresses: tuple[Address, ...] = ()
    cooling_until: datetime | None = None
    """Until when searches leave it alone."""
    reason: str = ""
    """The kind of failure it is left alone for."""
    findings: tuple[Finding, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All of it. `status`: some backend answers, none does, none was asked, or the settings can't be read."""

    schema: str = SCHEMA
    status: Literal["ok", "none", "unasked", "broken"]
    summary: Finding
    surroundings: tuple[Finding, ...] = ()
    backends: tuple[Checked, ...] = ()
    ms: float = 0.0
    synthetic: bool = False
    """Whether stand-ins of a sandbox were asked."""
