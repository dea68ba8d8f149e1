"""The README's own example, as it stands there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from fanseek.sandbox import Sandbox

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
async def test_the_example_of_a_cordis_host_runs(
    readme: str, box: Sandbox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in box.settings().items():
        monkeypatch.setenv("FANSEEK_" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper(), str(value))
    text = (ROOT / readme).read_text(encoding="utf-8")
    found = re.search(r"<!-- cordis host -->\n```python\n(.*?)```", text, re.DOTALL)
    assert found
    code = compile(found[1], readme, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    await eval(code, {})
    sources, _, rest = capsys.readouterr().out.partition("] ")
    assert "[websearch backends]" in rest
    assert sources.startswith("[")
