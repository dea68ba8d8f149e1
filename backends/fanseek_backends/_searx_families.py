"""Which index stands behind each engine of a SearXNG instance."""

from __future__ import annotations

BEHIND = {
    "bing": "bing duckduckgo ddg ecosia yahoo qwant lilo swisscows metager",
    "google": "google startpage leta",
    "brave": "brave karmasearch",
    "yandex": "yandex ya",
    "baidu": "baidu",
    "sogou": "sogou",
    "mojeek": "mojeek",
    "wikimedia": "wikipedia wikidata wikinews wikibooks wikiquote wikisource wikispecies wikiversity wikivoyage "
    "wiktionary wikicommons",
}
"""Index family: first words of the names of engines that search it. Any other engine is an index of its own."""

FAMILIES = {engine: family for family, engines in BEHIND.items() for engine in engines.split()}


def family_of(engine: str) -> str:
    """The family of an engine's name, such as `bing images` or `wikicommons.images`."""
    name = engine.strip().lower()
    first = name.replace(".", " ").replace("_", " ").split()[0] if name else ""
    return FAMILIES.get(first, name)
