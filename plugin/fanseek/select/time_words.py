"""The recency that the words of a query ask for, such as `本周 新闻`; only where nothing else can be meant."""

from __future__ import annotations

import re
import unicodedata

import msgspec

from fanseek.contract import pieces
from fanseek.text.cjk import is_cjk
from fanseek.types import Recency

_NOUNS = (
    "news|headlines|weather|forecast|scores?|match(?:es)?|games?|fixtures|prices?|stocks?|rates?|markets?|events|updates?"
    "|traffic|happened|announced|released|published|launched|outages?"
)
_NAMED_TODAY = "usa|india|russia|china|israel|psychology|physics|history|business|medical news|christianity"
_ENGLISH: tuple[tuple[Recency, str], ...] = (
    ("day", r"(?:past|last) (?:24 hours|twenty-four hours)|(?:in|over|within) the (?:past|last) day"),
    ("day", rf"(?:{_NOUNS}) (?:from |of )?today(?!'s)|today(?:'s)? (?:{_NOUNS})"),
    ("week", r"this week(?! (?:in|with|on)\b)(?!end)|past week|(?:past|last) (?:7|seven) days"),
    ("week", r"(?:in|over|within) the last week|diese woche|cette semaine|esta semana|questa settimana"),
    ("month", r"this month(?! in\b)|past month|(?:past|last) (?:30|thirty) days|(?:in|over|within) the last month"),
    ("month", r"diesen monat|ce mois-ci|este mes|questo mese"),
    ("year", r"this year|past year|(?:past|last) (?:12|twelve) months|(?:in|over|within) the last year"),
    ("year", r"dieses jahr|cette année|este año|quest'anno"),
)
_SPACED = [(recency, re.compile(rf"(?<![\w'-])(?:{words})(?![\w-])")) for recency, words in _ENGLISH]
_TITLED = re.compile(rf"\b(?:{_NAMED_TODAY}) today\b|\btoday show\b")

_CJK: dict[Recency, str] = {
    "day": "今天 今日 本日 오늘 금일 24小时内 24小時內 过去24小时 最近24小时 近24小时 24時間以内",
    "week": "本周 本週 这周 這週 这一周 这个星期 這個星期 这星期 本星期 这个礼拜 近一周 近一週 最近一周 最近一週"
    " 过去一周 過去一週 一周内 一週內 近7天 最近7天 近七天 最近七天 7天内 七天内"
    " 今週 直近1週間 이번주 금주 최근일주일 최근1주일",
    "month": "本月 这个月 這個月 近一个月 近一個月 最近一个月 最近一個月 过去一个月 一个月内 近30天 最近30天 30天内"
    " 今月 이번달 최근한달 최근1개월",
    "year": "今年 近一年 最近一年 过去一年 過去一年 一年内 올해 최근1년",
}
_WORDS = {word: recency for recency, words in _CJK.items() for word in words.split()}
_WORD = re.compile("|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True)))
_KOREAN_GAP = re.compile(r"(이번|최근|한|일)\s+(?=주|달|일주일|한|[0-9]|주일)")
_TIMELY = re.compile(
    "新闻|新聞|消息|快讯|快訊|资讯|資訊|天气|天氣|股价|股價|股市|行情|汇率|匯率|热点|熱點|热搜|热榜|动态|動態|公告|要闻|要聞|大事|金价|金價|油价"
    "|油價|价格|價格|比赛|比賽|赛程|赛果|比分|更新|发布|發布|疫情|地震|台风|颱風|ニュース|速報|天気|株価|為替|話題|試合|発表|뉴스|날씨|주가|환율|속보|소식|경기"
)
_ABOUT_THE_WORD = re.compile(
    "歌词|歌詞|歌曲|电影|電影|小说|小說|诗|詩|杂志|雜誌|翻译|翻譯|英文|英语|英語|意思|怎么说|怎麼說|头条|頭條|下载|官网|가사|노래|映画"
    "|lyrics|chords|movie|song|meaning|translation"
)
_DATED = re.compile(r"(?:after|before|date(?:range)?):", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w./-])(?<![A-Z]{2} )((?:19|20)[0-9]{2})(?![\w./-])", re.ASCII)
"""Not in an identifier, a model, a version or a range."""


class Implied(msgspec.Struct, frozen=True):
    """A recency and the words that ask for it."""

    recency: Recency
    words: str


def implied(query: str, year: int | None) -> Implied | None:
    """What `query` asks for in the year `year`; None where it is silent, contradicts itself, or may mean otherwise.

    Quoted words, operators and words left out with a minus do not count (G4).
    """
    parts = pieces(query)
    if any(part.kind == "operator" and _DATED.match(part.text) for part in parts):
        return None
    said = " ".join(part.text if part.kind in ("word", "group") else "|" for part in parts)
    whole = " ".join(unicodedata.normalize("NFKC", said).replace("\u2019", "'").split())
    if any(year is None or int(named) < year for named in _YEAR.findall(whole)):
        return None
    text = whole.lower()
    found = [*_spaced(text), *_unspaced(text)]
    return found[0] if len({one.recency for one in found}) == 1 else None


def _spaced(text: str) -> list[Implied]:
    if _TITLED.search(text):
        return []
    return [Implied(recency, hit[0]) for recency, form in _SPACED for hit in form.finditer(text)]


def _unspaced(text: str) -> list[Implied]:
    text = _KOREAN_GAP.sub(r"\1", text)
    return [
        Implied(_WORDS[hit[0]], hit[0])
        for hit in _WORD.finditer(text)
        if _stands_alone(text, hit) or _goes_with_news(text, hit)
    ]


def _stands_alone(text: str, hit: re.Match[str]) -> bool:
    """Whether the word is not part of a longer run, and the query does not ask about the word itself."""
    before, after = text[: hit.start()][-1:], text[hit.end() :][:1]
    if before and (is_cjk(before) or before.isalnum()):
        return False
    of_news = _WORDS[hit[0]] != "day" or _TIMELY.search(text, hit.end())
    if after and is_cjk(after) and not (after in "的の의에" and of_news):
        return False
    return not (_WORDS[hit[0]] in ("day", "year") and _ABOUT_THE_WORD.search(text))


def _goes_with_news(text: str, hit: re.Match[str]) -> bool:
    """Whether the word begins or ends a run that speaks of news, prices or the weather."""
    start, end = hit.span()
    while start > 0 and is_cjk(text[start - 1]):
        start -= 1
    while end < len(text) and is_cjk(text[end]):
        end += 1
    if start < hit.start() and end > hit.end():
        return False
    rest = text[start : hit.start()] + text[hit.end() : end]
    return not re.match("[一二三四五六日天末度]", text[hit.end() : end]) and _TIMELY.search(rest) is not None
