"""BC-131: provider dates of every shape come to one moment, aware and plausible, and nothing raises."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.age_words import CJK_UNITS, COUNTS, DAYS_BACK, LAST, NOW, UNITS
from fanseek.text.dates import dated

SHANGHAI = timezone(timedelta(hours=8))
NIGHT = datetime(2026, 3, 1, 23, 59, 59, tzinfo=SHANGHAI)
"""A Sunday in Shanghai, a second before midnight; 15:59:59 in UTC."""


def read(raw: object, now: datetime = NIGHT) -> tuple[str, str] | None:
    moment = dated(raw, now)
    return (moment.iso, moment.precision) if moment else None


TEN = "2026-02-28T10:00:00Z"


@pytest.mark.parametrize(
    "raw",
    [
        "2026-02-28T10:00:00",
        "2026-02-28T10:00:00Z",
        "2026-02-28t10:00:00z",
        "2026-02-28 10:00:00",
        "2026-02-28T10:00:00.000Z",
        "2026-02-28T10:00:00,5Z",
        "2026-02-28 10:00:00.123456789+00:00",
        "2026-02-28T18:00:00+08:00",
        "2026-02-28T18:00:00+0800",
        "2026-02-28T02:00:00-08",
        "2026-02-28T04:30:00−05:30",
        "2026-02-28 10:00:00 UTC",
        "20260228T100000Z",
        "20260228100000",
        "2026-W09-6T10:00:00Z",
        "2026/02/28 10:00:00",
        "2026.02.28 10:00:00",
        "Sat, 28 Feb 2026 10:00:00 GMT",
        "Sat, 28 Feb 2026 10:00:00 +0000",
        "Sat, 28 Feb 2026 05:00:00 EST",
        "28 Feb 2026 10:00:00 GMT",
        "Sat, 28 Feb 26 10:00:00 GMT",
        "Saturday, 28-Feb-26 10:00:00 GMT",
        "Sat Feb 28 10:00:00 2026",
        "Sat Feb 28 10:00:00 UTC 2026",
        "Sat Feb 28 2026 18:00:00 GMT+0800 (China Standard Time)",
        "2026年2月28日 10時00分00秒",
        "2026年02月28日(土) 10:00:00",
        "2026년 2월 28일 10시 00분 00초",
        1772272800,
        1772272800000,
        1772272800.0,
        1772272800.25,
        "1772272800",
        "1772272800000",
        "1772272800000000",
        "1772272800000000000",
        "1772272800.25",
    ],
    ids=repr,
)
def test_bc_131_one_second_in_every_shape_is_one_moment(raw: object):
    assert read(raw) == (TEN, "second")


@pytest.mark.parametrize(
    "raw",
    [
        "2026-02-28",
        "2026-2-28",
        "20260228",
        "2026/02/28",
        "2026.02.28",
        "2026. 2. 28.",
        "2026-W09-6",
        "2026-02-28T00:00:00",
        "2026-02-28T00:00:00.0000000",
        "2026-02-28T00:00:00Z",
        "Feb 28, 2026",
        "Feb. 28, 2026",
        "February 28, 2026",
        "february 28th 2026",
        "Saturday, February 28, 2026",
        "Sat 28 February 2026",
        "28 Feb 2026",
        "28th of February, 2026",
        "28-Feb-2026",
        "Sat, 28 Feb 2026",
        "2026 Feb 28",
        "2026-Feb-28",
        "28. Februar 2026",
        "28 février 2026",
        "28 fevr. 2026",
        "28 de febrero de 2026",
        "28 de fevereiro de 2026",
        "28 febbraio 2026",
        "28 februari 2026",
        "28 февраля 2026",
        "28/02/2026",
        "02/28/2026",
        "28.02.2026",
        "28-02-2026",
        "2026年2月28日",
        "2026 年 2 月 28 日",
        "2026年2月28日 星期六",
        "２０２６年２月２８日",
        "2026년 2월 28일 토요일",
        "令和8年2月28日",
        "民國115年2月28日",
        "Feb 28, 2026 · 5 min read",
        "2026-02-28 | Reuters",
        "Published: 2026-02-28",
        "Updated on Feb 28, 2026",
        "发布时间:2026-02-28",
        "公開日：2026年2月28日",
        "First published 28 February 2026",
        "28 февраля 2026 г.",
        "28 февраля 2026 года · Новости",
        "٢٠٢٦-٠٢-٢٨",
        "२०२६-०२-२८",
    ],
)
def test_a_day_keeps_its_precision(raw: str):
    assert read(raw) == ("2026-02-28T00:00:00Z", "day")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2026-02", ("2026-02-01T00:00:00Z", "month")),
        ("2026/02", ("2026-02-01T00:00:00Z", "month")),
        ("2026年2月", ("2026-02-01T00:00:00Z", "month")),
        ("Feb 2026", ("2026-02-01T00:00:00Z", "month")),
        ("February, 2026", ("2026-02-01T00:00:00Z", "month")),
        ("Februar 2026", ("2026-02-01T00:00:00Z", "month")),
        ("febrero de 2026", ("2026-02-01T00:00:00Z", "month")),
        ("2026-W09", ("2026-02-23T00:00:00Z", "week")),
        ("2025", ("2025-01-01T00:00:00Z", "year")),
        ("2025年", ("2025-01-01T00:00:00Z", "year")),
        ("1980", ("1980-01-01T00:00:00Z", "year")),
        ("2026-02-28T10:00", ("2026-02-28T10:00:00Z", "minute")),
        ("202602281000", ("2026-02-28T10:00:00Z", "minute")),
        ("Feb 28, 2026 10:00 AM", ("2026-02-28T10:00:00Z", "minute")),
        ("Feb 28, 2026, 12:30 AM PST", ("2026-02-28T08:30:00Z", "minute")),
        ("February 28, 2026 at 12:05 p.m.", ("2026-02-28T12:05:00Z", "minute")),
        ("28.02.2026, 10:00 Uhr", ("2026-02-28T10:00:00Z", "minute")),
        ("2026年2月28日 下午3:05", ("2026-02-28T15:05:00Z", "minute")),
        ("2026. 2. 28. 오후 3:05", ("2026-02-28T15:05:00Z", "minute")),
        ("2026年2月28日 10時", ("2026-02-28T10:00:00Z", "minute")),
        ("2026-02-28T24:00:00Z", ("2026-03-01T00:00:00Z", "day")),
        ("2026-02-28T23:59:60Z", ("2026-02-28T23:59:59Z", "second")),
        ("2026-02-28 10:00 XYZ", ("2026-02-28T10:00:00Z", "minute")),
        ("2 Dec 2025", ("2025-12-02T00:00:00Z", "day")),
        ("02/02/2026", ("2026-02-02T00:00:00Z", "day")),
        ("1969-07-20", ("1969-07-20T00:00:00Z", "day")),
    ],
)
def test_other_shapes(raw: str, expected: tuple[str, str]):
    assert read(raw) == expected


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {"x": 1},
        [],
        b"2026-02-28",
        True,
        "",
        "   ",
        "N/A",
        "lorem ipsum",
        "0001-01-01T00:00:00",
        "0001-01-01",
        "9999-12-31",
        "9999-12-31T23:59:59Z",
        "1970-01-01",
        "1970-01-01T00:00:00Z",
        "1970-01-01T08:00:00+08:00",
        "1969-12-31T19:00:00-05:00",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "1970",
        0,
        "0",
        0.0,
        -1,
        1,
        12345,
        float("nan"),
        float("inf"),
        1e300,
        10**40,
        "1601-01-01",
        "1753-01-01",
        "1899-12-30",
        "1900-01-01",
        "1904-01-01",
        "1980-01-01",
        "2038-01-19T03:14:07Z",
        "2106-02-07",
        "2027-01-01",
        "2026-03-05",
        4102444800,
        "0020-02-28",
        "2026-02-30",
        "2026-02-29",
        "2026-00-10",
        "2026-13-01",
        "2026-02-28T25:00:00Z",
        "2026-02-28T10:61:00Z",
        "2026-02-28T10:00:00+99:00",
        "2026-02-28 and 2026-03-01",
        "2026-02-281",
        "03/04/2026",
        "03.04.2026",
        "31/31/2026",
        "28/02/26",
        "Feb 28",
        "30 Feb 2026",
        "28 Foo 2026",
        "12/2026",
        "in 2 days",
        "2 days",
        "2d · 5 min read",
        "5 min · 3 views",
        "1 - 2 days ago",
        "several days ago",
        "2 parsecs ago",
        "999999 days ago",
        "999999 years ago",
        "99999999999999999999 days ago",
        "几天前",
        "x" * 100_000,
        "1" * 100_000,
    ],
    ids=lambda raw: repr(raw)[:40],
)
def test_what_names_no_plausible_day_is_none(raw: object):
    assert read(raw) is None


HOUR = ("2026-03-01T12:59:59Z", "hour")
DAY = ("2026-02-27T00:00:00Z", "day")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        *[
            (raw, HOUR)
            for raw in (
                "3 hours ago", "3 Hours Ago", "3h ago", "3h", "three hours ago", "about 3 hours ago", "3 hrs ago",
                "3小时前", "3 小时前", "三小时前", "3个小时前", "3 小時前", "3小时之前", "約3時間前", "3時間前",
                "3시간 전", "3시간전", "vor 3 Stunden", "vor drei Stunden", "vor 3 Std.", "il y a 3 heures",
                "hace 3 horas", "há 3 horas", "3 horas atrás", "3 ore fa", "3 uur geleden", "3 часа назад",
                "３小时前", "3 hours, 5 minutes ago",
            )
        ],
        *[
            (raw, DAY)
            for raw in (
                "2 days ago", "2 Days ago", "2d", "two days ago", "2天前", "两天前", "兩天前", "2 天以前", "2日前", "二日前",
                "2일 전", "이틀 전", "vor 2 Tagen", "vor zwei Tagen", "il y a 2 jours", "hace 2 días", "hace dos días",
                "há 2 dias", "2 giorni fa", "2 dagen geleden", "2 дня назад", "前天", "一昨日", "그저께", "vorgestern",
                "avant-hier", "anteayer", "eergisteren", "позавчера", "2 days ago.", "2\u00a0days\u00a0ago",
                "2 days ago · 5 min read", "2 days ago - 5 min read", "2天前 | 新浪", "前天 · 阅读", "2 days ago (edited)",
                "Updated 2 days ago", "Posted: 2 days ago", "发布于 2天前", "发布时间：前天", "입력 2일 전", "٢ days ago",
            )
        ],
        ("today", ("2026-03-01T00:00:00Z", "day")),
        ("今天", ("2026-03-01T00:00:00Z", "day")),
        ("昨天", ("2026-02-28T00:00:00Z", "day")),
        ("Yesterday", ("2026-02-28T00:00:00Z", "day")),
        ("어제", ("2026-02-28T00:00:00Z", "day")),
        ("昨天 10:30", ("2026-02-28T10:30:00Z", "minute")),
        ("今天 下午3:05", ("2026-03-01T15:05:00Z", "minute")),
        ("yesterday at 3:05 PM", ("2026-02-28T15:05:00Z", "minute")),
        ("gestern um 15:05 Uhr", ("2026-02-28T15:05:00Z", "minute")),
        ("十分钟前", ("2026-03-01T15:49:59Z", "minute")),
        ("二十五分钟前", ("2026-03-01T15:34:59Z", "minute")),
        ("半小时前", ("2026-03-01T15:29:59Z", "hour")),
        ("un'ora fa", ("2026-03-01T14:59:59Z", "hour")),
        ("an hour ago", ("2026-03-01T14:59:59Z", "hour")),
        ("just now", ("2026-03-01T15:59:59Z", "minute")),
        ("刚刚", ("2026-03-01T15:59:59Z", "minute")),
        ("30 seconds ago", ("2026-03-01T15:59:29Z", "second")),
        ("1 week ago", ("2026-02-22T00:00:00Z", "week")),
        ("1週間前", ("2026-02-22T00:00:00Z", "week")),
        ("1 month ago", ("2026-02-01T00:00:00Z", "month")),
        ("2か月前", ("2026-01-01T00:00:00Z", "month")),
        ("2个月前", ("2026-01-01T00:00:00Z", "month")),
        ("2개월 전", ("2026-01-01T00:00:00Z", "month")),
        ("1 year ago", ("2025-03-01T00:00:00Z", "year")),
        ("last month", ("2026-02-01T00:00:00Z", "month")),
        ("去年", ("2025-01-01T00:00:00Z", "year")),
    ],
)  # fmt: skip
def test_an_age_counts_back_from_now_where_the_user_is(raw: str, expected: tuple[str, str]):
    assert read(raw) == expected


def test_months_end_where_they_end():
    leap = datetime(2024, 3, 31, 12, tzinfo=UTC)
    assert read("1 month ago", leap) == ("2024-02-29T00:00:00Z", "month")
    assert read("1 year ago", datetime(2024, 2, 29, 12, tzinfo=UTC)) == ("2023-02-28T00:00:00Z", "year")
    assert read("2 months ago", datetime(2026, 1, 31, tzinfo=UTC)) == ("2025-11-30T00:00:00Z", "month")


@pytest.mark.parametrize("word", [*DAYS_BACK, *LAST, *NOW])
def test_every_word_for_a_day_is_understood(word: str):
    assert read(word)


@pytest.mark.parametrize("unit", UNITS)
def test_every_unit_is_understood(unit: str):
    assert read(f"2 {unit} ago")[1] == UNITS[unit]


@pytest.mark.parametrize("count", COUNTS)
def test_every_count_is_understood(count: str):
    assert read(f"{count} days ago") == read(f"{COUNTS[count]} days ago")


@pytest.mark.parametrize("unit", CJK_UNITS)
def test_every_cjk_unit_is_understood(unit: str):
    assert read(f"2{unit}前")[1] == CJK_UNITS[unit]


@given(st.one_of(st.text(), st.integers(), st.floats(), st.binary(), st.none(), st.booleans(), st.lists(st.text())))
def test_nothing_raises(raw: object):
    moment = dated(raw, NIGHT)
    assert moment is None or moment.at.tzinfo is not None


SCRAPS = ["2026", "02", "28", "-", "/", ".", ":", " ", "T", "Z", "+08:00", "Feb", "Sat,", "ago", "days", "vor", "前", "天", "年", "月",
          "日", "昨天", "下午", "星期六", "9", "0", "10", "W", "1772272800", "一", "十", "半", "令和", "元", "pm", "(", ")", "·", "h"]  # fmt: skip


@given(st.lists(st.sampled_from(SCRAPS), max_size=12).map("".join))
def test_nothing_raises_on_what_nearly_is_a_date(raw: str):
    moment = dated(raw, NIGHT)
    if moment is not None:
        assert moment.at.tzinfo is not None
        assert 1900 <= moment.at.year <= 2026
        assert moment.first <= moment.last
        assert dated(moment.iso, NIGHT) is not None


@given(st.integers(631_238_400, 1_772_236_800))
def test_a_moment_survives_every_way_to_write_it(seconds: int):
    at = datetime.fromtimestamp(seconds, UTC)
    ways = [
        at.isoformat(),
        at.isoformat(" "),
        at.astimezone(SHANGHAI).isoformat(),
        format_datetime(at),
        f"{at:%Y%m%dT%H%M%SZ}",
        f"{at:%b %d, %Y %I:%M:%S %p} UTC",
        f"{at:%a %b %d %H:%M:%S %Y}",
        f"{at:%Y年%m月%d日 %H時%M分%S秒}",
        *([int(at.timestamp()), at.timestamp() * 1000] if at.time().second else []),
    ]
    assert {read(way)[0] for way in ways} == {f"{at:%Y-%m-%dT%H:%M:%SZ}"}


@given(
    st.lists(
        st.sampled_from(["2026-02-28T10:00:00", "2026-02-28T10:00:00Z", 1772272800, "2 days ago", "2026-02", None])
    )
)
def test_bc_131_what_was_read_can_be_sorted(raws: list[object]):
    found = [moment for raw in raws if (moment := dated(raw, NIGHT))]
    assert len(sorted(found, key=lambda moment: moment.at)) == len(found)
    assert all(moment.at.utcoffset() is not None for moment in found)
