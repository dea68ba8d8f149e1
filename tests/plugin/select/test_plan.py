"""Who is asked, who is not, and why."""

from __future__ import annotations

import pytest

from fanseek.config.settings import Settings
from fanseek.contract import BackendSettings, Filters, KeyedSettings
from fanseek.errors import NothingUsable, UsageError
from fanseek.guard.breaker import Breaker
from fanseek.guard.keys import Keys
from fanseek.guard.rotation import Rotation
from fanseek.select.plan import plan
from fanseek.select.request import wish
from fanseek.select.wishes import not_applied
from fanseek.state.store import MemoryStore
from scripted import backend


class Keyed(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    api_key_env: str = "SOME_KEY"


FREE = backend("free")
KEYED = backend("keyed", settings=Keyed, needs=("key",))
OPTIONAL = backend("optional", settings=Keyed)
MODEL = backend("model", settings=Keyed, needs=("key",), costs_tokens=True)
ALL = {each.name: each for each in (FREE, KEYED, OPTIONAL, MODEL)}


@pytest.fixture
def breaker():
    return Breaker(MemoryStore(), clock=lambda: 1000.0)


def planned(breaker, *, environment=None, backends=ALL, own=None, **wishes):
    settings = Settings(backends=own or {})
    return laid(breaker, wish(settings, "q", **wishes), settings, backends, Keys(environment or {}))


def laid(breaker, it, settings, backends, keys):
    rotation = Rotation(MemoryStore(), lambda: 1000.0)
    return plan(it, settings, backends, breaker=breaker, keys=keys, rotation=rotation)


def names(it) -> list[str]:
    return [ask.backend.name for ask in it.asked]


def test_by_default_what_needs_no_key_is_asked(breaker):
    it = planned(breaker)
    assert names(it) == ["free", "optional"]
    assert it.skipped == ()


def test_auto_asks_what_has_its_key_but_not_what_costs_tokens(breaker):
    it = planned(breaker, environment={"SOME_KEY": "k"})
    assert names(it) == ["free", "keyed", "optional"]
    assert it.asked[1].settings.key == "k"


def test_on_asks_what_costs_tokens(breaker):
    it = planned(breaker, environment={"SOME_KEY": "k"}, own={"model": Keyed(enabled="on")})
    assert "model" in names(it)


def test_off_is_not_considered(breaker):
    it = planned(breaker, own={"free": BackendSettings(enabled="off")})
    assert names(it) == ["optional"]
    assert it.skipped == ()


def test_b5_switched_on_without_its_key_is_a_soft_failure_with_a_code(breaker):
    it = planned(breaker, own={"keyed": Keyed(enabled="on")})
    assert names(it) == ["free", "optional"]
    (outcome,) = it.skipped
    assert (outcome.backend, outcome.status, outcome.code) == ("keyed", "skipped", "CREDENTIAL_MISSING")
    assert "SOME_KEY" in outcome.message


def test_b6_if_every_candidate_lacks_a_key_the_error_points_to_the_settings(breaker):
    with pytest.raises(NothingUsable, match=r"settings.*keyed.*SOME_KEY"):
        planned(breaker, own={"keyed": Keyed(enabled="on")}, backends={"keyed": KEYED})


def test_nobody_enabled_says_so(breaker):
    with pytest.raises(NothingUsable, match="no backend is enabled"):
        planned(breaker, own={"free": BackendSettings(enabled="off")}, backends={"free": FREE})


def test_named_backends_are_asked_whatever_the_switches_say(breaker):
    settings = Settings(backends={"free": BackendSettings(enabled="off")})
    it = laid(breaker, wish(settings, "q", backends=["keyed", "free"]), settings, ALL, Keys({}))
    assert names(it) == ["free"]
    assert it.skipped[0].code == "CREDENTIAL_MISSING"


def test_an_unknown_name_is_refused_with_the_known_ones(breaker):
    settings = Settings()
    with pytest.raises(UsageError, match=r"'nope'.*known: free, keyed, model, optional"):
        laid(breaker, wish(settings, "q", backends=["free", "nope"]), settings, ALL, Keys({}))


def test_each_is_asked_for_a_margin(breaker):
    """BC-140: cut last; a margin makes up for what merging and filtering take."""
    native = backend("native", filters=Filters(exclude_domains="operator"))
    both = {"free": FREE, "native": native}
    assert [ask.request.limit for ask in planned(breaker, backends=both, max_results=5).asked] == [7, 7]
    it = planned(breaker, backends=both, max_results=5, exclude_domains=["x.test"])
    assert [ask.request.limit for ask in it.asked] == [12, 7]


def rest(breaker, name: str) -> None:
    breaker.record(breaker.begin(name), "blocked")


def test_m1_a_cooling_backend_is_skipped_and_says_until_when(breaker):
    rest(breaker, "free")
    it = planned(breaker)
    assert names(it) == ["optional"]
    (outcome,) = it.skipped
    assert outcome.message == "circuit open (blocked), retry in 900 s"
    assert outcome.retry_after_s == 900
    assert outcome.code == "CHALLENGED"


def test_m3_if_every_candidate_cools_all_are_asked(breaker):
    """BC-059: never empty because nobody was asked."""
    rest(breaker, "free")
    rest(breaker, "optional")
    it = planned(breaker)
    assert names(it) == ["free", "optional"]
    assert it.skipped == ()


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({}, []),
        ({"freshness": "any", "language": "", "safe_search": "moderate"}, []),
        ({"freshness": "week"}, ["freshness week was not applied by deaf, free"]),
        ({"language": "de"}, ["language de was not applied by deaf, free"]),
        ({"region": "us"}, ["region us was not applied by deaf"]),
        ({"safe_search": "strict"}, ["safe search strict was not applied by deaf, free"]),
        ({"include_domains": ["x.test"], "exclude_domains": ["y.test"]}, []),
    ],
)
def test_what_is_not_honoured_is_said_once_per_wish(breaker, wishes, said):
    native = Filters(recency="native", language="operator", region="native", safe_search="native")
    some = {
        "deaf": backend("deaf", filters=Filters(recency="local")),
        "free": backend("free", filters=Filters(region="operator")),
        "hears": backend("hears", filters=native),
    }
    it = planned(breaker, backends=some, **wishes)
    notes = not_applied(wish(Settings(), "q", **wishes).request, it.asked)
    assert [note.message for note in notes] == said
    assert all(note.kind == "not_applied" for note in notes)


@pytest.mark.parametrize(
    ("limit", "deep", "asked"), [(8, False, 10), (1, False, 3), (8, True, 12), (5, True, 8), (50, True, 75)]
)
def test_e5_e10_each_is_asked_for_more_than_wanted(breaker, limit, deep, asked):
    it = planned(breaker, max_results=limit, deep=deep)
    assert {ask.request.limit for ask in it.asked} == {asked}
    assert {ask.request.deep for ask in it.asked} == {deep}


def test_e7_every_backend_is_asked_for_every_variant_the_query_itself_first(breaker):
    settings = Settings(multi_query_enabled=True)
    it = laid(breaker, wish(settings, "sftp vs rsync"), settings, ALL, Keys({}))
    assert [(ask.variant, ask.backend.name, ask.request.query) for ask in it.asked] == [
        (0, "free", "sftp vs rsync"),
        (0, "optional", "sftp vs rsync"),
        (1, "free", "sftp"),
        (1, "optional", "sftp"),
        (2, "free", "rsync"),
        (2, "optional", "rsync"),
    ]
    assert [ask.backend.name for ask in it.first] == ["free", "optional"]
