"""Rows for a real pH profile: a `web_search` tool over `ctx.web`, and a model that calls it as it is told."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from typing import Any

import anyio
from ph.keys import LLM, TOOLS
from ph.llm.adapter import ResolvedModel
from ph.llm.types import BlockEnd, BlockStart, Finish, FinishReason, TextBlock, ToolCallBlock, ToolResultBlock
from ph.tools.definition import ToolOutput, define_tool, text_content
from pydantic import BaseModel, Field

from web_list import listed


class Arguments(BaseModel):
    queries: list[str] = Field(min_length=1, max_length=4)


async def search(ctx: Any, arguments: Arguments, run: Any) -> dict[str, Any]:
    """All queries at once, one failure failing all, as the DeepSeek Harness has it."""
    found: list[dict[str, Any]] = [{}] * len(arguments.queries)

    async def one(number: int, query: str) -> None:
        found[number] = await ctx.get("web").search({"query": query, "maxResults": 4}, run.signal)

    try:
        async with anyio.create_task_group() as group:
            for number, query in enumerate(arguments.queries):
                group.start_soon(one, number, query)
    except ExceptionGroup as problems:
        raise problems.exceptions[0] from None
    sources = {source["url"]: source for result in found for source in result["sources"]}
    return {
        "content": "\n".join(result.get("content", "") for result in found),
        "sources": list(sources.values()),
        "truncated": any(result["truncated"] for result in found),
    }


def web_search(ctx: Any, _config: Any = None) -> None:
    """The row of the tool."""
    ctx.require(TOOLS).register(
        define_tool(
            "web_search",
            "Search the web.",
            parameters=Arguments,
            output=ToolOutput(
                schema={"type": "object"},
                render=lambda _arguments, value: text_content(f"{value['content']}\n\nSources:\n{listed(value)}"),
            ),
            execute=lambda arguments, run: search(ctx, arguments, run),
            is_concurrency_safe=True,
            is_irreversible=False,
            effect_free=True,
        )
    )


class Model:
    """Calls `web_search` with the queries of PHERN_QUERIES, then answers with what it was given."""

    def resolve_model(self, _provider: str, _model: str) -> ResolvedModel:
        return ResolvedModel(context_window=100_000)

    async def stream(self, options: Any) -> AsyncIterator[Any]:
        results = [
            block for message in options.messages for block in message.content if isinstance(block, ToolResultBlock)
        ]
        if results:
            text = "\n".join(part.text for part in results[-1].content)
            block: Any = TextBlock(text=text)
            reason = "stop"
        else:
            arguments = json.dumps({"queries": json.loads(os.environ["PHERN_QUERIES"])})
            block = ToolCallBlock(id="call-1", name="web_search", arguments=arguments)
            reason = "tool-calls"
        yield BlockStart(index=0, block_type=block.type)
        yield BlockEnd(index=0, block=block)
        yield Finish(reason=FinishReason(kind=reason))


def model(ctx: Any, _config: Any = None) -> None:
    """The row of the model."""
    handle = ctx.require(LLM).register_adapter(("fake",), Model())
    ctx.add_disposer(handle.dispose)


declared: Any = web_search
declared.inject, declared.affects = ["web", "tools"], "environment"
declared = model
declared.inject, declared.affects = ["llm"], "environment"
