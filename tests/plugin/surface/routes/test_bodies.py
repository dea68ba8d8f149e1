"""What the routes answer: rows O4 and O5 of the history, and what the settings panel shows of each backend."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from fanseek import open_engine
from fanseek.errors import UsageError
from fanseek.sandbox import Fault, Sandbox, fault
from fanseek.surface.routes.bodies import cleared_body, history_body, probe_body, schema_body, status_body

CANARY = "canary-key-8f14e45fceea467f"


@asynccontextmanager
async def opened(place: Path, faults: dict[str, Fault] | None = None, **settings: Any):
    async with (
        Sandbox(faults=(faults or {}).items()) as box,
        open_engine(
            box.settings(), overrides=settings, environment=box.environment, history_dir=place, state_dir=place
        ) as engine,
    ):
        yield engine


def by_id(body: dict[str, Any]) -> dict[str, Any]:
    return {row["id"]: row for row in body["backends"]}


async def test_o4_the_history_is_entries_and_backends_without_any_error_text(tmp_path: Path):
    async with opened(tmp_path, {"brave": fault("500"), "mojeek": fault("403")}) as engine:
        await engine.search("tidal turbines")
        await engine.search("wave power")
        body = await history_body(engine)
    assert set(body) == {"ok", "entries", "backends"}
    assert body["ok"] is True
    assert [entry["query"] for entry in body["entries"]] == ["wave power", "tidal turbines"]
    for entry in body["entries"]:
        assert set(entry) == {"query", "time", "resultCount", "backendsOk", "backendsTotal"}
    rows = by_id(body)
    assert len(rows) == 11
    for row in body["backends"]:
        assert set(row) == {"id", "ok", "ms", "at", "failCount", "cooled"}
        assert row["at"] >= body["entries"][-1]["time"] // 1000 * 1000
        assert row["ms"] >= 0
    assert [(rows[name]["ok"], rows[name]["failCount"]) for name in ("brave", "exa")] == [(False, 2), (True, 0)]
    assert rows["brave"]["cooled"] is False
    assert not any(isinstance(value, str) for row in body["backends"] for name, value in row.items() if name != "id")
    assert json.loads(json.dumps(body)) == body


async def test_o4_a_backend_that_rests_is_told_also_by_a_process_that_has_not_asked_it(tmp_path: Path):
    async with Sandbox(faults=[("brave", fault("500"))]) as box:
        async with open_engine(
            box.settings(), environment=box.environment, history_dir=tmp_path, state_dir=tmp_path
        ) as engine:
            for number in range(3):
                await engine.search(f"tidal turbines {number}")
        async with open_engine(
            box.settings(), environment=box.environment, history_dir=tmp_path, state_dir=tmp_path
        ) as engine:
            body = await history_body(engine)
    row = by_id(body)["brave"]
    assert (row["ok"], row["cooled"], row["failCount"], row["ms"]) == (False, True, 3, None)
    assert row["at"] >= body["entries"][-1]["time"] // 1000 * 1000
    assert set(by_id(body)) == {"brave"}


async def test_o5_clearing_leaves_nothing(tmp_path: Path):
    async with opened(tmp_path) as engine:
        await engine.search("tidal turbines")
        assert len((await history_body(engine))["entries"]) == 1
        assert await cleared_body(engine) == {"ok": True, "cleared": True}
        assert (await history_body(engine))["entries"] == []
    assert not (tmp_path / "history.json").exists()


async def test_o5_what_could_not_be_cleared_is_not_said_to_be(tmp_path: Path):
    (tmp_path / "history.json").mkdir()
    async with opened(tmp_path) as engine:
        assert await cleared_body(engine) == {"ok": False, "cleared": False}


async def test_the_status_says_who_is_ready_and_why_others_are_not(tmp_path: Path):
    async with opened(tmp_path, {"ddg": fault("500")}, enableExa="off", enableAnthropic="auto") as engine:
        before = by_id(status_body(engine))
        for number in range(3):
            await engine.search(f"tidal turbines {number}")
        after, chinese = by_id(status_body(engine)), by_id(status_body(engine, "zh"))
    assert {name: before[name]["state"] for name in ("exa", "anthropic", "brave", "ddg")} == {
        "exa": "off",
        "anthropic": "costs",
        "brave": "ready",
        "ddg": "ready",
    }
    assert before["brave"]["keyName"] == "BRAVE_API_KEY"
    assert before["brave"]["keyFound"] is True
    assert before["brave"]["keyUrl"].startswith("https://")
    assert before["ddg"]["takesKey"] is False
    assert after["ddg"]["state"] == "cooling"
    assert after["ddg"]["coolingUntil"].endswith("Z")
    assert after["ddg"]["lastError"]["outcome"] == "server"
    assert after["brave"]["lastError"] is None
    assert "500" in after["ddg"]["lastError"]["message"]
    assert chinese["ddg"]["lastError"]["message"]


async def test_a_backend_without_its_key_says_so_and_a_test_of_it_sends_nothing(tmp_path: Path):
    async with Sandbox() as box, open_engine({**box.settings(), "enableBrave": "auto"}, environment={}) as engine:
        row = by_id(status_body(engine))["brave"]
        tested = await probe_body(engine, "brave")
        assert not box.log["brave"]
    assert (row["state"], row["needsKey"], row["keyFound"]) == ("no-key", True, False)
    assert (tested["ok"], tested["outcome"]) == (False, "skipped")
    assert "BRAVE_API_KEY" in tested["message"]


async def test_a_test_asks_one_backend_once_also_where_it_is_off_and_leaves_no_history(tmp_path: Path):
    async with opened(tmp_path, enableExa="off") as engine:
        good = await probe_body(engine, "exa", "tidal turbines")
        assert (good["ok"], good["outcome"], good["backend"]) == (True, "ok", "exa")
        assert good["results"] >= 1
        assert (await history_body(engine))["entries"] == []
        assert by_id(await history_body(engine))["exa"]["ok"] is True
        with pytest.raises(UsageError):
            await probe_body(engine, "nobody")


async def test_a_failing_test_says_why_in_both_languages(tmp_path: Path):
    async with opened(tmp_path, {"ddg": fault("500")}) as engine:
        english, chinese = await probe_body(engine, "ddg"), await probe_body(engine, "ddg", lang="zh")
    assert (english["ok"], english["outcome"]) == (False, "server")
    assert english["message"] != chinese["message"]
    assert "ddg" in english["message"]


async def test_no_key_is_in_any_body(tmp_path: Path):
    names = [row["keyName"] for row in await _rows(tmp_path) if row["takesKey"]]
    environment = dict.fromkeys(names, CANARY)
    async with (
        Sandbox(faults=[("brave", fault("401"))]) as box,
        open_engine(box.settings(), environment=environment, history_dir=tmp_path) as engine,
    ):
        await engine.search(f"tidal turbines {CANARY}")
        bodies = [await history_body(engine), status_body(engine), await probe_body(engine, "brave"), schema_body()]
    assert len(names) >= 7
    assert CANARY not in json.dumps(bodies)


async def _rows(place: Path) -> list[dict[str, Any]]:
    async with opened(place) as engine:
        return list(status_body(engine)["backends"])


def test_the_schema_is_the_one_that_is_shipped():
    shipped = json.loads(Path("settings_schema.json").read_text(encoding="utf-8"))
    body = schema_body()
    assert body == {"ok": True, "schema": shipped, "words": body["words"]}
    for lang in ("en", "zh"):
        assert body["words"][lang]["properties"].keys() == shipped["properties"].keys()
        assert body["words"][lang]["groups"].keys() == {group["name"] for group in shipped["x-groups"]}
    assert body["words"]["en"]["groups"]["cache"] != body["words"]["zh"]["groups"]["cache"]
