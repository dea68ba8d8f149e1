from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.merge.titles import jaccard, same_story

A, B = "https://a.test/1", "https://b.test/one"

DIFFERENT = {
    "BC-122 scripts": [
        ("机器学习", "神经网络"),
        ("コンピュータの歴史", "映画の感想"),
        ("서울 날씨", "부산 맛집"),
        ("Добрый день", "Новости спорта"),
        ("مرحبا بالعالم الجديد", "أخبار الرياضة اليوم"),
        ("ข่าวการเมืองวันนี้ล่าสุด", "ข่าวกีฬาฟุตบอลโลก"),
        ("नमस्ते दुनिया कैसे हो", "आज का ताज़ा समाचार"),
        ("Καλημέρα σε όλους εσάς", "Νέα του αθλητισμού σήμερα"),
        ("שלום לכל העולם", "חדשות הספורט של היום"),
        ("გამარჯობა მსოფლიო", "სპორტის ახალი ამბები"),
    ],
    "BC-122 nothing to tell by": [("", ""), ("🔥", "🎉"), ("🔥", "🔥"), ("...", "..."), ("？", "？"), ("\u200b", "\u200b")],
    "generic": [
        ("Home", "Home"),
        ("Login", "Login"),
        ("Index", "Index"),
        ("404 Not Found", "404 Not Found"),
        ("Getting Started", "Getting started"),
        ("Terms of Service", "Terms of Service"),
        ("Weekly roundup", "Weekly Roundup"),
        ("Attention Required!", "Attention Required!"),
        ("The New York Times", "The New York Times"),
        ("微信公众平台", "微信公众平台"),
        ("首页", "首页"),
        ("网站首页 - 用户登录", "网站首页 - 用户登录"),
        ("联系我们", "联系我们"),
        ("プライバシーポリシー", "プライバシーポリシー"),
        ("よくあるご質問一覧", "よくあるご質問一覧"),
        ("개인정보처리방침", "개인정보 처리방침"),
        ("자주 묻는 질문과 답변", "자주 묻는 질문과 답변"),
        ("Главная страница", "Главная страница"),
        ("الصفحة الرئيسية", "الصفحة الرئيسية"),
        ("ติดต่อเรา", "ติดต่อเรา"),
    ],
    "years, numbers, versions, part numbers": [
        ("Global temperatures hit a record high in 2023, say scientists", "Global temperatures hit a record high in 2024, say scientists"),
        ("Five dead after storm hits the northern coast overnight", "Six dead after storm hits the northern coast overnight"),
        ("Migrating a large code base to Python 3.1", "Migrating a large code base to Python 3.10"),
        ("Sony WH-1000XM4 noise cancelling headphones tested", "Sony WH-1000XM5 noise cancelling headphones tested"),
        ("充電器 X5 の端子を掃除する方法", "充電器 X5s の端子を掃除する方法"),
        ("2023年度全国统一法律职业资格考试成绩公布", "2024年度全国统一法律职业资格考试成绩公布"),
        ("第三季度手机出货量同比增长百分之五", "第四季度手机出货量同比增长百分之五"),
        ("제3회 서울 국제 영화제 개막작 발표", "제4회 서울 국제 영화제 개막작 발표"),
        ("Learn C++ in twenty-one days of practice", "Learn C# in twenty-one days of practice"),
        ("Shares rise 5% after the merger is called off", "Shares rise -5% after the merger is called off"),
        ("Company pays $5 billion to settle the lawsuit", "Company pays €5 billion to settle the lawsuit"),
    ],
    "negations": [
        ("Court says the emergency tariffs are legal under the trade act of congress now", "Court says the emergency tariffs are not legal under the trade act of congress now"),
        ("You should share your password manager vault", "You shouldn't share your password manager vault"),
        ("日銀は金利を引き上げると発表した", "日銀は金利を引き上げないと発表した"),
        ("央行宣布上调存款准备金率", "央行宣布不上调存款准备金率"),
        ("정부 전기요금 인상한다고 발표", "정부 전기요금 인상 안 한다고 발표"),
        ("Правительство повысит пенсионный возраст", "Правительство не повысит пенсионный возраст"),
    ],
    "parts": [
        ("Writing a parser in Rust, part 1: tokens and trees", "Writing a parser in Rust, part 2: tokens and trees"),
        ("Rise and fall of an empire, Part II", "Rise and fall of an empire, Part III"),
        ("长江航运百年史（上）", "长江航运百年史（下）"),
        ("連載小説「冬の回廊」第一章", "連載小説「冬の回廊」第二章"),
        ("日本経済の見通し 前編", "日本経済の見通し 後編"),
        ("한국 경제 전망과 과제 상편", "한국 경제 전망과 과제 하편"),
    ],
    "opposites, order, places": [
        ("Spain beat France 2-1 in the semi-final", "France beat Spain 2-1 in the semi-final"),
        ("Man bites dog in the park on Sunday", "Dog bites man in the park on Sunday"),
        ("Parliament approves the new housing bill", "Parliament rejects the new housing bill"),
        ("How to undo a commit before pushing it", "How to undo a commit after pushing it"),
        ("北京出台新能源汽车补贴新政策", "上海出台新能源汽车补贴新政策"),
        ("百度：全年营收增长超过市场预期", "腾讯：全年营收增长超过市场预期"),
    ],
    "kinds of pages": [
        ("The long road home to Calder Bay - Film Review", "The long road home to Calder Bay - Book Review"),
        ("The long road home to Calder Bay", "The long road home to Calder Bay | Trailer"),
        ("Comments on: The long road home to Calder Bay", "The long road home to Calder Bay"),
        ("三十岁转行学编程来得及吗", "回复：三十岁转行学编程来得及吗"),
        ("昭和の団地に暮らす人びと", "昭和の団地に暮らす人びと｜感想"),
        ("공유기 교체 후 프린터 인식 문제", "[답변] 공유기 교체 후 프린터 인식 문제"),
    ],
    "two parts that may both be names": [
        ("Best hiking trails near Fenwick moor | Easy", "Best hiking trails near Fenwick moor | Hard"),
        ("猫が夜中に鳴く理由と対策【初心者向け】", "猫が夜中に鳴く理由と対策【獣医師向け】"),
        ("서울 벚꽃 명소 걷기 - 여의도", "서울 벚꽃 명소 걷기 - 석촌호수"),
    ],
    "translations": [
        ("Tokyo to host the world expo on sustainable cities", "東京、持続可能な都市の万博を開催へ"),
        ("东京大学的历史与传统", "東京大学の歴史と伝統"),
    ],
}  # fmt: skip

