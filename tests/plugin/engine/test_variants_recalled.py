"""Searches in several variants, and shaped ones, beside the cache. In real time: the cache works on threads."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from msgspec import UNSET

from fanseek.contract import Request, Response
from fanseek.engine import recall
from fanseek.errors import BackendError, UsageError
from scripted import answers, body, stage


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that waits for a busy disk."""
    monkeypatch.setattr(recall, "PATIENCE_S", 30)


FOUND = {
    "sftp vs rsync": ["https://one.test/", "https://both.test/"],
    "sftp": ["https://two.test/", "https://both.test/"],
    "rsync": ["https://three.test/", "https://both.test/"],
}


def by_query(found: dict[str, list[str]]) -> Any:
    async def script(request: Request) -> Response:
        query = parse_qs(urlsplit(request.url).query)["q"][0]
        if query not in found:
            raise BackendError("server", "broken")
        return body(*found[query])

    return script


async def test_a_failing_part_is_told_and_its_result_is_not_kept(tmp_path):
    partly = {query: urls for query, urls in FOUND.items() if query != "rsync"}
    async with stage({"a": by_query(partly), "b": by_query(FOUND)}, multi_query_enabled=True, cache_dir=tmp_path) as on:
        result = await on.search("sftp vs rsync")
        assert result.status == "partial"
        assert result.outcomes[0].status == "partial"
        assert 'the part "rsync" failed (server): broken' in result.outcomes[0].message
        assert "broken" in result.to_text()
        assert (await on.search("sftp vs rsync")).cached_age_s is None


async def test_the_whole_is_cached_under_its_parts(tmp_path):
    """G2, L4: of a result of the cache too, what was asked instead is there only where that was."""
    async with stage({"a": by_query(FOUND)}, cache_dir=tmp_path) as on:
        first = await on.search("sftp vs rsync", multi_query=True)
        again = await on.search("please search for sftp vs rsync", multi_query=True)
        assert again.cached_age_s is not None
        assert again.sources == first.sources
        assert (again.query, again.query_rewritten) == ("please search for sftp vs rsync", "sftp vs rsync")
        assert [note.kind for note in again.notes] == ["query_rewritten", "sub_queries"]
        assert len(on.upstreams.requests) == 3
        assert (await on.search("sftp vs rsync", multi_query=True)).query_rewritten is UNSET
        alone = await on.search("sftp vs rsync")
        assert alone.cached_age_s is None
        assert alone.query_rewritten is UNSET


async def test_g1_an_emptied_query_is_refused_before_any_request_and_not_cached(tmp_path):
    async with stage({"a": answers("https://x.test/")}, cache_dir=tmp_path) as on:
        for query in ("搜索", "search", "请帮我查一下"):
            with pytest.raises(UsageError) as caught:
                await on.search(query)
            assert caught.value.code == "INVALID_ARGUMENTS"
        assert on.upstreams.requests == []
        assert on.events == []
        assert not list(tmp_path.rglob("*.json"))
