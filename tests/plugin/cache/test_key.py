"""X10: whatever changes an answer changes its key, and what does not, does not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fanseek.cache import key
from fanseek.cache.key import INDIFFERENT, cache_key
from fanseek.config.settings import Settings
from fanseek.contract import BackendSettings, KeyedSettings
from fanseek.registry import backends
from fanseek.types import SearchRequest

REQUEST = SearchRequest(query="q")
TOLD = {"a": (BackendSettings(), False), "b": (BackendSettings(), False)}
KEY = cache_key(REQUEST, TOLD, Settings())

WISHES: dict[str, Any] = {
    "query": "p",
    "limit": 9,
    "kind": "news",
    "recency": "day",
    "language": "de",
    "region": "de",
    "safe_search": "off",
    "include_domains": ("a.example",),
    "exclude_domains": ("a.example",),
    "today": "2026-12-01",
    "since": "2026-11-01",
    "until": "2026-11-30",
    "deep": True,
}
"""Another value for each field of a request."""

ANOTHER: dict[str, Any] = {
    "shape_query": False,
    "dedup_strategy": "url+title",
    "rerank": True,
    "multi_query_enabled": True,
    "deep_coverage": True,
    "proxy": "http://127.0.0.1:7890",
    "time_zone": "Asia/Tokyo",
}
"""Another value for each setting that changes an answer."""


@pytest.mark.parametrize("field", WISHES)
def test_another_wish_is_another_search(field: str) -> None:
    """L4, X10."""
    assert cache_key(msgspec.structs.replace(REQUEST, **{field: WISHES[field]}), TOLD, Settings()) != KEY


def test_every_field_of_a_request_is_looked_at() -> None:
    assert {*WISHES, "session"} == set(SearchRequest.__struct_fields__)


@pytest.mark.parametrize("field", ANOTHER)
def test_another_strategy_is_another_search(field: str) -> None:
    """X10."""
    assert cache_key(REQUEST, TOLD, Settings(**{field: ANOTHER[field]})) != KEY


def test_every_setting_is_known_to_change_answers_or_not_to() -> None:
    """Fails for a setting that is new: say in `ANOTHER` that it changes answers, or in INDIFFERENT that it doesn't."""
    assert not set(ANOTHER) & INDIFFERENT
    assert {*ANOTHER, *INDIFFERENT} == set(Settings.__struct_fields__)


@pytest.mark.parametrize("field", sorted(INDIFFERENT - {"backends"}))
def test_a_setting_that_changes_no_answer_is_not_in_the_key(field: str) -> None:
    default = getattr(Settings(), field)
    if isinstance(default, bool):
        other: Any = not default
    elif isinstance(default, int):
        other = default + 1
    else:
        other = "day" if field == "recency" else "de"
    assert cache_key(REQUEST, TOLD, Settings(**{field: other})) == KEY


def every_own_setting() -> list[tuple[str, str]]:
    return [
        (name, field.name)
        for name, backend in backends().items()
        for field in msgspec.structs.fields(backend.settings)
        if field.name != "key"
    ]


@pytest.mark.parametrize(("name", "field"), every_own_setting())
def test_another_setting_of_a_backend_is_another_search(name: str, field: str) -> None:
    """Base URLs and models included."""
    own = backends()[name].settings()
    value = getattr(own, field)
    if isinstance(value, bool):
        other: Any = not value
    elif isinstance(value, int | float):
        other = value + 1
    elif isinstance(value, tuple):
        other = (*value, "x")
    else:
        other = f"{value}x"
    changed = msgspec.structs.replace(own, **{field: other})
    before, after = (cache_key(REQUEST, {name: (each, False)}, Settings()) for each in (own, changed))
    assert before != after


def test_the_set_of_backends_and_whether_each_has_a_key() -> None:
    own = KeyedSettings()
    without, some, other = (
        cache_key(REQUEST, {"a": (msgspec.structs.replace(own, key=secret), bool(secret))}, Settings())
        for secret in ("", "one", "two")
    )
    assert without != some == other
    assert cache_key(REQUEST, {"a": TOLD["a"]}, Settings()) != KEY
    assert cache_key(REQUEST, dict(reversed(TOLD.items())), Settings()) == KEY


def test_the_parts_that_are_asked_too_and_their_order() -> None:
    """X10: the parts are made of the query by rules that may change."""
    keys = [cache_key(REQUEST, TOLD, Settings(), parts) for parts in ((), ("a",), ("a", "b"), ("b", "a"))]
    assert len(set(keys)) == 4
    assert keys[0] == KEY


def test_the_session_is_nobodys_business() -> None:
    assert cache_key(msgspec.structs.replace(REQUEST, session="other"), TOLD, Settings()) == KEY


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://u:secret@p.example:1", "http://u:changed@p.example:1", True),
        ("http://u@p.example:1", "http://v@p.example:1", False),
        ("http://p.example:1", "http://p.example:2", False),
        ("auto", "direct", False),
    ],
)
def test_a_proxys_password_changes_nothing(one: str, other: str, same: bool) -> None:
    keys = {cache_key(REQUEST, TOLD, Settings(proxy=proxy)) for proxy in (one, other)}
    assert (len(keys) == 1) is same


def test_a_later_version_of_merging_or_of_the_schema_finds_nothing_old(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("FORM", key.FORM + 1), ("SCHEMA", "fanseek.search/2")):
        with monkeypatch.context() as patch:
            patch.setattr(key, name, value)
            assert cache_key(REQUEST, TOLD, Settings()) != KEY


def test_the_settings_that_change_answers_have_another_value_to_try() -> None:
    for field, value in ANOTHER.items():
        assert value != getattr(Settings(), field), field