SAME = {
    "BC-126 width, composition": [
        ("ﾃｽﾄ自動化入門", "テスト自動化入門"),
        ("한글 검색", unicodedata.normalize("NFD", "한글 검색")),
        ("ＡＩ入門講座 ２０２４", "AI入門講座 2024"),
        ("ﾏｲﾅﾝﾊﾞｰｶｰﾄﾞの更新手続き", "マイナンバーカードの更新手続き"),
        (unicodedata.normalize("NFD", "プログラミングの基礎知識"), "プログラミングの基礎知識"),
    ],
    "BC-126 script of Chinese, from both sides": [
        ("臺灣大學圖書館開放時間", "台湾大学图书馆开放时间"),
        ("台湾大学图书馆开放时间", "臺灣大學圖書館開放時間"),
    ],
    "other scripts": [
        ("Правительство утвердило бюджет на 2025 год — РБК", "ПРАВИТЕЛЬСТВО УТВЕРДИЛО БЮДЖЕТ НА 2025 ГОД | РИА Новости"),
        ("ไทยเปิดตัวรถไฟความเร็วสูงสายใหม่ - ไทยรัฐ", "ไทยเปิดตัวรถไฟความเร็วสูงสายใหม่ | ข่าวสด"),
        ("الحكومة تعلن الميزانية الجديدة لعام 2025", "الحكومةُ تُعلن الميزانيةَ الجديدة لعام ٢٠٢٥"),
        ("सरकार ने नए बजट की घोषणा की", "सरकार ने नए बजट की घोषणा की | आज तक"),
        ("Η κυβέρνηση ανακοίνωσε τον νέο προϋπολογισμό", "Η ΚΥΒΕΡΝΗΣΗ ΑΝΑΚΟΙΝΩΣΕ ΤΟΝ ΝΕΟ ΠΡΟΫΠΟΛΟΓΙΣΜΟ"),
    ],
    "names of sites": [
        ("Senate passes climate bill after marathon debate - BBC News", "Senate Passes Climate Bill After Marathon Debate | The Guardian"),
        ("Senate passes climate bill after marathon debate", "Senate passes climate bill after marathon debate | World news | The Guardian"),
        ("Harbour bridge reopens to traffic early", "Harbour bridge reopens to traffic early - The Harbor Sentinel"),
        ("苹果公司发布新款笔记本电脑_新浪网", "苹果公司发布新款笔记本电脑 - 腾讯新闻"),
        ("【独家】苹果公司发布新款笔记本电脑", "苹果公司发布新款笔记本电脑"),
        ("トヨタ、新型プリウスを発表：朝日新聞デジタル", "トヨタ、新型プリウスを発表 - Yahoo!ニュース"),
        ("猫と暮らす部屋づくりの工夫7選 : ねこの窓辺", "猫と暮らす部屋づくりの工夫7選"),
        ("고양이가 밤에 우는 이유와 해결 방법 :: 집사의 하루", "고양이가 밤에 우는 이유와 해결방법"),
        ("[2311.04567] Flood forecasting in ungauged river basins", "(PDF) Flood forecasting in ungauged river basins"),
        ("Pythonで始めるデータ分析入門 #Python #AI - Qiita", "Pythonで始めるデータ分析入門"),
        ("[속보] 한국은행, 기준금리 3.5% 동결 - 조선일보", "한국은행, 기준금리 3.5% 동결 : 네이버 뉴스"),
    ],
    "typography": [
        ("“Nobody told us”: hauliers’ anger over bridge", "\"Nobody told us\": hauliers' anger over bridge"),
        ("Q&amp;A: what the new rent rules mean", "Q&A: what the new rent rules mean"),
        ("苹果发布会，新款 iPhone 15 亮相", "苹果发布会新款iPhone15亮相"),
        ("City approves $1.2bn budget and 40,000 homes", "City approves $1.2 billion budget and 40 000 homes"),
        ("第三季节目收视率创下新高", "第3季节目收视率创下新高"),
    ],
    "cut": [
        (
            "Parents warned over counterfeit teething gels sold online after inspectors find anaesthetic in nine brands",
            "Parents warned over counterfeit teething gels sold online after inspectors find anaesthetic in nine…",
        ),
        ("男子网购二手相机收到砖头，法院判决商家全额退款并赔偿三倍损失", "男子网购二手相机收到砖头，法院判决商家全额退款并赔偿三倍..."),
    ],
    "an article more": [
        ("The central bank raises interest rates to fight inflation again in March", "Central bank raises interest rates to fight the inflation again in March"),
    ],
}  # fmt: skip


