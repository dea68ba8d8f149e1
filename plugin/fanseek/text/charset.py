"""Bytes of a page to text: byte-order mark, header, <meta>, strict UTF-8, the page's language, windows-1252.

Specification: encoding.spec.whatwg.org (4.2, labels); html.spec.whatwg.org (13.2.3, prescan of 1024 bytes).
"""

from __future__ import annotations

import codecs
import re

import msgspec

from fanseek.text.labels import BY_LANGUAGE, CODECS, FALLBACK

PRESCAN = 1024
"""How far into the page a declaration is looked for, in bytes."""

FEW = 3
"""So many undecodable places are damage, not a wrong label."""

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta[\s/]([^>]*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"([^\s/=>\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+))")
_XML = re.compile(rb"\A\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]+)", re.IGNORECASE)
_LANGUAGE = re.compile(rb"<html[^>]*?\slang\s*=\s*[\"']?([A-Za-z]{2,3}(?:-[A-Za-z]{2,8})*)", re.IGNORECASE)
_MULTIBYTE = re.compile(r"[^\x00-\x7f\ufffd]")


class Decoded(msgspec.Struct, frozen=True):
    """A page's text, the codec that read it, and whether nothing but our guess chose that codec."""

    text: str
    encoding: str
    guessed: bool = False


def decode(body: bytes, content_type_header: str = "") -> str:
    """The text of `body`. Never raises; undecodable bytes become U+FFFD."""
    return decoded(body, content_type_header).text


def decoded(body: bytes, content_type_header: str = "") -> Decoded:
    """The text of `body` with how it was read; `content_type_header` is the whole header value."""
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return Decoded(body.decode(encoding, errors="replace").lstrip("\ufeff"), encoding)
    head = body[:PRESCAN]
    for codecs_named in (_of_header(content_type_header), _declared(head)):
        if codecs_named and (read := _as_labelled(body, codecs_named)):
            return read
    return _undeclared(body, head)


def labelled(label: str) -> tuple[str, ...]:
    """The codecs that read what the web calls `label`, best first; none for an unknown label."""
    return CODECS.get(label.strip(" \t\n\f\r").lower(), ())


def _of_header(value: str) -> tuple[str, ...]:
    return next(filter(None, map(labelled, _IN_HEADER.findall(value))), ())


def _declared(head: bytes) -> tuple[str, ...]:
    """The codecs the page itself names. A page readable so far as to name UTF-16 can't be UTF-16."""
    head = _COMMENT.sub(b"", head)
    labels = [_label(meta) for meta in _META.findall(head)] + _XML.findall(head)
    found = next(filter(None, (labelled(label.decode("ascii", errors="replace")) for label in labels)), ())
    return ("utf-8",) if found and found[0].startswith("utf-16") else found


def _label(meta: bytes) -> bytes:
    fields = {name.lower(): b"".join(value) for name, *value in _ATTRIBUTE.findall(meta)}
    if b"charset" in fields:
        return fields[b"charset"]
    if fields.get(b"http-equiv", b"").strip().lower() != b"content-type":
        return b""
    found = _IN_HEADER.search(fields.get(b"content", b"").decode("ascii", errors="replace"))
    return found[1].encode("ascii", errors="replace") if found else b""


def _as_labelled(body: bytes, names: tuple[str, ...]) -> Decoded | None:
    """`body` as its label says, damage replaced; None where a label of UTF-8 is plainly untrue."""
    for name in names:
        text = _strict(body, name)
        if text is not None:
            return Decoded(text, name)
    text = body.decode(names[0], errors="replace")
    if names[0] == "utf-8" and _untrue(text):
        return None
    return Decoded(text, names[0])


def _untrue(text: str) -> bool:
    """Whether text read as UTF-8 is bad in more than a few places and in more than it is good."""
    bad = text.count("\ufffd")
    return bad > FEW and bad > len(_MULTIBYTE.findall(text))


def _strict(body: bytes, name: str) -> str | None:
    """`body` without a replacement; a character cut off at the very end is dropped."""
    try:
        return codecs.getincrementaldecoder(name)("strict").decode(body, final=False)
    except UnicodeError:
        return None


def _undeclared(body: bytes, head: bytes) -> Decoded:
    text = _strict(body, "utf-8")
    if text is not None and (body.isascii() or _MULTIBYTE.search(text)):
        return Decoded(text, "utf-8")
    replaced = body.decode("utf-8", errors="replace")
    if len(_MULTIBYTE.findall(replaced)) > 2 * replaced.count("\ufffd"):
        return Decoded(replaced, "utf-8", guessed=True)
    found = _LANGUAGE.search(head)
    language = found[1].decode("ascii").lower() if found else ""
    for name in BY_LANGUAGE.get(language) or BY_LANGUAGE.get(language.partition("-")[0], ()):
        text = _strict(body, name)
        if text is not None:
            return Decoded(text, name, guessed=True)
    return Decoded(body.decode(FALLBACK, errors="replace"), FALLBACK, guessed=True)
