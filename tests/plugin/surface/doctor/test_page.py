"""The report as a page, in both languages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from fanseek.surface.doctor.page import page
from fanseek.surface.doctor.report import Address, Checked, KeyNeed, Probe, Report, finding
from fanseek.text.columns import width

UNTIL = datetime(2026, 12, 1, 13, 45, tzinfo=UTC)
TIME = f"{UNTIL.astimezone():%H:%M:%S}"


def probe(status: Any = "ok", **fields: Any) -> Probe:
    return Probe(**{"origin": "https://one.test", "way": "direct", "status": status, "ms": 35.4, **fields})


def one(name: str, *probes: Probe, **fields: Any) -> Checked:
    answers = any(each.answered for each in probes) if probes else None
    return Checked(
        **{
            "name": name,
            "enabled": True,
            "switch": f"enable{name.title()}",
            "answers": answers,
            "addresses": tuple(Address(probe=each) for each in probes),
            **fields,
        }
    )


REPORT = Report(
    status="ok",
    summary=finding("summary.ok", answering=3, asked=5),
    surroundings=(
        finding("versions", "fine", fanseek="0.1.0", python="3.11.7", system="Linux x86_64"),
        finding("config.none", "fine", path="~/.config/fanseek/config.toml"),
        finding("clock.ahead", "problem", minutes=10),
    ),
    backends=(
        one("exa", probe(), key=KeyNeed(reference="EXA_API_KEY", required=False)),
        one("brave", probe(), key=KeyNeed(reference="BRAVE_API_KEY", required=True, place="key file", keys=1)),
        one(
            "searxng",
            probe("ok", origin="https://a.test"),
            probe("rate-limit", origin="https://b.test", message="HTTP 429", ms=12),
        ),
        one(
            "ddg",
            probe("blocked", message="a captcha"),
            findings=(finding("advice.blocked", "problem"),),
            cooling_until=UNTIL,
            reason="blocked",
        ),
        Checked(
            name="mojeek",
            enabled=True,
            switch="enableMojeek",
            answers=False,
            addresses=(
                Address(
                    probe=probe("network", message="refused", way="proxy", proxy="http://p.test:1"),
                    other=probe("ok"),
                ),
            ),
            findings=(finding("other.direct", "problem", origin="https://one.test", proxy="http://p.test:1"),),
        ),
        one(
            "tavily",
            enabled=False,
            key=KeyNeed(reference="TAVILY_API_KEY", required=True),
            findings=(finding("off.key", reference="TAVILY_API_KEY", get="https://app.test"),),
        ),
    ),
)

ENGLISH = f"""\
Surroundings
  Fanseek 0.1.0, Python 3.11.7, Linux x86_64
  config file: none (it would be ~/.config/fanseek/config.toml)
! this machine's clock is 10 minutes ahead of the services': set it, certificates and dates depend on it

Backends
✓ exa      35 ms · direct · no key needed (EXA_API_KEY may hold one)
✓ brave    35 ms · direct · key BRAVE_API_KEY (key file)
✓ searxng  1 of 2 addresses answer
           ✓ https://a.test  35 ms · direct
           ✗ https://b.test  rate-limit: HTTP 429 · 12 ms · direct
✗ ddg      blocked: a captcha · 35 ms · direct
           searches leave it alone until {TIME} (blocked)
✗ mojeek   network: refused · 35 ms · by proxy http://p.test:1
           https://one.test answers direct, not by proxy http://p.test:1: set proxy to direct (FANSEEK_PROXY=direct), or list its host in NO_PROXY