def pairs(table: dict[str, list[tuple[str, str]]]) -> list[object]:
    return [
        pytest.param(*pair, id=f"{kind} {number}") for kind, rows in table.items() for number, pair in enumerate(rows)
    ]


@pytest.mark.parametrize(("one", "other"), pairs(DIFFERENT))
def test_e3_two_texts(one: str, other: str):
    assert not same_story((one, A), (other, B))
    assert not same_story((other, B), (one, A))
    assert not same_story((one, ""), (other, ""))


@pytest.mark.parametrize(("one", "other"), pairs(SAME))
def test_e3_one_text(one: str, other: str):
    assert same_story((one, A), (other, "https://harborsentinel.example/x"))
    assert same_story((other, "https://harborsentinel.example/x"), (one, A))


LONG = "Engineers at the northern harbour spent eleven months rebuilding a listed steel swing bridge with hand tools before winter closed every other crossing"


@pytest.mark.parametrize(
    ("longer", "same"),
    [
        (LONG.replace("engineers", "engineers", 1).replace("steel", "rusty steel"), True),
        (LONG.replace("steel", "former steel"), False),
        (LONG.replace("eleven months", "eleven months 4"), False),
        (LONG.replace("steel", "iron"), False),
        (LONG.replace("closed", "not closed"), False),
        (LONG.replace("listed steel swing", "listed and very rusty old steel swing"), False),
    ],
)
def test_e3_a_long_title_may_have_an_ordinary_word_more_and_no_other_change(longer: str, same: bool):
    assert same_story((LONG, A), (longer, B)) == same


