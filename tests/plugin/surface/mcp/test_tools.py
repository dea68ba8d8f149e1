"""The tools as they are listed."""

from __future__ import annotations

import jsonschema
import msgspec

from fanseek.surface.mcp.tools import TOOLS

MOST_TOKENS = 700


def test_both_tools_cost_at_most_700_tokens() -> None:
    """UTF-8 bytes of the result of tools/list, divided by four."""
    assert len(msgspec.json.encode({"tools": TOOLS})) / 4 <= MOST_TOKENS


def test_schemas_are_schemas_and_take_what_is_usual() -> None:
    search, status = (tool["inputSchema"] for tool in TOOLS)
    for schema in (search, status):
        jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"query": "q", "max_results": 5, "include_domains": ["a.test"], "freshness": "week"}, search)
    jsonschema.validate({}, status)


def test_every_tool_says_that_it_only_reads() -> None:
    for tool in TOOLS:
        hints = tool["annotations"]
        assert (hints["readOnlyHint"], hints["destructiveHint"], hints["idempotentHint"]) == (True, False, True)
        assert "outputSchema" not in tool, "a client that sees one insists on structuredContent"
        assert tool["title"]
        assert tool["description"]
    assert [tool["annotations"]["openWorldHint"] for tool in TOOLS] == [True, False]