- tavily   off: no key under TAVILY_API_KEY (get one: https://app.test)

What to do
  ddg: it takes this machine for a robot: wait, ask less often, or use another network or proxy
  store a key with fanseek keys set NAME, or put it into the variable of that name

3 of 5 backends that were asked answer.
"""

CHINESE = f"""\
环境
  版本：Fanseek 0.1.0，Python 3.11.7，Linux x86_64
  配置文件：没有（位置应为 ~/.config/fanseek/config.toml）
! 本机时钟比各服务的时钟快 10 分钟：请校准，证书和日期都依赖它

引擎
✓ exa      35 毫秒 · 直连 · 不需要密钥（EXA_API_KEY 可以放一个）
✓ brave    35 毫秒 · 直连 · 密钥 BRAVE_API_KEY（密钥文件）
✓ searxng  2 个地址中有 1 个应答
           ✓ https://a.test  35 毫秒 · 直连
           ✗ https://b.test  请求过于频繁：HTTP 429 · 12 毫秒 · 直连
✗ ddg      被拦截（要求验证）：a captcha · 35 毫秒 · 直连
           {TIME} 之前搜索不会询问它（被拦截（要求验证））
✗ mojeek   网络连接失败：refused · 35 毫秒 · 经代理 http://p.test:1
           https://one.test 直连可达，经代理 http://p.test:1 不可达：把 proxy 设为 direct（FANSEEK_PROXY=direct），或把它的主机写进 NO_PROXY
- tavily   未启用：TAVILY_API_KEY 没有密钥（申请：https://app.test）

怎么办
  ddg：它把本机当作机器人：请等待、降低频率，或换用其他网络或代理
  用 fanseek keys set NAME 保存密钥，或放进同名的环境变量

询问了 5 个引擎，3 个应答。
"""


def test_x27_the_page_in_english() -> None:
    assert page(REPORT, "en") == ENGLISH


def test_x27_the_page_in_chinese() -> None:
    assert page(REPORT, "zh") == CHINESE


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_fits_the_terminal(lang: Any, columns: int) -> None:
    """Only what can't be broken, an address, may be longer."""
    text = page(REPORT, lang, columns)
    for line in text.split("\n"):
        assert width(line) <= columns or " " not in line.strip(), line
    assert "".join(text.split()) == "".join(page(REPORT, lang).split())


def cut(name: str, host: str) -> Checked:
    return one(
        name, probe("network", message=f'could not resolve host "{host}"'), findings=(finding("advice.network"),)
    )


def test_without_a_network_there_is_one_line_and_one_sentence() -> None:
    several = tuple(cut(f"b{number}", f"h{number}.test") for number in range(11))
    text = page(Report(status="none", summary=finding("summary.unreachable"), backends=several), "en")
    lines = [line for line in text.split("\n") if line.startswith("✗")]
    names = ", ".join(each.name for each in several)
    assert lines == [f'✗ {names}  no connection; such as could not resolve host "h0.test"']
    assert "What to do" not in text
    assert text.count("No backend can be reached") == 1


def test_one_backend_without_a_connection_stands_by_itself() -> None:
    text = page(
        Report(
            status="ok",
            summary=finding("summary.ok", answering=1, asked=2),
            backends=(one("a", probe()), cut("b", "h.test")),
        ),
        "en",
    )
    assert '✗ b  network: could not resolve host "h.test"' in text
    assert "  b: no connection to it" in text


def test_advice_is_given_once_with_everyone_it_is_for() -> None:
    limited = probe("rate-limit", message="HTTP 429")
    several = tuple(one(name, limited, findings=(finding("advice.rate-limit"),)) for name in "abc")
    text = page(Report(status="none", summary=finding("summary.none", asked=3), backends=several), "en")
    assert text.count("it was asked too often") == 1
    assert "  a, b, c: it was asked too often" in text


def test_nothing_reaches_a_terminal_alive() -> None:
    """BC-102: what a service says is foreign."""
    evil = "a\x1b]0;pwn\x07b\x1b[2J\u202ec\nd"
    text = page(
        Report(
            status="none", summary=finding("summary.none", asked=1), backends=(one("x", probe("server", message=evil)),)
        ),
        "en",
    )
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "server: abc d · 35 ms" in text


def test_what_was_made_up_says_so_first() -> None:
    made_up = Report(status="unasked", summary=finding("summary.disabled", enabled=0, all=0), synthetic=True)
    assert page(made_up, "en").startswith("[SYNTHETIC: ")
    assert page(made_up, "zh").startswith("[合成数据：")
