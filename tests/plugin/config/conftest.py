"""Two made-up backends, so that the rules are seen apart from the ones there happen to be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import pytest
from msgspec import Meta

from fanseek.contract import AnyBackend, Backend, BackendSettings, Docs, KeyedSettings


class Keyed(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = "https://api.demo.example/v1"
    api_key_env: str = "DEMO_API_KEY"
    model: str = "large"
    search_depth: Annotated[int, Meta(title="Depth", description="How deep.", ge=1, le=3)] = 1


class Instances(BackendSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = ""
    base_urls: tuple[str, ...] = ("https://a.example", "https://b.example")


def backend(name: str, settings: type[BackendSettings]) -> AnyBackend:
    return Backend(
        name=name,
        family=name,
        settings=settings,
        operations={},
        docs=Docs(url="https://docs.example", checked="2026-11-30", receives="nobody"),
    )


@pytest.fixture
def known() -> Mapping[str, AnyBackend]:
    return {"demo": backend("demo", Keyed), "meta": backend("meta", Instances)}
