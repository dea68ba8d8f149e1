"""What secrets look like in text: where they stand, how they are masked, how vendors shape them.

Each pattern keeps what its groups hold and replaces the rest of its match.
"""

from __future__ import annotations

import re

HIDDEN = "[redacted]"

SECRET_NAME = re.compile(
    r"""
    api_?-?key | access_?-?key | auth_?-?key | subscription | token | secret | passw | passphrase | credential
    | authori[sz]ation | cookie | signature | session | (?:^|[-_.])(?:key|auth|sig|pwd|pass|pw|bearer)$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Names of headers and URL parameters whose values are secret."""

_NAME = r"""(?:
    [\w.-]{0,40}
    (?:api[ _-]?key|access[ _-]?(?:key|token)|auth[_-]?key|token|secret|passw(?:or)?d|passphrase|credential|signature)
    [\w.-]{0,20}
    | (?:[\w.]{1,30}[-_])?key | auth | sig | pwd | pass | pw | session(?:[_-]?id)?
)"""
_VERDICT = r"(?<!invalid)(?<!expired)(?<!missing)(?<!required)(?<!revoked)(?<!denied)(?<!error)(?<!exceeded)(?<!found)"
"""A name that ends so is the code of an error about a secret; what it names is said behind it in words."""

_NEW = r"(?!\[redacted\])"
_COLON = r"""["']?\s*[:=,]\s*+(?:b?["'])?+"""

USERINFO = rf"""(://){_NEW}[^\s/?#@"'<>\[\]]+(@)"""
ODD_PASSWORD = rf"""(:/{{1,2}}){_NEW}[^\s/?#@:"'<>]{{0,80}}:(?!\d{{0,5}}[/?#])[^\s@"'<>]{{1,200}}(@)"""
"""A password with a slash or the like in it, or behind a mistyped scheme; a port and a path are none."""
BARE_USERINFO = rf"""()(?<![\w:/%.@-]){_NEW}[\w.%+~-]{{1,80}}:[^\s/:@"'<>]{{1,200}}(@)(?=[\w\[])"""

PARAMETER = rf"""((?:^|[?&;\#\s("']|%3F|%26){_NAME}(?:=|%3D)){_NEW}[^\s&\#;"'<>)]+?(?=%26|[\s&\#;"'<>)]|$)()"""
AUTHORIZATION = (
    rf"((?:proxy-)?authorization{_COLON}(?:(?:bearer|basic|token|digest)\s++)?+)" + rf"""{_NEW}[^\s"',;<>]+()"""
)
COOKIE = rf"""((?:set-)?cookie{_COLON}){_NEW}[^\r\n"'<>]+()"""
NAMED = (
    rf"""((?<![\w-])(?:x[-_])?(?:{_NAME}|subscription[_-]token){_VERDICT}["']?"""
    rf"""(?:\s+(?:provided|given|used|is|was))?{_COLON}){_NEW}[^\s"',;&<>{{}}()\[\]]{{3,}}()"""
)
SCHEME = rf"""(\b(?:bearer|basic)\s++){_NEW}(?=\S*[\d=+/_]|\S{{20}}|(?-i:\S*[a-z]\S*[A-Z]))[\w.~+/=-]{{6,}}()"""

MASKED = r"""()[\w-]{0,40}(?:\*{3,}|•{3,}|●{3,})[\w-]{0,40}()"""
SHORTENED = r"""()\b[a-z]{2,8}[-_][\w-]{0,40}(?:\.{3,}|…)[\w-]{2,40}()"""
ENDING = rf"""(\b(?:ending|ends?)\s+(?:in|with)[:\s]+["'`(]?){_NEW}[\w-]{{2,12}}()"""
LAST_FOUR = (
    r"""(\blast\s+(?:four|4|few)(?:\s+(?:characters|chars|digits|letters))?(?:\s+(?:are|is|of\s+\w+))?[:\s]+["'`(]?)"""
    rf"""{_NEW}[\w-]{{2,12}}()"""
)

PREFIXED = r"""()\b(?:sk|pk|rk|ak|key)[-_](?=[\w-]*\d|[\w-]{16})[\w-]{6,}()"""
BRANDED = r"""()\b[a-z]{2,8}-(?:[a-z]{2,8}-)?(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{20,}\b()"""
WELL_KNOWN = r"""()\b(?:AIza[\w-]{20,}|gh[a-z]_\w{20,}|AKIA\w{12,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)()"""

SHAPES = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    for pattern in (
        USERINFO,
        ODD_PASSWORD,
        BARE_USERINFO,
        PARAMETER,
        AUTHORIZATION,
        COOKIE,
        NAMED,
        SCHEME,
        MASKED,
        SHORTENED,
        ENDING,
        LAST_FOUR,
        PREFIXED,
        BRANDED,
        WELL_KNOWN,
    )
)


def hidden(text: str) -> str:
    """`text` with `[redacted]` for whatever looks like a secret."""
    for shape in SHAPES:
        text = shape.sub(rf"\g<1>{HIDDEN}\g<2>", text)
    return text
