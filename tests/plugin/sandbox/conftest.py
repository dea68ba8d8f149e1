"""A sandbox of small backends of our own, and httpx as its client."""

from __future__ import annotations

import httpx
import pytest

from fanseek.sandbox import Sandbox
from stand_ins import stand_ins


@pytest.fixture
async def box():
    async with Sandbox(backends=stand_ins()) as running:
        yield running


@pytest.fixture
async def client(box):
    async with httpx.AsyncClient(base_url=box.url, timeout=10, trust_env=False) as one:
        yield one
