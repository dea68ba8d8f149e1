"""The tables of backends in the READMEs, from the registry. `python -m fanseek.surface.table FILE…` fills them in.

A table stands between `<!-- backends: NAME -->` and `<!-- end -->`: who gets the query (receivers), and how far each
wish is honoured, in English (abilities) or Chinese (abilities zh).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from fanseek.config.options import Option, options
from fanseek.contract import AnyBackend
from fanseek.registry import backends as registered

PLACE = re.compile(r"(<!-- backends: (receivers|abilities|abilities zh) -->\n).*?(<!-- end -->)", re.DOTALL)
FILTERS = (
    "max_results",
    "recency",
    "date_range",
    "language",
    "region",
    "safe_search",
    "include_domains",
    "exclude_domains",
)

ENGLISH: Mapping[str, str] = {}
CHINESE: Mapping[str, str] = {
    "engine": "引擎",
    "kinds": "种类",
    "cap, s": "时限 s",
    "max results": "结果数",
    "recency": "时效",
    "date range": "日期范围",
    "language": "语言",
    "region": "地区",
    "safe search": "安全搜索",
    "include domains": "只要域名",
    "exclude domains": "排除域名",
    "checked": "核对日期",
    "native": "原生",
    "operator": "运算符",
    "local": "本地",
    "none": "无",
}


def filled(text: str, backends: Mapping[str, AnyBackend] | None = None) -> str:
    """`text` with every table in it as the code has it."""
    known = registered() if backends is None else backends
    tables = {
        "receivers": receivers(known),
        "abilities": abilities(known),
        "abilities zh": abilities(known, CHINESE),
    }
    return PLACE.sub(lambda at: f"{at[1]}{tables[at[2]]}{at[3]}", text)


def receivers(backends: Mapping[str, AnyBackend]) -> str:
    """Who gets the query, with which key, within which limits."""
    head = ["engine", "who receives the query", "family", "key", "limit or price"]
    lines = [
        [f"`{name}`", one.docs.receives, one.family, _key(one, backends), one.docs.limits]
        for name, one in backends.items()
    ]
    return _table(head, lines)


def _key(backend: AnyBackend, backends: Mapping[str, AnyBackend]) -> str:
    """The variable of its key and where to get one; what else is needed, or can stand in for it."""
    variable, own = (
        getattr(backend.settings(), "api_key_env", ""),
        {one.field: one.key for one in _own(backend, backends)},
    )
    if not variable:
        return "none"
    link = f" ([get one]({backend.docs.get_key}))" if backend.docs.get_key else ""
    if "key" not in backend.needs:
        return f"optional: `{variable}`{link}"
    keyless = f", or `{own['keyless']}`" if "keyless" in own else ""
    switch = f", and `{own['enabled']}` on" if backend.costs_tokens else ""
    return f"`{variable}`{link}{keyless}{switch}"


def abilities(backends: Mapping[str, AnyBackend], words: Mapping[str, str] = ENGLISH) -> str:
    """What each can be asked, within which time, and how far it honours each wish."""
    titles = ["engine", "kinds", "cap, s", *(name.replace("_", " ") for name in FILTERS), "checked"]
    lines = [
        [f"`{name}`{made}", *_abilities(backend, words)]
        for name, known in backends.items()
        for made, backend in _variants(known, backends)
    ]
    return _table([words.get(title, title) for title in titles], lines)


def _abilities(backend: AnyBackend, words: Mapping[str, str]) -> list[str]:
    search = backend.operations["search"]
    supports: list[str] = [getattr(search.filters, name) for name in FILTERS]
    honoured = [words.get(support, support) for support in supports]
    if search.most_results:
        honoured[0] += f" (≤ {search.most_results})"
    return [", ".join(backend.operations), f"{backend.cap_s:g}", *honoured, backend.docs.checked]


def _variants(backend: AnyBackend, backends: Mapping[str, AnyBackend]) -> Iterator[tuple[str, AnyBackend]]:
    """The backend, and what one setting of its makes another backend of it, with the setting as a remark."""
    plain = backend.set_by(backend.settings())
    yield "", plain
    for option in _own(backend, backends):
        for value in _choices(option) if backend.as_set else ():
            made = backend.set_by(msgspec.structs.replace(backend.settings(), **{option.field: value}))
            if made != plain:
                yield f" (`{option.key}={value}`)", made


def _choices(option: Option) -> Sequence[Any]:
    bare = option.type.__origin__ if hasattr(option.type, "__metadata__") else option.type
    return get_args(bare) if get_origin(bare) is Literal else ()


def _own(backend: AnyBackend, backends: Mapping[str, AnyBackend]) -> list[Option]:
    return [option for option in options(backends).values() if option.backend == backend.name]


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---"] * len(head), *lines))


if __name__ == "__main__":
    for place in map(Path, sys.argv[1:]):
        place.write_text(filled(place.read_text(encoding="utf-8")), encoding="utf-8")
