"""What the harness's half knows of the settings. `python -m fanseek.surface.dsh.fields FILE` writes it.

The harness checks and keeps settings by a schema of its own kind, which the bundle makes from this file when it is
loaded. `fanseek dsh install` writes it anew, so that backends of other packages are in it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fanseek.config.schema import composed
from fanseek.contract import AnyBackend

FILE = "fields.json"
KEPT = ("type", "minimum", "maximum", "pattern", "default", "description")


def fields(backends: Mapping[str, AnyBackend] | None = None) -> dict[str, dict[str, Any]]:
    """By a setting's name: its type and limits; `choices` where only some values are right; `reference` for a key's."""
    return {name: _field(schema) for name, schema in composed(backends)["properties"].items()}


def as_bytes(backends: Mapping[str, AnyBackend] | None = None) -> bytes:
    """What the file holds."""
    return (json.dumps({"fields": fields(backends)}, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _field(schema: Mapping[str, Any]) -> dict[str, Any]:
    field = {name: schema[name] for name in KEPT if name in schema}
    if "enum" in schema:
        field["choices"] = schema["enum"]
    if "x-get-key-url" in schema:
        field["reference"] = True
    if field.get("type") == "string":
        lengths = {"minimum": schema.get("minLength"), "maximum": schema.get("maxLength")}
        field |= {name: value for name, value in lengths.items() if value is not None}
    return field


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(as_bytes())
