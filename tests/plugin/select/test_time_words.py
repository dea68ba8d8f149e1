"""G3, G4: freshness words and years, only where nothing else can be meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.select.time_words import implied
from fanseek.select.years import query_year


def meant(query: str) -> str | None:
    found = implied(query, 2026)
    return found.recency if found else None


@pytest.mark.parametrize(
    ("query", "recency"),
    [
        ("今天 新闻", "day"),
        ("今天的新闻", "day"),
        ("今日新闻", "day"),
        ("今天北京天气", "day"),
        ("北京 今天 限行", "day"),
        ("今天", "day"),
        ("最近24小时 地震", "day"),
        ("本周 新闻", "week"),
        ("本周新闻", "week"),
        ("本周AI新闻", "week"),
        ("本周科技新闻", "week"),
        ("科技新闻本周", "week"),
        ("本週 新聞", "week"),
        ("这周 有什么 电影", "week"),
        ("这个星期 股市", "week"),
        ("最近一周 新闻", "week"),
        ("近7天 股市", "week"),
        ("本月 AI 论文", "month"),
        ("这个月 新番", "month"),
        ("近30天 金价", "month"),
        ("今年 国考", "year"),
        ("近一年 财报", "year"),
        ("今日 ニュース", "day"),
        ("今週のニュース", "week"),
        ("今月 新刊", "month"),
        ("오늘 뉴스", "day"),
        ("오늘의 날씨", "day"),
        ("이번 주 뉴스", "week"),
        ("이번주 소식", "week"),
        ("이번 달 영화", "month"),
        ("올해 최고의 책", "year"),
        ("AI news this week", "week"),
        ("This Week's AI news", "week"),
        ("news this week 2026", "week"),
        ("python in the last week", "week"),
        ("last 7 days rust releases", "week"),
        ("past week bitcoin", "week"),
        ("news today", "day"),
        ("bitcoin price today", "day"),
        ("today's weather berlin", "day"),
        ("today’s headlines", "day"),
        ("earthquake past 24 hours", "day"),
        ("what was announced today", "day"),
        ("python releases this month", "month"),
        ("inflation past month", "month"),
        ("last 30 days outages", "month"),
        ("best papers this year", "year"),
        ("this year's budget", "year"),
        ("last 12 months revenue", "year"),
        ("diese Woche Nachrichten", "week"),
        ("noticias esta semana", "week"),
        ("RTX 2080 price today", "day"),
        ("RFC 2026 news today", "day"),
        ("CVE-2024-1234 this week", "week"),
        ("iso-2022 encoding news today", "day"),
        ("v2.2019 release notes this month", "month"),
        ("news this week -today", "week"),
        ("site:today.com news this week", "week"),
    ],
)
def test_g4_a_time_that_is_asked_for(query: str, recency: str):
    assert meant(query) == recency


@pytest.mark.parametrize(
    "query",
    [
        "",
        "cats",
        "最新 新闻",
        "latest news",
        "recent papers",
        "最近 新闻",
        "新闻",
        '"本周" 新闻',
        "“今天” 新闻",
        "「今週」ニュース",
        "《今天》杂志",
        '"news today" jingle',
        "今日头条 下载",
        "今天头条",
        "今天 歌词",
        "今天 英文 怎么说",
        "昨天今天明天",
        "不是今天",
        "今天的我",
        "今年春晚",
        "本周五 会议",
        "本周末 活动",
        "本月初 入职",
        "USA Today",
        "usa today news",
        "India Today this week",
        "Psychology Today",
        "medical news today",
        "physics today",
        "the today show news today",
        "this week in virology",
        "this week with george stephanopoulos",
        "this weekend events",
        "last week tonight",
        "release notes last week",
        "weekly news",
        "today",
        "not this-week",
        "本周 今天 新闻",
        "news today this month",
        "this week 2019",
        "本周 2019年 新闻",
        "news this week after:2026-01-01",
        "before:2025-01-01 news today",
        "-本周 新闻",
        "news -today",
        "site:news.today weather",
        "intitle:本周 新闻",
    ],
)
def test_g4_what_may_mean_otherwise_decides_nothing(query: str):
    assert meant(query) is None


def test_a_year_gone_by_contradicts_this_year_only_when_it_is_over():
    assert implied("news this week 2026", 2026)
    assert not implied("news this week 2026", 2027)
    assert not implied("news this week 2026", None)
    assert implied("news this week", None)


@pytest.mark.parametrize(
    ("query", "year"),
    [
        ("2025年 财报", 2025),
        ("2025 年 财报", 2025),
        ("２０２５年财报", 2025),
        ("苹果2025年财报", 2025),
        ("Apple 2025年 财报", 2025),
        ("2025年度 财报", 2025),
        ("2025年前三季度", 2025),
        ("2025年后半年 房价", 2025),
        ("2025年2月28日", 2025),
        ("2025年 决算 2025年", 2025),
        ("2025年決算", 2025),
        ('"2025年" 财报', 2025),
        ("“2025年” 财报", 2025),
        ("「2025年」 決算", 2025),
        ("2000年 奥运会", 2000),
        ("2099年 预测", 2099),
        ("(2025年 OR 去年) 财报", 2025),
        ("CVE-2024-1234 2025年 漏洞", 2025),
    ],
)
def test_g3_a_year_is_recognised(query: str, year: int):
    assert query_year(query) == year


@pytest.mark.parametrize(
    "query",
    [
        "",
        "2025",
        "earnings 2025",
        "RFC 2026",
        "CVE-2024-1234",
        "RTX 2080",
        "iso-2022",
        "ISO-2022年",
        "GB2025年",
        "v2.2025年",
        "120256年",
        "1999年 财报",
        "2100年",
        "3025年",
        "2024年和2025年对比",
        "2020-2025年 数据",
        "2020～2025年 数据",
        "2020年-2025年",
        "2020年~2025年",
        "2020年至2025年",
        "2020年到2025年",
        "2020年至今",
        "2020年以来 房价",
        "2025年后 房价",
        "2025年前 房价",
        "2025年vs2026年 销量",
        "2025年 VS 2026年 销量",
        "2025年代",
        "2025年款 Model Y",
        *(
            f"2025年{word} 车"
            for word in ["式", "版", "型", "以前", "以後", "以后", "之前", "之後", "之后", "以降", "以來"]
        ),
        "《2012年》影评",
        '"2025年的第一场雪"',
        "“2025年 决算 全文”",
    ],
)
def test_g3_other_numbers_are_no_years(query: str):
    assert query_year(query) is None


@given(st.text(), st.one_of(st.none(), st.integers(1990, 2100)))
def test_nothing_raises(query: str, year: int | None):
    implied(query, year)
    query_year(query)
