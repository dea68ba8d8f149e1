"""Keys as text: several in one value, what is none, how little of one is shown."""

from __future__ import annotations

import time

import pytest

from fanseek.guard.key_shape import fault, masked, slot, split


@pytest.mark.parametrize(
    "value", ["k1,k2", "k1, k2", " k1 ,, k2, ", "k1\nk2\n", "k1\r\nk2", "k1 k2", "k1\tk2", "k1;k2", "k1,k2,k1"]
)
def test_bc_037_several_keys_stand_in_one_value(value):
    """N1: comma, semicolon, space or line end; each key once."""
    assert split(value) == ["k1", "k2"]


@pytest.mark.parametrize("value", ["", " ", ",", "\n,\n", "; ;"])
def test_nothing_is_no_key(value):
    assert split(value) == []


@pytest.mark.parametrize(
    "key",
    [
        "k",
        "k1",
        "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",
        "sk-ant-api03-aB-_cD1eF",
        "BSAabcdefghijklmnopqrstuvw12345",
        "0123456789abcdef0123456789abcdef01234567",
        "8f14e45f-ceea-467f-a0e6-9b1c2d3e4f50",
        "YWJjZGVmZ2hpamtsbW5vcA==",
        "a+b/c=d.e~f:g|h!i@j#k%l&m*n(o)p",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
        "keyed-1",
        "x1x2x3",
        "mykeyisgood77",
        "yourselfish-9f8e7d",
        "token1234567",
        "a" * 2048,
    ],
)
def test_keys_of_every_shape_are_keys(key):
    assert fault(key) == ""
    assert split(key) == [key]


@pytest.mark.parametrize(
    "value",
    [
        "your-api-key",
        "YOUR_API_KEY",
        "your_tavily_api_key_here",
        "your key here",
        "Your API Key",
        "YOUR-KEY",
        "yourkey",
        "tvly-YOUR_API_KEY",
        "sk-your-key",
        "your-secret-token",
        "<your key>",
        "<key>",
        "sk-<redacted>",
        "${BRAVE_API_KEY}",
        "$BRAVE_API_KEY",
        "{{ api_key }}",
        "%API_KEY%",
        "BRAVE_API_KEY",
        "api-key",
        "my_api_key",
        "enter-key-here",
        "Enter your key here",
        "paste_token_here",
        "replace-me",
        "changeme",
        "CHANGE_ME",
        "xxxxxxxx",
        "tvly-xxxxxxxxxxxx",
        "sk-xxxx-xxxx-xxxx",
        "sk-...",
        "sk-…",
        "tvly-*****",
        "••••abcd",
        "none",
        "null",
        "TODO",
        "placeholder",
        "false",
        "TRUE",
        "off",
        "disabled",
    ],
)
def test_a_placeholder_is_no_key(value):
    """Manuals and templates write these where a key belongs."""
    assert [fault(part) for part in split(value)] == ["it is a placeholder, not a key"]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ('"k1"', "quotes"),
        ("'k1'", "quotes"),
        ("‘k1’", "quotes"),
        ("“k1”", "quotes"),
        ("`k1`", "quotes"),
        ('["k1","k2"]', "quotes"),
        ("k\x00ey", "character that no key has"),
        ("k\x1b[31mey", "character that no key has"),
        ("k\x7fey", "character that no key has"),
        ("\ufeffk1", "character that no key has"),
        ("k\u200b1", "character that no key has"),
        ("ключ", "character that no key has"),
        ("k\ud800", "character that no key has"),
        ("Bearer", "word of its header"),
        ("TAVILY_API_KEY=k1", "behind NAME="),
        ("export", "behind NAME="),
        ("# my key", "a comment"),
        ("#none", "a comment"),
        ("op://vault/brave/credential", "an address"),
        ("https://api.example.test/?key=k1", "an address"),
        ("a" * 2049, "longer than 2048"),
    ],
)
def test_what_can_t_be_sent_as_a_key_is_none_and_says_why(value, why):
    assert all(why in fault(part) for part in split(value) or [value])


@pytest.mark.parametrize("value", ["k1#2 # the one of work, not mine", "# mine:\nk1#2", "k1#2\t#\n", "k1#2 #k9,k8"])
def test_words_of_a_comment_are_no_keys(value):
    """Files of variables keep them in the value. Each would be sent, refused, and rested for."""
    good = [part for part in split(value) if not fault(part)]
    assert good == ["k1#2"]
    assert [fault(part) for part in split(value) if fault(part)] == ["what stands behind # is a comment: leave it out"]


def test_why_something_is_no_key_shows_nothing_of_it():
    for wrong in ("CANARY-'quoted'", "CANARY\x00", "CANARY=…", "CANARY<>", "A" * 3000):
        assert wrong[:6] not in fault(wrong)


def test_a_hostile_text_is_judged_at_once():
    began = time.perf_counter()
    for text in ("_" * 2048, "a-" * 1024, "your_" * 400, "x-" * 1024, "insert-" * 290):
        fault(text)
        split(text)
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("tvly-0123456789abcd", "••••abcd"),
        ("0123456789ab", "••••89ab"),
        ("0123456789a", "••••"),
        ("abcd", "••••"),
        ("k", "••••"),
    ],
)
def test_n11_only_the_end_of_a_long_key_is_shown(key, shown):
    assert masked(key) == shown
    assert slot(1, key) == f"slot 1 {shown}"
