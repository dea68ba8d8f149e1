"""Languages and countries as callers spell them, read into one form. BCP 47, ISO 639-1, ISO 3166 alpha-2."""

from __future__ import annotations

import re

import msgspec

LANGUAGES = frozenset(
    re.findall(
        "..",
        "aaabaeafakamanarasavayazbabebgbhbibmbnbobrbscachcocrcscucvcydadedvdzeeeleneoeseteufafffifjfofrfygagdglgngugvha"
        "hehihohrhthuhyhziaidieigiiikioisitiujajvkakgkikjkkklkmknkokrkskukvkwkylalblglilnloltlulvmgmhmimkmlmnmrmsmtmyna"
        "nbndnengnlnnnonrnvnyocojomorospapiplpsptqurmrnrorurwsascsdsesgsiskslsmsnsosqsrssstsusvswtatetgthtitktltntotrts"
        "tttwtyugukuruzvevivowawoxhyiyozazhzu",
    )
)
SCRIPTS = {"hans": "CN", "hant": "TW"}
"""Chinese scripts with the country that stands for them where none is named."""


class Locale(msgspec.Struct, frozen=True):
    """A language, lower-case, and a country, upper-case; each may be empty."""

    language: str = ""
    country: str = ""
    script: str = ""


def locale(language: str, region: str) -> Locale:
    """What `language` and `region` say together; the region's own country wins. Unknown languages are left out.

    Tolerates `_`, any case, and country before language (`cn-zh`).
    """
    parts = [part for part in re.split(r"[-_]", language.strip().lower()) if part]
    if len(parts) == 2 and len(parts[1]) == 2 and parts[0] not in LANGUAGES and parts[1] in LANGUAGES:
        parts.reverse()
    spoken = parts[0] if parts and (parts[0] in LANGUAGES or len(parts[0]) == 3) else ""
    if not spoken:
        return Locale(country=_country(region))
    script = next((part for part in parts[1:] if part in SCRIPTS), "")
    country = next((part for part in parts[1:] if re.fullmatch("[a-z]{2}", part)), "")
    return Locale(spoken, _country(region) or _country(country), script)


def _country(region: str) -> str:
    code = region.strip().upper().partition("-")[0]
    if not re.fullmatch("[A-Z]{2}", code):
        return ""
    return {"UK": "GB"}.get(code, code)
