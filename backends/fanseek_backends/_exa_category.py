"""The category a query plainly asks for, in Exa's words; empty where it asks for none, or for several."""

from __future__ import annotations

import re

_SIGNS = {
    "github": r"\bgithub\b|\bopen[- ]source (?:repo|repository|repositories|projects?)\b|\bsource code (?:of|for)\b|"
    "开源项目|开源仓库|代码仓库",
    "publication": r"\barxiv\b|\b(?:research|academic|scientific|peer[- ]reviewed) (?:papers?|articles?)\b|"
    r"\bjournal articles?\b|\bpreprints?\b|\bdoi:|论文|学术文献",
    "news": r"\b(?:latest|breaking|today'?s|recent|current) (?:[\w-]+ ){0,2}news\b|"
    r"\bnews (?:about|on|today|headlines)\b|\bheadlines\b|新闻|头条",
}
SIGNS = {name: re.compile(signs, re.IGNORECASE) for name, signs in _SIGNS.items()}
OTHERS = re.compile(r"\b(?:hacker|fake) news\b|\bsite:", re.IGNORECASE)
"""Names that only sound like one, and queries that say themselves where to look."""


def category(query: str) -> str:
    """One of Exa's categories, where the query leaves no doubt."""
    found = [name for name, signs in SIGNS.items() if signs.search(query)]
    return found[0] if len(found) == 1 and not OTHERS.search(query) else ""
