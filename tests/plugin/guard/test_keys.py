"""Keys by reference: where they are looked for, in which order, and several of one."""

from __future__ import annotations

import json

import pytest

from fanseek.contract import BackendSettings, KeyedSettings
from fanseek.guard.key_file import KeyFile
from fanseek.guard.keys import Keys

OWN = KeyedSettings(api_key_env="NAME")


def file_with(tmp_path, held) -> KeyFile:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(held), encoding="utf-8")
    path.chmod(0o600)
    return KeyFile(path)


def values(found) -> list[str]:
    return [key.value for key in found.keys]


@pytest.mark.parametrize(
    ("own", "found"),
    [
        (KeyedSettings(key="given", api_key_env="NAME"), "given"),
        (KeyedSettings(api_key_env="NAME"), "variable"),
        (KeyedSettings(api_key_env="BLANK"), ""),
        (KeyedSettings(api_key_env="ABSENT"), ""),
        (KeyedSettings(), ""),
        (BackendSettings(), ""),
    ],
)
def test_b5_a_key_is_found_where_the_settings_point(own, found):
    """N14: another reference reads another variable."""
    assert Keys({"NAME": " variable\n", "BLANK": "  ", "": "nameless"}).find(own).first == found


def test_b4_the_first_place_that_has_a_key_counts(tmp_path):
    """Credentials service, then environment, then key file."""
    host: dict[str, str] = {"NAME": "of-host"}
    environment = {"NAME": "of-environment"}
    file = file_with(tmp_path, {"NAME": "of-file"})
    keys = Keys(environment, credentials=host.get, file=file)
    seen = []
    for _ in range(4):
        found = keys.find(OWN)
        seen.append((found.place, found.first))
        if host:
            host.clear()
        elif environment:
            environment.clear()
        else:
            file.path.unlink(missing_ok=True)
    assert seen == [
        ("credentials", "of-host"),
        ("environment", "of-environment"),
        ("key file", "of-file"),
        ("", ""),
    ]


def test_a_key_set_later_is_found():
    environment = {}
    keys = Keys(environment)
    assert keys.find(OWN).first == ""
    environment["NAME"] = "late"
    assert keys.find(OWN).first == "late"


@pytest.mark.parametrize(
    ("environment", "found"),
    [
        ({"NAME": "k1,k2"}, ["k1", "k2"]),
        ({"NAME": "k1", "NAME_2": "k2"}, ["k1", "k2"]),
        ({"NAME": "k1", "NAMES": "k2,k3"}, ["k1", "k2", "k3"]),
        ({"NAMES": "k1,k2"}, ["k1", "k2"]),
        ({"NAME_1": "k1", "NAME_2": "k2"}, ["k1", "k2"]),
        ({"NAME_2": "k2", "NAME_5": "k5", "NAME_9": "k9"}, ["k2", "k5", "k9"]),
        ({"NAME": "k1", "NAME_2": "k1,k2", "NAMES": "k2\nk1\nk3"}, ["k1", "k2", "k3"]),
        ({"NAME": "", "NAME_2": "k2"}, ["k2"]),
    ],
)
@pytest.mark.parametrize("place", ["credentials", "environment", "key file"])
def test_bc_037_keys_under_numbered_names_and_the_plural_belong_to_the_name(environment, found, place, tmp_path):
    """N12: a pool without a single key is fine."""
    whole = dict.fromkeys(("NAME_2", "NAME_3", "NAME_4"), "") | environment
    if place == "credentials" and {"NAME_5", "NAME_9"} & environment.keys():
        whole, found = {"NAME_2": "k2", "NAME_3": "k9"}, ["k2", "k9"]
    keys = {
        "credentials": lambda: Keys({}, credentials=whole.get),
        "environment": lambda: Keys(whole),
        "key file": lambda: Keys({}, file=file_with(tmp_path, whole)),
    }[place]()
    got = keys.find(OWN)
    assert sorted(values(got)) == sorted(found)
    assert got.place == place
    assert [key.place for key in got.keys] == list(range(1, len(found) + 1))


def test_bc_037_the_names_that_are_not_read_are_told():
    environment = dict.fromkeys(("NAME", "NAMES", "NAME_1", "NAME_9", "NAME_10", "NAME_OLD", "NAME2", "OTHER"), "k")
    assert Keys(environment).strangers("NAME") == ("NAME2", "NAME_10", "NAME_OLD")
    assert Keys(environment).strangers("") == ()


def test_a_host_is_not_asked_for_ever():
    asked = []
    Keys({}, credentials=asked.append).find(OWN)
    assert asked == ["NAME", "NAMES", "NAME_1", "NAME_2"]


@pytest.mark.parametrize("wrong", [None, 5, b"k", ["k"], ""])
def test_a_host_that_has_nothing_of_use_leaves_it_to_the_environment(wrong):
    assert Keys({"NAME": "k1"}, credentials=lambda _name: wrong).find(OWN).first == "k1"


def test_a_host_that_fails_costs_nothing_and_is_complained_of_once(caplog):
    def broken(_name):
        raise KeyError("CANARY-7f3a9c")

    keys = Keys({"NAME": "k1"}, credentials=broken)
    assert [keys.find(OWN).first for _ in range(3)] == ["k1"] * 3
    assert len(caplog.records) == 1
    assert "CANARY" not in caplog.text


def test_what_is_no_key_is_passed_over_and_told_without_being_shown():
    found = Keys({"NAME": "'CANARY-1',k2", "NAME_2": "your-api-key", "NAME_3": "k3"}).find(OWN)
    assert values(found) == ["k2", "k3"]
    assert found.variables == ("NAME", "NAME_3")
    assert found.remarks == (
        "NAME (environment): it has quotes in it: leave them out",
        "NAME_2 (environment): it is a placeholder, not a key",
    )


def test_a_placeholder_in_one_place_leaves_it_to_the_next(tmp_path):
    keys = Keys({"NAME": "${SECRET}"}, file=file_with(tmp_path, {"NAME": "real"}))
    found = keys.find(OWN)
    assert (found.place, found.first) == ("key file", "real")
    assert found.remarks == ("NAME (environment): it is a placeholder, not a key",)
    assert keys.also("NAME") == ("environment", "key file")


def test_n11_a_found_key_is_hidden_from_then_on():
    hidden = []
    Keys({"NAME": "canary1,canary2"}, hidden.append).find(OWN)
    assert hidden == ["canary1", "canary2"]


def test_n11_no_key_is_seen_in_its_representation():
    found = Keys({"NAME": "sk-canary-0123456789abcdef"}).find(OWN)
    assert "canary" not in repr(found)
    assert "slot 1 ••••cdef" in repr(found)


def test_n8_what_is_told_of_several_keys_does_not_depend_on_their_order():
    one, two, other = (Keys({"NAME": value}).find(OWN).together for value in ("k1,k2", "k2 k1", "k1,k3"))
    assert one == two != other
