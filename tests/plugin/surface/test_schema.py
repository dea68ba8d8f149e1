"""The documented schema of a result."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest

from fanseek.surface.schema import result_schema
from fanseek.types import Attempt, Outcome, SearchResult

ROOT = Path(__file__).resolve().parents[3]


def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((ROOT / "docs" / "result-schema.json").read_bytes()))


def test_the_document_is_what_the_types_say() -> None:
    assert json.loads((ROOT / "docs" / "result-schema.json").read_bytes()) == result_schema()
    jsonschema.Draft202012Validator.check_schema(result_schema())


def test_results_fit_it(result: SearchResult) -> None:
    validator().validate(json.loads(json.dumps(result.to_dict())))
    bare = SearchResult(
        query="",
        status="error",
        outcomes=(Outcome(backend="b", status="late", attempts=(Attempt(origin="o", status="blocked"),)),),
    )
    validator().validate(json.loads(json.dumps(bare.to_dict())))


def test_every_source_has_its_five_fields(result: SearchResult) -> None:
    """E14."""
    for source in result.to_dict()["sources"]:
        assert {"id", "url", "title", "snippet", "domain"} <= source.keys()
    required = result_schema()["$defs"]["Source"]["required"]
    assert {"id", "url", "title", "snippet", "domain"} <= set(required)


@pytest.mark.parametrize("path", ["schema", "sources", "status", "notice"])
def test_a_missing_field_does_not_fit(result: SearchResult, path: str) -> None:
    whole = json.loads(json.dumps(result.to_dict()))
    assert validator().is_valid(whole)
    broken = copy.deepcopy(whole)
    del broken[path]
    assert not validator().is_valid(broken)
    assert not validator().is_valid({**whole, path: 7})
    assert validator().is_valid({**whole, "added_later": 7})


def test_fields_are_described_by_their_own_words() -> None:
    assert "Seconds until" in result_schema()["$defs"]["Outcome"]["properties"]["retryAfterS"]["description"]
