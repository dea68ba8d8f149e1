"""URLs as shown."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.surface.address import shown


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("https://a.example/wiki/Set_(mathematics)", "https://a.example/wiki/Set_%28mathematics%29"),
        ("https://a.example/a b?q=<x>&y=[1]#f)", "https://a.example/a%20b?q=%3Cx%3E&y=%5B1%5D#f%29"),
        ("https://ok.example/\u202egpj.exe", "https://ok.example/%E2%80%AEgpj.exe"),
        ("https://ok.example/a\x1b]8;;https://evil.test\x07b", "https://ok.example/a%1B%5D8;;https://evil.test%07b"),
        (
            "https://ok.example/\u200b\u00ad\ufeff\u2028\x85",
            "https://ok.example/%E2%80%8B%C2%AD%EF%BB%BF%E2%80%A8%C2%85",
        ),
        ('https://ok.example/`x`|"y"{z}', "https://ok.example/%60x%60%7C%22y%22%7Bz%7D"),
        ("https://[2001:db8::1]:8080/[x]", "https://[2001:db8::1]:8080/%5Bx%5D"),
        ("https://good.example\\@evil.example", "https://good.example/@evil.example"),
        ("https://a.example/x?y=\\z", "https://a.example/x?y=%5Cz"),
        ("https://例え.example/道?q=検索&a=%28#é", "https://例え.example/道?q=検索&a=%28#é"),
        ("https://a.example/100%", "https://a.example/100%"),
        ("https://a.example/\ud83d", "https://a.example/%3F"),
        ("https://a.example/it's,;:@!$&*+=~-._", "https://a.example/it's,;:@!$&*+=~-._"),
    ],
)
def test_only_what_would_break_a_list_is_encoded(url: str, seen: str) -> None:
    """BC-097."""
    assert shown(url) == seen


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_showing_twice_changes_nothing_and_the_rest_is_kept(tail: str) -> None:
    once = shown(f"https://a.example/?q={tail}")
    assert shown(once) == once
    assert once.isprintable()
    assert not set(once) & set(' ()<>[]"`\\')
    assert unquote(once, errors="strict") == unquote(f"https://a.example/?q={tail}", errors="replace") or "%" in tail
