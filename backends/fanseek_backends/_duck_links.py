"""Where DuckDuckGo's result links lead."""

from __future__ import annotations

import re
from urllib.parse import unquote

OWN_HOST = r"(?:[a-z0-9-]+\.)*duckduckgo\.com\.?"
REDIRECT = re.compile(rf"(?:(?:https?:)?//{OWN_HOST}(?::\d+)?)?/l/?\?([^#]*).*", re.IGNORECASE | re.DOTALL)
OWN = re.compile(rf"(?:https?:)?//(?:[^/?#]*@)?{OWN_HOST}(?::\d*)?(?:[/?#]|\Z)", re.IGNORECASE)
ADVERTISEMENT = re.compile(
    r"[^?#]*\?(?:[^#]*&)?ad_(?:provider|domain|type)=|https?://(?:[a-z0-9-]+\.)*bing\.com/aclick\b", re.IGNORECASE
)


def target(href: str) -> str | None:
    """Where a result's link leads; None for an advertisement and for DuckDuckGo's own pages."""
    redirect = REDIRECT.fullmatch(href)
    if redirect is not None:
        fields = (field.partition("=") for field in redirect[1].split("&"))
        href = next((unquote(value) for name, _, value in fields if name == "uddg"), "")
    url = f"https:{href}" if href.startswith("//") else href
    if not re.match("https?://", url, re.IGNORECASE) or OWN.match(url) or ADVERTISEMENT.match(url):
        return None
    return url
