"""The JSON Schema of a search result, from its types. `python -m fanseek.surface.schema FILE` writes it."""

from __future__ import annotations

import ast
import inspect
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from fanseek import types
from fanseek.config.schema import DIALECT, as_text


def result_schema() -> dict[str, Any]:
    """What `--json` prints and `to_dict()` returns. Readers must tolerate fields that are added within a major."""
    (root,), components = msgspec.json.schema_components([types.SearchResult], ref_template="#/$defs/{name}")
    documented = {name: _documented(name, shape) for name, shape in components.items()}
    whole = documented.pop(root["$ref"].rpartition("/")[2])
    whole["properties"]["schema"] = {"const": types.SCHEMA}
    return {"$schema": DIALECT, "$id": f"urn:{types.SCHEMA.replace('/', ':')}", **whole, "$defs": documented}


def _documented(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    """A component with its fields' own words; every field is required but those that only sometimes mean something."""
    owner = getattr(types, name)
    words = _words_of_fields(owner)
    sometimes = {field.encode_name for field in msgspec.structs.fields(owner) if field.default is msgspec.UNSET}
    fields = {
        field: ({"description": words[field]} if field in words else {})
        | {name: value for name, value in schema.items() if name != "default"}
        for field, schema in shape["properties"].items()
    }
    return {**shape, "properties": fields, "required": [field for field in fields if field not in sometimes]}


def _words_of_fields(owner: type[msgspec.Struct]) -> dict[str, str]:
    """The strings below a Struct's fields, by the name the field has on the wire."""
    names = {field.name: field.encode_name for field in msgspec.structs.fields(owner)}
    (tree,) = ast.parse(inspect.getsource(owner)).body
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    return {
        names[before.target.id]: inspect.cleandoc(after.value.value)
        for before, after in pairwise(body)
        if isinstance(before, ast.AnnAssign)
        and isinstance(before.target, ast.Name)
        and isinstance(after, ast.Expr)
        and isinstance(after.value, ast.Constant)
        and isinstance(after.value.value, str)
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(as_text(result_schema()).encode("utf-8"))
