"""The language and country results are wished in, in one form whatever way they were given."""

from __future__ import annotations

import re

import msgspec

from fanseek.contract import locale
from fanseek.contract.locale import country_of
from fanseek.errors import UsageError
from fanseek.types import Note

LONGEST_REGION = 10
ANYWHERE = frozenset({"wt-wt", "all", "any"})
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*(?:[.@][A-Za-z0-9@.-]{1,20})?", re.ASCII)
_REGION = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?|[0-9]{3}", re.ASCII)


class Tongue(msgspec.Struct, frozen=True, kw_only=True):
    """A language as BCP 47 and a country as lower-case ISO 3166 alpha-2; each empty for any."""

    language: str = ""
    region: str = ""
    notes: tuple[Note, ...] = ()


def tongue(language: object, region: object, default_language: str, default_region: str) -> Tongue:
    """What is wished. What names no known language or country is left out, and a note says so. Raises UsageError."""
    spoken, where = _language(language, default_language), _region(region, default_region)
    notes = []
    found = locale(spoken)
    if spoken and not found.language:
        message = f"language {spoken} is not known and was not sent; use a BCP 47 tag such as en or zh-CN"
        notes.append(Note(kind="language_unknown", message=message))
    elif lost := _lost(spoken, found.country):
        message = f"language {spoken} was taken as {found.tag}: {lost} is no country that is known"
        notes.append(Note(kind="language_unknown", message=message))
    country = country_of(where)
    if where and not country:
        message = f"region {where} is not known and was not sent; use a country code such as us"
        notes.append(Note(kind="region_unknown", message=message))
    if not spoken and "-" in where:
        found = locale(where, country)
    return Tongue(language=found.tag, region=country.lower(), notes=tuple(notes))


def _language(given: object, default: str) -> str:
    wanted = default if given is None else given
    if not isinstance(wanted, str) or (wanted.strip() and not _LANGUAGE.fullmatch(wanted.strip(" "))):
        raise UsageError("language must be a code such as en or zh-CN, or empty for any")
    wanted = wanted.strip()
    return "" if wanted.lower() in ANYWHERE else wanted


def _region(given: object, default: str) -> str:
    wanted = default if given is None else given
    if not isinstance(wanted, str) or (wanted.strip() and not _REGION.fullmatch(wanted.strip(" "))):
        raise UsageError(f"region must be a code such as us or cn-zh of at most {LONGEST_REGION} characters, or empty")
    wanted = wanted.strip().replace("_", "-")
    return "" if wanted.lower() in ANYWHERE else wanted


def _lost(spoken: str, country: str) -> str:
    """The country that `spoken` names and nobody knows; empty when it names none."""
    named = re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?[-_]([A-Za-z]{2}|[0-9]{3})", spoken)
    return named[1] if named and not country else ""
