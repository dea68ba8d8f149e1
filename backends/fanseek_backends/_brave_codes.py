"""Languages and countries as Brave's API spells them; a value it does not list is refused."""

from __future__ import annotations

import re

from fanseek.contract import Locale

COUNTRIES = frozenset(
    re.findall(
        "..",
        "ARAUATBEBRCACLDKFIFRDEHKINIDITJPKRMYMXNLNZNOCNPLPTPHRUSAZAESSECHTWTRGBUS",
    )
)
LANGUAGES = frozenset(
    re.findall(
        "..",
        "areubnbgcahrcsdanlenetfifrgldeguhehihuisitknkolvltmsmlmrnbplparorusrskslessvtatethtrukvi",
    )
)
OTHERWISE = {"ja": "jp", "no": "nb", "nn": "nb"}
TRADITIONAL = frozenset({"TW", "HK", "MO"})
PORTUGUESE = frozenset({"PT", "AO", "MZ", "CV", "GW", "ST", "TL"})


def language_of(wished: Locale) -> str:
    """`search_lang` for `wished`, empty where Brave has none for it."""
    if wished.language == "zh":
        return (
            "zh-hant" if wished.script == "hant" or (not wished.script and wished.country in TRADITIONAL) else "zh-hans"
        )
    if wished.language == "pt":
        return "pt-pt" if wished.country in PORTUGUESE else "pt-br"
    if wished.language == "en" and wished.country == "GB":
        return "en-gb"
    spelled = OTHERWISE.get(wished.language, wished.language)
    return spelled if spelled in LANGUAGES or spelled == "jp" else ""
