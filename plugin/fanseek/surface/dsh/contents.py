"""The files of the bundle as they are put into one profile."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from fanseek.surface.dsh import fields
from fanseek.surface.dsh.profile import PACKAGE, PROVIDER, ROW, WEB
from fanseek.surface.dsh.row import rendered

LAUNCH = "launch.json"
PATCH = "cordis.patch.yml"


def contents(*, python: str, fetch_provider: str) -> dict[str, bytes]:
    """By name: what ships, with the Python to start, every setting there is, and the fetch provider that was found."""
    from fanseek import __version__

    shipped = dict(_files(files("fanseek") / "bundles" / "dsh"))
    package = {**json.loads(shipped["package.json"]), "version": __version__}
    return {
        **shipped,
        "package.json": _json(package),
        fields.FILE: fields.as_bytes(),
        LAUNCH: _json({"python": python, "version": __version__}),
        PATCH: patch(fetch_provider).encode("utf-8"),
    }


def patch(fetch_provider: str) -> str:
    """The rows that load us and select us."""
    web = {"id": WEB, "config": {"searchProvider": PROVIDER, "fetchProvider": fetch_provider}}
    row = rendered({"id": ROW, "name": PACKAGE}, indent=4)
    return "".join(["- insert:\n", *row, *rendered(web)])


def _json(whole: object) -> bytes:
    return (json.dumps(whole, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _files(folder: Traversable, below: str = "") -> Iterator[tuple[str, bytes]]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.name.startswith((".", "__")):
            continue
        if one.is_dir():
            yield from _files(one, f"{below}{one.name}/")
        else:
            yield f"{below}{one.name}", one.read_bytes()
