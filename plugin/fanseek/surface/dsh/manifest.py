"""A profile's package.json: which bundles it loads. Written as the harness writes it, indented as it was."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from fanseek.surface.dsh.files import body
from fanseek.surface.dsh.profile import PACKAGE
from fanseek.surface.dsh.refusal import Refusal


class Manifest:
    """What the file holds."""

    def __init__(self, path: Path, raw: bytes) -> None:
        self._path = path
        self._raw = raw
        self._whole = _parsed(path, raw)
        self.bundles = _bundles(path, self._whole)

    @property
    def listed(self) -> bool:
        """Whether our bundle is loaded."""
        return PACKAGE in self.bundles

    @property
    def dependency(self) -> str | None:
        """Where our package is said to come from."""
        found = self._dependencies().get(PACKAGE)
        return found if isinstance(found, str) else None

    def with_bundle(self, source: str) -> bytes:
        """The file with our bundle in it, after all others; the same bytes where it is there already."""
        if self.listed and self.dependency == source:
            return self._raw
        bundles = self.bundles if self.listed else [*self.bundles, PACKAGE]
        return self._with(bundles, {**self._dependencies(), PACKAGE: source})

    def switched_off(self) -> bytes:
        """The file that doesn't load our bundle, though the package stays."""
        return self._with([one for one in self.bundles if one != PACKAGE], None) if self.listed else self._raw

    def without_package(self) -> bytes:
        """The file with nothing of ours in it."""
        if not self.listed and self.dependency is None:
            return self._raw
        rest = {name: value for name, value in self._dependencies().items() if name != PACKAGE}
        return self._with([one for one in self.bundles if one != PACKAGE], rest)

    def _dependencies(self) -> dict[str, Any]:
        found = self._whole.get("dependencies")
        return found if isinstance(found, dict) else {}

    def _with(self, bundles: list[str], dependencies: dict[str, Any] | None) -> bytes:
        dsh = self._whole.get("dsh") or {}
        profile = {**(dsh.get("profile") or {}), "bundles": bundles}
        whole = {**self._whole, "dsh": {**dsh, "profile": profile}}
        if dependencies is not None and (dependencies or "dependencies" in whole):
            whole["dependencies"] = dependencies
        text = self._raw.decode("utf-8-sig")
        indent = re.search(r"\n([ \t]+)\S", text)
        written = json.dumps(whole, indent=indent[1] if indent else 2, ensure_ascii=False)
        return (written + ("\n" if text.endswith("\n") else "")).encode("utf-8")


def read(path: Path) -> Manifest:
    """Raises Refusal where it can't be read, such as one that is half written."""
    try:
        raw = body(path)
    except OSError as problem:
        raise Refusal("unreadable", file=path, message=problem.strerror or type(problem).__name__) from None
    if raw is None:
        raise Refusal("unreadable", file=path, message="no such file")
    return Manifest(path, raw)


def _parsed(path: Path, raw: bytes) -> dict[str, Any]:
    try:
        whole = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Refusal("broken-json", file=path, line=1, message="no UTF-8") from None
    except json.JSONDecodeError as problem:
        raise Refusal("broken-json", file=path, line=problem.lineno, message=problem.msg) from None
    except RecursionError:
        raise Refusal("broken-json", file=path, line=1, message="nested too deep") from None
    if not isinstance(whole, dict):
        raise Refusal("broken-json", file=path, line=1, message="no object")
    return whole


def _bundles(path: Path, whole: dict[str, Any]) -> list[str]:
    inner: Any = whole
    for name in ("dsh", "profile", "bundles"):
        inner = inner.get(name) if isinstance(inner, dict) else None
    if not isinstance(inner, list) or not all(isinstance(one, str) for one in inner):
        raise Refusal("no-bundles", file=path)
    return inner
