"""Exa's JSON forms: the fields of them that are read."""

from __future__ import annotations

import msgspec

from fanseek.contract import Stamp


class Result(msgspec.Struct):
    """One result of the JSON forms."""

    url: str
    title: str | None = None
    published: Stamp = msgspec.field(default=None, name="publishedDate")
    author: str | None = None
    highlights: list[object] | None = None
    summary: str | None = None
    text: str | None = None


class Status(msgspec.Struct):
    """How the fetch of one page went."""

    status: str = ""


class Answer(msgspec.Struct):
    """The JSON forms' whole answer; an empty list may have been left out, the request's id never is."""

    request: str = msgspec.field(default="", name="requestId")
    results: msgspec.Raw = msgspec.Raw()
    statuses: msgspec.Raw = msgspec.Raw()
    error: str = ""
    tag: str = ""
