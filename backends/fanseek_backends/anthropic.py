"""Anthropic: a model that searches with its vendor's web search tool, over the Messages API.

https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool
"""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from fanseek.contract import (
    MODEL,
    Backend,
    Docs,
    Failure,
    Filters,
    KeyedSettings,
    Mimic,
    Operation,
    Reply,
    Request,
    Response,
    SearchRequest,
    locale,
)
from fanseek_backends._messages import classify as told
from fanseek_backends._messages import parse
from fanseek_backends._messages_mimic import asked_of, reply_to, tool_error
from fanseek_backends._messages_request import follow, request
from fanseek_backends._prompts import LIMIT, wording
from fanseek_backends._refusals import Service
from fanseek_backends._wording import hosts

ANTHROPIC = Service("Anthropic", "anthropicApiKeyEnv", "anthropicModel")
GIVEN_PATH = re.compile(r"(?:/v1(?:/messages)?)?/*\Z")


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anthropic's settings. Web search must be switched on for the organisation in its console."""

    base_url: Annotated[
        str, Meta(title="Anthropic endpoint", description="Address of the API, without the path of its version.")
    ] = "https://api.anthropic.com"
    api_key_env: Annotated[
        str, Meta(title="Anthropic key variable", description="Name of the variable that holds an Anthropic key.")
    ] = "ANTHROPIC_API_KEY"
    model: Annotated[
        str, Meta(title="Anthropic model", description="Model that is asked to search.", min_length=1, max_length=200)
    ] = "claude-sonnet-4-6"
    max_searches: Annotated[
        int,
        Meta(
            title="Anthropic searches",
            description="The most searches the model may make for one of ours; each is charged.",
            ge=1,
            le=10,
        ),
    ] = 3


def build(search: SearchRequest, settings: Settings) -> Request:
    """One turn. Only one of the two lists of domains may be sent: the one that asks for some."""
    tool: dict[str, object] = {"max_uses": settings.max_searches}
    wanted, unwanted = hosts(search)
    if wanted:
        tool["allowed_domains"] = wanted
    elif unwanted:
        tool["blocked_domains"] = unwanted
    if country := locale("", search.region).country:
        tool["user_location"] = {"type": "approximate", "country": country}
    url = f"{GIVEN_PATH.sub('', settings.base_url)}/v1/messages"
    return request(url, settings.key, search, settings.model, tool)


def classify(response: Response) -> Failure | None:
    """Failures of the API and of its tool."""
    return told(response, ANTHROPIC)


def _error(status: int, kind: str, message: str) -> Reply:
    error = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_0"}
    return Reply(status=status, body=msgspec.json.encode(error))


FAULTS = {
    "rate-limit": _error(429, "rate_limit_error", "This request would exceed your organization's rate limit"),
    "unauthorized": _error(401, "authentication_error", "invalid x-api-key"),
    "disabled": _error(403, "permission_error", "Web search is not enabled for this organization."),
    "quota": _error(400, "invalid_request_error", "Your credit balance is too low to access the API."),
    "overloaded": _error(529, "overloaded_error", "Overloaded"),
    "tool": tool_error("claude-sonnet-4-6", "unavailable"),
    "tool-limit": tool_error("claude-sonnet-4-6", "too_many_requests"),
}

BACKEND = Backend(
    name="anthropic",
    family="anthropic",
    settings=Settings,
    operations={
        "search": Operation(
            build=build,
            parse=parse,
            filters=Filters(region="native", include_domains="native", exclude_domains="native"),
            limit=LIMIT,
            wording=wording,
            follow=follow,
        )
    },
    docs=Docs(
        url="https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool",
        checked="2026-11-30",
        receives="Anthropic (anthropic.com) and whom its web search asks",
        limits="about 10 USD for 1000 searches, and tokens",
        get_key="https://console.anthropic.com/settings/keys",
    ),
    cap_s=MODEL,
    priority=80,
    needs=("key",),
    costs_tokens=True,
    classify=classify,
    mimic=Mimic(asked=asked_of, reply=reply_to, faults=FAULTS),
)
