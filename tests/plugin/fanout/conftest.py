"""Everything here runs in virtual time."""

from __future__ import annotations

from typing import Any

import pytest

from virtual import virtual


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return virtual(request.param)
