"""G1, X26: what is said around a query goes, whole queries stay, quotes and operators are never touched."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import pieces
from fanseek.select.shape import shaped
from fanseek.select.spelling import spelled

SHAPED = {
    "weather in berlin please": "weather in berlin",
    "best rust book for beginners pls!": "best rust book for beginners",
    "请帮我搜索一下 Python 异步编程": "Python 异步编程",
    "你好,能不能查一下北京天气": "北京天气",
    "你好，能不能帮我查一下北京天气": "北京天气",
    "please search for rust async runtime": "rust async runtime",
    "can you find me a good rust book": "a good rust book",
    "hi, what is rust": "what is rust",
    "Hi there! Could you please look up the population of Ghana, thanks!": "the population of Ghana",
    "hello, can you tell me who won the 2022 world cup?": "who won the 2022 world cup?",
    "请问怎么安装 docker": "怎么安装 docker",
    "请问一下，如何学习编程？谢谢": "如何学习编程？",
    "帮我查一下关于量子计算的论文": "量子计算的论文",
    "麻烦帮我搜一下rust教程，谢谢！": "rust教程",
    "我想知道为什么天空是蓝色的": "为什么天空是蓝色的",
    "搜索一下 rust": "rust",
    "查一下汇率": "汇率",
    "搜索：rust 异步": "rust 异步",
    "搜索 rust 异步": "rust 异步",
    "查询 北京天气": "北京天气",
    "帮我查下周天气": "下周天气",
    "search: rust": "rust",
    'Search for "exact phrase" site:x.org': '"exact phrase" site:x.org',
    "please search for .NET runtime": ".NET runtime",
    "please find information about tidal power": "tidal power",
    "find information on tidal power": "tidal power",
    "I'm looking for a cheap laptop": "a cheap laptop",
    "i would like to know about tides": "tides",
    "do a quick web search for tides": "tides",
    "search the web for tides": "tides",
    "您好，请问北京有什么好玩的？": "北京有什么好玩的？",
    "请介绍一下 rust": "介绍一下 rust",
    "能帮我找一下rust的书吗": "rust的书吗",
    "what is rust, please": "what is rust",
    "What is rust? Thank you.": "What is rust?",
    "please explain lifetimes": "explain lifetimes",
    "hey, search for cats please": "cats",
    "Can you please find the latest news on AI": "the latest news on AI",
    "could you find papers on RLHF": "papers on RLHF",
    "I want to search for flights": "flights",
    "help me search for flights": "flights",
    "网上搜一下最新的 iPhone 价格": "最新的 iPhone 价格",
    "請幫我搜尋一下台北天氣": "台北天氣",
    "帮我找几篇关于RAG的论文": "几篇关于RAG的论文",
    "嗨，请帮我查查汇率": "汇率",
    "给我搜索 rust": "rust",
    "请告诉我怎么去机场": "怎么去机场",
    "你能告诉我现在几点吗": "现在几点吗",
    "Please search: rust": "rust",
    "please google rust async": "rust async",
    "你好！请问Python怎么读文件": "Python怎么读文件",
    "能不能帮忙搜索一下关于AI的新闻？谢谢": "AI的新闻？",
    "我想了解一下量子计算": "量子计算",
    "please tell me about tides thanks": "tides",
    "search online for tides": "tides",
    "麻烦查询一下上海到北京的高铁": "上海到北京的高铁",
    "hello! how do I install docker": "how do I install docker",
}
KEPT = [
    "the smiths please",
    "i would like some more please",
    "how do i spell the word please",
    "search engine optimisation",
    "搜索引擎 原理",
    "how to say please in Japanese",
    "Hello World program",
    "hello, world program in c",
    "hi-fi",
    "hi-fi speakers review",
    "google",
    "google maps api",
    "google for education",
    "search console",
    "search warrant",
    "search algorithms",
    "lookup table",
    "look up table excel",
    "find command linux",
    "find my iphone",
    "can you freeze milk",
    "can you find gold in rivers",
    "can you search someone's criminal record",
    "please please me beatles",
    "please mister postman",
    "please don't go lyrics",
    "man's search for meaning",
    "search for extraterrestrial intelligence",
    "你好，李焕英",
    "你好，李焕英 票房",
    "柔和光线",
    "和平精英",
    "搜索算法",
    "搜索 算法",
    "搜索 引擎 优化",
    "查询优化",
    "查询 优化 mysql",
    "检索增强生成",
    "查找算法 复杂度",
    "查理·芒格",
    "找工作",
    "找朋友 儿歌",
    "请假条 模板",
    "请回答1988",
    "请客送礼",
    "帮派 电影",
    "给我一个理由忘记 歌词",
    "我想和你唱",
    "可以查成绩的网站",
    "能不能查征信",
    "你好 世界",
    "你好之华",
    "日语 谢谢",
    "日语，谢谢",
    "thank you in korean",
    "how to say thank you",
    "how do you say please",
    "japanese phrases hello, thank you",
    "Hey Jude lyrics",
    "Hey, Soul Sister lyrics",
    "Hello, Dolly!",
    "Good morning, Vietnam",
    "what is rust?",
    "tell me about yourself interview question",
    "show me the money",
    "give me love ed sheeran",
    "help wanted",
    "请问您今天要来点兔子吗",
    "搜狗输入法",
    "查重软件",
    "查下载量",
    '"please search for" meaning',
    '"hi, there"',
    "site:example.com search",
    "search site:example.com",
    "-please rust",
    "rust -please",
    'intitle:"search for"',
    "搜索推荐广告系统",
    "我要上学",
    "请战书",
    "能量守恒",
    "可以清心也",
    "你好骚啊",
    "帮助中心",
    "先天八卦",
    "下午茶 推荐",
    "下午好茶",
    "i want to know what love is",
    "looking for alaska",
    "看看书",
    "search and rescue dogs",
    "hello kitty",
    "Hi Nrg music",
    "hello from the other side lyrics",
    "pls cadd degree",
    "kindly meaning",
    "thanks giving dinner",
    "谢谢你 歌词",
    "查干湖",
    "百度网盘",
    "谷歌浏览器 下载",
    "搜神记",
    "麻烦家族 电影",
    "拜托了冰箱",
    "拜托，这是别人的书",
    "想念 歌",
    "我想",
    "大家好才是真的好",
    "早上好 英文",
    "嗨歌",
    "你好吗",
    "hi res audio",
    "请用搜索引擎 原理",
    "查一查天气",
    "查查天气",
    "可以",
    "能",
    "google drive search operators",
    "search up and down",
    "find the volume of a sphere",
    "would you rather questions",
    "good morning america",
    "could you be loved lyrics",
]
EMPTY = [
    "搜索",
    "search",
    "请帮我查一下",
    "搜索一下",
    "查询",
    "请问",
    "search for",
    "please",
    "hi",
    "hello!",
    "你好",
    "search!",
    "SEARCH",
    "please search",
    "can you search",
    "查查",
    "搜一下",
    "帮我搜索",
    "帮我查",
    "谢谢",
    "thanks",
    "hello, please",
    "你好，帮我搜索一下",
    "请搜索",
    "search please",
    "搜索 ?",
    "hi, ! ?",
    "hello 请问",
    "请问hello",
    "  搜索。 ",
    "can you please search for",
    "请问能不能帮我查一下",
    "Please search the web",
    "您好！",
    "检索",
    "查找",
    "搜",
    "hi there",
    "麻烦帮我搜一下，谢谢",
    "find me",
    "look up",
]

FILLERS = [
    "please", "can you", "search for", "hi,", "hello", "find me", "thanks", ", please", "tell me about", "look up",
    "请帮我", "搜索一下", "查", "你好,", "请问", "谢谢", "能不能", "搜索", "一下", "关于", "找", "，", "! ", "?", "for me",
]  # fmt: skip
WORDS = ["rust", "async", "北京天气", "引擎", "please", "search", "the", "谢谢", "hi-fi", "和", "C++", '5"']
KEPT_WHOLE = [
    '"please search for"', "\u201c请帮我搜索\u201d", "「你好」", "\u00abhi, please\u00bb", "site:x.org", "-please", "filetype:pdf",
    "intitle:hello", "rust OR go", "+search", 'intitle:"find me"', "(hi OR hello)", "NOT please", "before:2020-01-01",
]  # fmt: skip
BITS = st.one_of(*map(st.sampled_from, (FILLERS, WORDS, KEPT_WHOLE)))
QUERIES = st.lists(st.tuples(BITS, st.sampled_from([" ", " ", " ", ""])), max_size=10).map(
    lambda pairs: spelled("".join(bit + blank for bit, blank in pairs))
)


@pytest.mark.parametrize(("query", "meant"), SHAPED.items())
def test_g1_greetings_and_fillers_at_the_edges_go(query, meant):
    assert shaped(spelled(query)) == meant
    assert shaped(meant) == meant


@pytest.mark.parametrize("query", KEPT)
def test_words_of_a_real_query_are_never_eaten(query):
    assert shaped(query) == query


@pytest.mark.parametrize("query", EMPTY)
def test_g1_a_query_of_nothing_but_fillers_is_empty(query):
    assert shaped(spelled(query)) == ""
    assert shaped(spelled(f"  {query.upper()} ")) == ""


@given(QUERIES)
def test_x26_shaping_twice_is_shaping_once(query):
    once = shaped(query)
    assert shaped(once) == once


@given(st.text(max_size=80))
def test_x26_any_text_can_be_shaped_and_what_is_left_is_of_it(query):
    query = spelled(query)
    once = shaped(query)
    assert once in query
    assert shaped(once) == once


@given(QUERIES)
def test_x26_quotes_and_operators_are_never_touched(query):
    held = [piece.text for piece in pieces(query) if piece.kind != "word"]
    left = shaped(query)
    at = 0
    for text in held:
        at = left.index(text, at) + len(text)


@given(QUERIES)
def test_only_the_edges_change(query):
    left = shaped(query)
    assert left in query
    assert left == left.strip()


@pytest.mark.parametrize("phrase", KEPT_WHOLE)
def test_what_is_quoted_is_searched_for(phrase):
    assert shaped(phrase) == phrase
    assert shaped(f"please search for {phrase}") == phrase
    assert shaped(f"请帮我搜索一下{phrase}") in (phrase, f"请帮我搜索一下{phrase}")
    assert shaped(f"{phrase} tides, please") == f"{phrase} tides"


@pytest.mark.parametrize(
    "bit", ["hi, ", "please ", "请", "搜", "搜索 ", "can you ", ", thanks", "请问", "，谢谢", "search for ", "再"]
)
def test_long_junk_takes_time_in_proportion(bit):
    def seconds(count: int) -> float:
        query = spelled(bit * count)
        began = time.process_time()
        shaped(query)
        return time.process_time() - began

    seconds(10)
    assert min(seconds(4_000) for _ in range(2)) < 16 * max(0.01, min(seconds(1_000) for _ in range(2)))
