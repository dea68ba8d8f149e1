"""Keys in whole engines over real sockets: where they come from, how they take turns, and that none is seen again."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import msgspec
import pytest

import loopback
from fanseek import open_engine
from fanseek.config.options import options
from fanseek.errors import AllFailed
from fanseek.registry import backends
from fanseek.sandbox import running

ENOUGH = json.dumps({"results": [{"url": "https://found.test/", "title": "Found"}], "query": "q"}).encode()
SPENT = b'{"detail":{"error":"This request exceeds your plan\'s set usage limit."}}'

SHAPES = {
    "prefixed": "sk-proj-Qw3rTy{}UiOpAsDfGh",
    "branded": "tvly-dev-Zx9Cv{}Bn7Mq2Wd",
    "hex": "0f1e2d3c4b5a69788796a5b4c3d2e1{}f",
    "uuid": "8f14e45f-ceea-467f-a0e6-9b1c2d3e4f5{}",
    "base64": "Zm9vYmFyYmF6cXV4{}+/aZ09==",
    "url-like": "k.e~y_{}!a:b@c%2F",
    "short": "q7x{}z",
}
"""Keys as vendors shape them; `{}` tells two of a kind apart."""


def at(server: loopback.Server) -> dict[str, Any]:
    return {option.key: server.url for option in options().values() if option.is_base_url} | {"proxy": "direct"}


def by_key(replies: dict[str, tuple[int, bytes]]) -> Callable[[loopback.Request], bytes]:
    def answer(request: loopback.Request) -> bytes:
        key = request.headers[b"authorization"].decode().removeprefix("Bearer ")
        status, body = replies[key]
        return loopback.response(body, status=status, headers=[("content-type", "application/json")])

    return answer


def used(server: loopback.Server) -> list[str]:
    return [request.headers[b"authorization"].decode().removeprefix("Bearer ") for request in server.requests]


@pytest.mark.parametrize(
    ("environment", "replies"),
    [
        ({"TAVILY_API_KEY": "k1,k2,k3"}, {"k1": (429, b""), "k2": (401, b""), "k3": (200, ENOUGH)}),
        ({"TAVILY_API_KEY": "k1,k2"}, {"k1": (432, SPENT), "k2": (200, ENOUGH)}),
        ({"TAVILY_API_KEY": "k1", "TAVILY_API_KEY_2": "k2"}, {"k1": (433, SPENT), "k2": (200, ENOUGH)}),
        ({"TAVILY_API_KEYS": "k1,k2"}, {"k1": (402, b""), "k2": (200, ENOUGH)}),
        ({"TAVILY_API_KEY": "k1,k2,k3"}, {"k1": (400, b"")}),
        ({"TAVILY_API_KEY": "k1,k2,k3"}, {"k1": (503, b"")}),
    ],
    ids=["BC-036", "BC-037", "BC-037 numbered", "N12", "400", "503"],
)
async def test_bc_036_bc_037_as_they_stand(
    environment: dict[str, str], replies: dict[str, tuple[int, bytes]], tmp_path: Path
) -> None:
    async with (
        loopback.serve(loopback.responder(by_key(replies))) as server,
        open_engine(at(server), environment=environment, state_dir=tmp_path) as engine,
    ):
        try:
            status = (await engine.search("q", backends=["tavily"])).outcomes[0].status
        except AllFailed as problem:
            status = problem.outcomes[0].status
    assert used(server) == list(replies)
    assert status == (
        "ok" if replies[used(server)[-1]][0] == 200 else {400: "bad-request", 503: "server"}[replies["k1"][0]]
    )


async def test_b4_the_host_s_credentials_come_first_then_the_environment_then_the_key_file(tmp_path: Path) -> None:
    """A key that appears, or goes, between two searches of one engine is seen."""
    file = tmp_path / "keys.json"
    host: dict[str, str] = {}
    environment: dict[str, str] = {}
    replies = dict.fromkeys(("of-host", "of-environment", "of-file"), (200, ENOUGH))
    async with (
        loopback.serve(loopback.responder(by_key(replies))) as server,
        open_engine(
            at(server) | {f"enable{name.capitalize()}": "off" for name in backends() if name != "tavily"},
            environment=environment,
            credentials=host.get,
            key_file=file,
        ) as engine,
    ):
        assert not engine.available()
        file.write_text('{"TAVILY_API_KEY": "of-file"}', encoding="utf-8")
        file.chmod(0o600)
        await engine.search("one")
        environment["TAVILY_API_KEY"] = "of-environment"
        await engine.search("two")
        host["TAVILY_API_KEY"] = "of-host"
        await engine.search("three")
        host.clear()
        await engine.search("four")
    assert used(server) == ["of-file", "of-environment", "of-host", "of-environment"]


async def test_n14_a_renamed_reference_reads_the_other_variable() -> None:
    async with loopback.serve(loopback.responder(by_key({"k2": (200, ENOUGH)}))) as server:
        environment = {"TAVILY_API_KEY": "k1", "OTHER": "k2"}
        async with open_engine(at(server) | {"tavilyApiKeyEnv": "OTHER"}, environment=environment) as engine:
            await engine.search("q", backends=["tavily"])
    assert used(server) == ["k2"]


@pytest.mark.parametrize("status", [200, 401, 403, 429, 500])
@pytest.mark.parametrize("shape", SHAPES)
async def test_n11_bc_040_no_key_of_several_is_seen_again(
    shape: str, status: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Every backend has two keys, and the service says back all it was sent."""
    caplog.set_level(logging.DEBUG)
    pool = [SHAPES[shape].format(number) for number in "12"]
    names = {option.default: ",".join(pool) for option in options().values() if option.is_reference}
    events: list[str] = []

    def echo(request: loopback.Request) -> bytes:
        seen = (request.head + b"\r\n" + request.body).decode("latin-1")
        body = json.dumps({"error": {"message": seen, "code": seen}, "detail": {"error": seen}, "message": seen})
        return loopback.response(body.encode(), status=status, headers=[("content-type", "application/json")])

    async with loopback.serve(loopback.responder(echo)) as server:
        async with open_engine(
            at(server),
            environment=names,
            on_event=lambda event: events.append(repr(event)),
            state_dir=tmp_path,
            cache_dir=tmp_path,
            history_dir=tmp_path,
        ) as engine:
            shown = ""
            for _ in range(2):
                with pytest.raises(AllFailed) as caught:
                    await engine.search("tidal turbines", backends=list(backends()))
                result = caught.value.result
                shown += f"{caught.value} {caught.value!r} {result} {json.dumps(result.to_dict())} {result.to_text()}"
            shown += f"{msgspec.json.encode(engine.status())!r} {engine.status()}"
        targets = [request.target.decode() for request in server.requests]
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("latin-1")
    for said in (shown, str(events), caplog.text, files):
        assert not [key for key in pool if key in said or (len(key) > 8 and key[:-4] in said)]
    carried = [target for target in targets for key in pool if key in unquote_plus(target)]
    assert carried
    assert all("api_key=" in target for target in carried)


def test_n1_two_processes_use_each_key_alike(tmp_path: Path) -> None:
    """2 processes × 50 searches over 5 keys use each 20 times ± 1."""
    code = """
import sys, anyio
from pathlib import Path
from fanseek import open_engine
settings, name, state = eval(sys.stdin.read())

async def main():
    async with open_engine(settings, environment={name: "k1,k2,k3,k4,k5"}, state_dir=Path(state)) as engine:
        for number in range(50):
            await engine.search(f"question {number} of {id(engine)}", backends=["serper"])

anyio.run(main)
"""
    with running() as box:
        given = repr((box.settings(), "SERPER_API_KEY", str(tmp_path))).encode()
        started = [subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) for _ in range(2)]
        for one in started:
            assert one.stdin is not None
            one.stdin.write(given)
            one.stdin.close()
        assert [one.wait(120) for one in started] == [0, 0]
        count = Counter(dict(one.headers)["x-api-key"] for one in box.log["serper"])
    assert sum(count.values()) == 100
    assert all(19 <= times <= 21 for times in count.values()), count
    assert len(count) == 5