def test_e3_the_index_of_jaccard_must_be_nine_tenths():
    nine = "alpha bravo charlie delta foxtrot hotel india juliett kilo"
    assert same_story((nine, A), (f"{nine} says", B))
    eight = nine.removesuffix(" kilo")
    assert not same_story((eight, A), (f"{eight} says", B))
    assert jaccard(frozenset("abcdefghi"), frozenset("abcdefghij")) == 0.9
    assert jaccard(frozenset("abcdefghij"), frozenset("abcdefghik")) == 9 / 11
    assert jaccard(frozenset(), frozenset()) == 0.0


NINETEEN = (
    "engineers northern harbour spent eleven months rebuilding listed steel swing bridge hand tools winter closed river "
    "crossing traffic timber"
)


@pytest.mark.parametrize(("title", "same"), [(NINETEEN, True), (NINETEEN.removesuffix(" timber"), False)])
def test_e3_a_word_more_is_no_other_text_from_nineteen_words_in_common(title: str, same: bool):
    assert same_story((title, A), (title.replace("steel", "rusty steel"), B)) == same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.site.test/news/bridge", "https://m.site.test/news/bridge", True),
        ("https://www.site.test/news/bridge", "https://www.site.test/amp/news/bridge", True),
        ("https://www.site.test/news/bridge", "https://www.site.test/news/bridge/print", True),
        ("https://www.bbc.com/news/bridge-reopens", "https://www.bbc.co.uk/news/bridge-reopens", True),
        ("https://site.test/old/bridge", "https://site.test/kb/the-bridge", True),
        ("https://site.test/2024/05/01/bridge", "https://site.test/2024/05/02/bridge", False),
        ("https://site.test/bridge?p=3", "https://site.test/bridge?p=4", False),
        ("https://news.site.co.uk/1", "https://site.co.uk/2", False),
        ("https://one.github.io/2", "https://two.github.io/1", True),
        ("https://one.example.com/2", "https://two.example.com/1", True),
        ("https://1.2.3.4/2", "https://1.2.3.5/1", True),
        ("https://en.wikipedia.org/wiki/Bridge", "https://www.britannica.com/bridge", False),
        ("https://www.amazon.de/dp/bridge", "https://shop.test/bridge", False),
    ],
)
def test_e3_one_title_on_two_pages(one: str, other: str, same: bool):
    title = "Old harbour swing bridge reopens after eleven months"
    assert same_story((title, one), (title, other)) == same
    assert same_story((title, other), (title, one)) == same


def test_e3_what_one_site_may_say_every_day_is_another_text_there_and_the_same_elsewhere():
    title = "Gold price per gram today in harbour town"
    assert not same_story((title, "https://site.test/gold-a"), (title, "https://site.test/gold-b"))
    assert same_story((title, "https://site.test/gold-a"), (title, "https://other.test/gold-b"))


def test_e3_a_short_title_tells_where_the_addresses_do():
    assert same_story(
        ("琥珀", "https://lore.example/wiki/hupo"), ("琥珀 - 某某", "https://mirror.lore.example/wiki/hupo")
    )
    assert not same_story(("琥珀", "https://lore.example/wiki/hupo"), ("琥珀", "https://gems.example/hupo"))
    assert not same_story(("Login", "https://lore.example/login"), ("Login", "https://mirror.lore.example/login"))


def test_an_unnamed_part_before_a_title_is_a_name_elsewhere_and_a_mark_at_home():
    title = "清蒸鲈鱼怎么蒸才鲜嫩不腥味"
    assert same_story((f"【菜谱大全】{title}", A), (title, B))
    assert not same_story((f"【菜谱大全】{title}", A), (title, "https://a.test/two"))


@given(st.text(max_size=40), st.text(max_size=40))
def test_it_is_total_and_symmetric(one: str, other: str):
    assert same_story((one, A), (other, B)) == same_story((other, B), (one, A))
    same_story((one, ""), (one, "not a url"))
