"""The unmodified plugin's life in every host: mounted, waiting, serving, updated, unwound, gone."""

from __future__ import annotations

import asyncio
import importlib
from typing import Any

import anyio
import pytest

import fanseek
from cordis_hosts import Host, asked, hang
from fanseek.sandbox import Sandbox
from fanseek.surface.cordis import web
from fanseek.surface.seam import WebError

module = importlib.import_module("fanseek.surface.cordis")


@pytest.mark.parametrize("plugin", [fanseek, fanseek.apply, module], ids=["fanseek", "fanseek.apply", "surface.cordis"])
async def test_a5_exactly_one_provider_unified(host: Host, seam: Any, config: dict[str, Any], plugin: Any) -> None:
    """A5, B1: without an id configured it is chosen."""
    handle = await host.mount(plugin, config)
    assert host.is_active(handle)
    assert seam.search_providers == ("unified",)
    found = await seam.search({"query": "rust async runtime", "maxResults": 3})
    assert len(found["sources"]) == 3
    assert found["truncated"]
    assert set(found) <= {"content", "sources", "truncated"}
    await host.unmount(handle)
    assert seam.search_providers == ()


async def test_it_waits_for_web_and_follows_its_loss_and_return(host: Host, config: dict[str, Any]) -> None:
    """A3: mounted before the service, it is active with it, unwound without it, and active again with the next one."""
    handle = await host.mount(fanseek, config)
    assert not host.is_active(handle)
    for _ in range(2):
        given = await host.mount(web)
        await host.settle(handle)
        assert host.is_active(handle)
        seam = host.get("web")
        assert seam.search_providers == ("unified",)
        assert (await seam.search({"query": "rust async runtime"}))["sources"]
        await host.unmount(given)
        await host.settle(handle)
        assert not host.is_active(handle)
        assert seam.search_providers == ()
        assert host.get("web") is None
    await host.unmount(handle)


async def test_b18_after_dispose_nothing_is_left(host: Host, seam: Any, config: dict[str, Any]) -> None:
    """B18: no provider, no task; the host may be asked twice, and it can be mounted anew."""
    handle = await host.mount(fanseek, config)
    await seam.search({"query": "rust"})
    assert any(task.get_name() == "fanseek engine" for task in asyncio.all_tasks())
    await host.unmount(handle)
    assert not [task for task in asyncio.all_tasks() if "fanseek" in task.get_name()]
    with pytest.raises(WebError) as caught:
        await seam.search({"query": "rust"})
    assert caught.value.code == "WEB_PROVIDER_UNAVAILABLE"
    again = await host.mount(fanseek, config)
    assert (await seam.search({"query": "rust"}))["sources"]
    await host.unmount(again)


async def test_a_new_configuration_counts_from_the_next_search_on(
    host: Host, seam: Any, config: dict[str, Any]
) -> None:
    handle = await host.mount(fanseek, {**config, "numResults": 2})
    assert len((await seam.search({"query": "rust"}))["sources"]) == 2
    handle = await host.update(fanseek, handle, {**config, "numResults": 4})
    assert host.is_active(handle)
    assert seam.search_providers == ("unified",)
    assert len((await seam.search({"query": "rust"}))["sources"]) == 4
    await host.unmount(handle)


async def test_a_wrong_configuration_is_refused_and_the_old_one_serves_where_the_host_can(
    host: Host, seam: Any, config: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The message names the setting and never a value; nothing of a plugin that did not load is registered."""
    canary = "canary-7f3a-secret"
    handle = await host.mount(fanseek, config)
    wrong = {**config, "numResults": 99, "braveApiKey": canary}
    if host.updates:
        with pytest.raises(Exception, match=r"numResults|braveApiKey") as caught:
            await host.update(fanseek, handle, wrong)
        assert canary not in str(caught.value)
        assert host.is_active(handle)
        assert (await seam.search({"query": "rust"}))["sources"]
        await host.unmount(handle)
    else:
        failed = await host.update(fanseek, handle, wrong)
        assert not host.is_active(failed)
        assert seam.search_providers == ()
        await host.unmount(failed)
    assert canary not in caplog.text
    again = await host.mount(fanseek, config)
    assert seam.search_providers == ("unified",)
    await host.unmount(again)


async def test_b9_unloading_ends_what_runs_with_web_aborted(
    host: Host, seam: Any, box: Sandbox, config: dict[str, Any]
) -> None:
    """B9: the host is not held up by backends that hang."""
    handle = await host.mount(fanseek, config)
    provider_error: list[str] = []

    async def one(number: int) -> None:
        with pytest.raises(WebError) as caught:
            await seam.search({"query": f"rust {number}"})
        provider_error.append(caught.value.code)

    hang(box)
    with anyio.fail_after(4):
        async with anyio.create_task_group() as group:
            for number in range(4):
                group.start_soon(one, number)
            await asked(box)
            await host.unmount(handle)
    assert provider_error == ["WEB_ABORTED"] * 4


async def test_two_mounts_are_one_too_many(host: Host, seam: Any, config: dict[str, Any]) -> None:
    """HF7: WEB_DUPLICATE_PROVIDER; the first one is not harmed, and the second leaves nothing."""
    first = await host.mount(fanseek.apply, config)
    second = await host.mount(module, config)
    assert host.is_active(first)
    assert not host.is_active(second)
    assert (await seam.search({"query": "rust"}))["sources"]
    await host.unmount(second)
    assert seam.search_providers == ("unified",)
    await host.unmount(first)


async def test_an_engine_that_cannot_open_is_told_and_tried_again(
    host: Host, seam: Any, config: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that fails for a reason of ours leaves a plugin that works when the reason is gone."""
    handle = await host.mount(fanseek, config)
    monkeypatch.setenv("FANSEEK_NUM_RESULTS", "canary")
    with pytest.raises(WebError, match=r"FANSEEK_NUM_RESULTS|numResults") as caught:
        await seam.search({"query": "rust"})
    assert caught.value.code == "WEB_PROVIDER_ERROR"
    assert "canary" not in caught.value.message
    monkeypatch.delenv("FANSEEK_NUM_RESULTS")
    assert (await seam.search({"query": "rust"}))["sources"]
    await host.unmount(handle)


async def test_nothing_is_opened_before_the_first_search(host: Host, seam: Any, config: dict[str, Any]) -> None:
    handle = await host.mount(fanseek, config)
    assert not [task for task in asyncio.all_tasks() if "fanseek" in task.get_name()]
    await host.unmount(handle)
