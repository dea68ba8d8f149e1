"""What the web's charset labels mean (encoding.spec.whatwg.org, 4.2), as codecs of the standard library.

A few labels that browsers refuse but pages carry (cp936, eucjp …) are understood too.
"""

from __future__ import annotations

FALLBACK = "cp1252"
"""What a page is read as when nothing speaks for anything else."""

_ISO = "iso-8859-{0} iso8859-{0} iso8859{0} iso_8859-{0} "

_LABELS: dict[tuple[str, ...], str] = {
    ("utf-8",): "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    ("utf-16-le",): "utf-16 utf-16le unicode unicodefeff ucs-2 iso-10646-ucs-2 csunicode",
    ("utf-16-be",): "utf-16be unicodefffe",
    ("cp1252",): _ISO.format(1)
    + "windows-1252 cp1252 x-cp1252 ascii us-ascii ansi_x3.4-1968 latin1 l1 csisolatin1 iso-ir-100 iso_8859-1:1987 "
    "cp819 ibm819 x-user-defined",
    ("cp1254",): _ISO.format(9) + "windows-1254 cp1254 x-cp1254 latin5 l5 csisolatin5 iso-ir-148 iso_8859-9:1989",
    ("cp874",): _ISO.format(11) + "windows-874 dos-874 tis-620",
    ("cp1250",): "windows-1250 cp1250 x-cp1250",
    ("cp1251",): "windows-1251 cp1251 x-cp1251",
    ("cp1253",): "windows-1253 cp1253 x-cp1253",
    ("cp1255",): "windows-1255 cp1255 x-cp1255",
    ("cp1256",): "windows-1256 cp1256 x-cp1256",
    ("cp1257",): "windows-1257 cp1257 x-cp1257",
    ("cp1258",): "windows-1258 cp1258 x-cp1258",
    ("iso8859_2",): _ISO.format(2) + "latin2 l2 csisolatin2 iso-ir-101 iso_8859-2:1987",
    ("iso8859_3",): _ISO.format(3) + "latin3 l3 csisolatin3 iso-ir-109 iso_8859-3:1988",
    ("iso8859_4",): _ISO.format(4) + "latin4 l4 csisolatin4 iso-ir-110 iso_8859-4:1988",
    ("iso8859_5",): _ISO.format(5) + "cyrillic csisolatincyrillic iso-ir-144 iso_8859-5:1988",
    ("iso8859_6",): _ISO.format(6)
    + "arabic csisolatinarabic iso-ir-127 iso_8859-6:1987 asmo-708 ecma-114 iso-8859-6-e iso-8859-6-i",
    ("iso8859_7",): _ISO.format(7) + "greek greek8 csisolatingreek iso-ir-126 iso_8859-7:1987 ecma-118 elot_928",
    ("iso8859_8",): _ISO.format(8)
    + "hebrew visual logical csisolatinhebrew iso-ir-138 iso_8859-8:1988 iso-8859-8-e iso-8859-8-i",
    ("iso8859_10",): _ISO.format(10) + "latin6 l6 csisolatin6 iso-ir-157",
    ("iso8859_13",): _ISO.format(13),
    ("iso8859_14",): _ISO.format(14),
    ("iso8859_15",): _ISO.format(15) + "l9 csisolatin9",
    ("iso8859_16",): _ISO.format(16),
    ("cp866",): "ibm866 cp866 866 csibm866",
    ("koi8_r",): "koi8-r koi8_r koi8 koi cskoi8r",
    ("koi8_u",): "koi8-u koi8-ru",
    ("mac_roman",): "macintosh mac x-mac-roman csmacintosh",
    ("mac_cyrillic",): "x-mac-cyrillic x-mac-ukrainian",
    ("gb18030",): "gb18030 gbk x-gbk cp936 gb2312 gb_2312 gb_2312-80 csgb2312 csiso58gb231280 iso-ir-58 chinese",
    ("big5hkscs", "cp950"): "big5 big5-hkscs cn-big5 csbig5 x-x-big5 big5hkscs cp950",
    ("euc_jp", "euc_jis_2004"): "euc-jp x-euc-jp eucjp cseucpkdfmtjapanese",
    ("iso2022_jp_ext", "iso2022_jp_2004"): "iso-2022-jp csiso2022jp",
    ("cp932",): "shift_jis shift-jis sjis x-sjis ms_kanji ms932 cp932 windows-31j csshiftjis",
    (
        "cp949",
    ): "euc-kr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 cp949 euckr csksc56011987 cseuckr "
    "iso-ir-149",
    ("hz",): "hz-gb-2312",
    ("iso2022_kr",): "iso-2022-kr csiso2022kr",
}

CODECS: dict[str, tuple[str, ...]] = {label: codecs for codecs, labels in _LABELS.items() for label in labels.split()}
"""Codecs by lower-case label, to be tried in this order."""

BY_LANGUAGE: dict[str, tuple[str, ...]] = {
    "zh": ("gb18030", "big5hkscs"),
    "zh-tw": ("big5hkscs", "cp950", "gb18030"),
    "zh-hk": ("big5hkscs", "cp950", "gb18030"),
    "zh-hant": ("big5hkscs", "cp950", "gb18030"),
    "ja": ("euc_jp", "cp932"),
    "ko": ("cp949",),
    "ru": ("cp1251",),
    "uk": ("cp1251",),
    "bg": ("cp1251",),
    "be": ("cp1251",),
    "mk": ("cp1251",),
    "pl": ("iso8859_2",),
    "cs": ("cp1250",),
    "sk": ("cp1250",),
    "sl": ("iso8859_2",),
    "hr": ("cp1250",),
    "hu": ("iso8859_2",),
    "el": ("cp1253",),
    "tr": ("cp1254",),
    "az": ("cp1254",),
    "he": ("cp1255",),
    "ar": ("cp1256",),
    "fa": ("cp1256",),
    "ur": ("cp1256",),
    "lt": ("cp1257",),
    "lv": ("cp1257",),
    "et": ("cp1257",),
    "vi": ("cp1258",),
    "th": ("cp874",),
}
"""What a page in a language (BCP 47, lower-case) was likely written in before UTF-8, to be tried in this order."""
