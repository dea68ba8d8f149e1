"""Other forms of one document on one site: `a.md`, `a.html` and `a`; `b/index.html` and `b`."""

from __future__ import annotations

import re

_FORM = re.compile(r"(?<=[^/])(?:\.(?:html?|xhtml|mdx?))+$", re.IGNORECASE)
_INDEX = re.compile(r"/index$", re.IGNORECASE)


def document(page: str) -> str:
    """The canonical key `page` without what only tells the form of the document."""
    place, mark, query = page.partition("?")
    host, slash, path = place.removeprefix("//").partition("/")
    bare = _FORM.sub("", slash + path)
    if "#" in page or bare == slash + path:
        return page
    return f"//{host}{_INDEX.sub('', bare) or '/'}{mark}{query}"
