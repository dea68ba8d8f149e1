"""Languages and countries as callers spell them, read into one form. BCP 47, ISO 639, ISO 15924, ISO 3166 alpha-2."""

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
COUNTRIES = frozenset(
    re.findall(
        "..",
        "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCY"
        "CZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISIT"
        "JEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNI"
        "NLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTK"
        "TLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZWXK",
    )
)
THREE_LETTERS: dict[str, str] = dict(
    re.findall(
        "(...)(..)",
        "engenzhozhchizhcmnzhjpnjakorkodeudegerdefrafrfrefrspaesporptitaitrusrunldnldutnlaraarhinhiturtrpolplswesvukruk"
        "vievithath",
    )
)
"""Codes of ISO 639-2 and 639-3 with the shorter ones that BCP 47 wants for them."""

RENAMED = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"}
SCRIPTS = {"hans": "CN", "hant": "TW"}
"""Chinese scripts with the country that stands for them where none is named."""


class Locale(msgspec.Struct, frozen=True):
    """A language and a script, lower-case, and a country, upper-case; each may be empty."""

    language: str = ""
    country: str = ""
    script: str = ""

    @property
    def tag(self) -> str:
        """The BCP 47 tag; empty without a language."""
        return "-".join(filter(None, (self.language, self.script.title(), self.country))) if self.language else ""


def locale(language: str, region: str = "") -> Locale:
    """What `language` and `region` say together; the region's own country wins, and what is unknown is left out.

    Tolerates `_`, any case, encodings (`zh_CN.UTF-8`), and country before language where it can't be read otherwise.
    """
    parts = _parts(language)
    if len(parts) == 2 and not _is_pair(*parts) and _is_pair(parts[1], parts[0]):
        parts.reverse()
    spoken = _language(parts[0]) if parts else ""
    where = country_of(region)
    if not spoken:
        return Locale(country=where)
    script = next((part for part in parts[1:] if re.fullmatch("[a-z]{4}", part)), "")
    return Locale(spoken, where or next(filter(None, map(country_of, parts[1:])), ""), script)


def country_of(region: str) -> str:
    """The country that `region` names, alone or before a language (`cn-zh`) or behind one (`zh-CN`)."""
    first, _, second = re.sub(r"[.@].*", "", region.strip()).replace("_", "-").partition("-")
    written = (second, first) if first.islower() and second.isupper() else (first, second)
    return next((code for each in written if (code := _country(each))), "")


def _parts(tag: str) -> list[str]:
    """The subtags of `tag`, extensions and private use left out."""
    found = [part for part in re.split("[-_]", re.sub(r"[.@].*", "", tag.strip().lower())) if part]
    end = next((at for at, part in enumerate(found) if len(part) == 1), len(found))
    return found[:end]


def _language(code: str) -> str:
    code = RENAMED.get(code, THREE_LETTERS.get(code, code))
    return code if code in LANGUAGES or re.fullmatch("[a-z]{3}", code) else ""


def _country(code: str) -> str:
    code = code.upper()
    return "GB" if code == "UK" else code if code in COUNTRIES else ""


def _is_pair(language: str, country: str) -> bool:
    """Whether these two subtags can be a language of two letters and its script, country or variant."""
    return _language(language) in LANGUAGES and (len(country) != 2 or bool(_country(country)))
