"""OpenAI: a model that searches with its vendor's web search tool, over the Responses API.

https://developers.openai.com/api/docs/guides/tools-web-search
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
    Operation,
    Parsed,
    Request,
    Response,
    SearchRequest,
    first_text,
    locale,
    present,
)
from fanseek_backends._openai_answer import Answer, answer_in, cited, found, is_empty, refusal, said
from fanseek_backends._openai_mimic import MIMIC
from fanseek_backends._prompts import LIMIT, prompt, wording
from fanseek_backends._refusals import Service
from fanseek_backends._vendor_errors import Trouble, of_type, refused, trouble_of
from fanseek_backends._wording import hosts

OPENAI = Service("OpenAI", "openaiApiKeyEnv", "openaiModel")
GIVEN_PATH = re.compile(r"(?:/v1(?:/responses)?)?/*\Z")
REASONING = re.compile(r"gpt-[5-9](?!.*chat)|o[1-9]")
MOST_TOKENS = 4096
MOST_DOMAINS = 100


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """OpenAI's settings."""

    base_url: Annotated[
        str, Meta(title="OpenAI endpoint", description="Address of the API, without the path of its version.")
    ] = "https://api.openai.com"
    api_key_env: Annotated[
        str, Meta(title="OpenAI key variable", description="Name of the variable that holds an OpenAI key.")
    ] = "OPENAI_API_KEY"
    model: Annotated[
        str, Meta(title="OpenAI model", description="Model that is asked to search.", min_length=1, max_length=200)
    ] = "gpt-5-mini"
    max_searches: Annotated[
        int,
        Meta(
            title="OpenAI searches",
            description="The most searches the model may make for one of ours; each is charged.",
            ge=1,
            le=10,
        ),
    ] = 3


def build(search: SearchRequest, settings: Settings) -> Request:
    """One response of the model that must search; nothing of it is stored."""
    whole: dict[str, object] = {
        "model": settings.model,
        "input": prompt(search),
        "tools": [{"type": "web_search", "search_context_size": "low", **_wishes(search)}],
        "tool_choice": "required",
        "include": ["web_search_call.action.sources"],
        "max_output_tokens": MOST_TOKENS,
        "max_tool_calls": settings.max_searches,
        "store": False,
    }
    if REASONING.match(settings.model):
        whole["reasoning"] = {"effort": "low"}
    return Request(
        url=f"{GIVEN_PATH.sub('', settings.base_url)}/v1/responses",
        method="POST",
        headers={"Content-Type": "application/json"}
        | ({"Authorization": f"Bearer {settings.key}"} if settings.key else {}),
        body=msgspec.json.encode(whole),
        credentialed=bool(settings.key),
    )


def _wishes(search: SearchRequest) -> dict[str, object]:
    wishes: dict[str, object] = {}
    wanted, unwanted = hosts(search)
    if wanted and len(wanted) <= MOST_DOMAINS:
        wishes["filters"] = {"allowed_domains": wanted}
    elif unwanted:
        wishes["filters"] = {"blocked_domains": unwanted[:MOST_DOMAINS]}
    if country := locale("", search.region).country:
        wishes["user_location"] = {"type": "approximate", "country": country}
    return wishes


def classify(response: Response) -> Failure | None:
    """Failures of the API, and those it sends under a status of success."""
    if (failure := refused(response, OPENAI)) or response.is_html:
        return failure
    answer = answer_in(response)
    if answer.status == "failed" or (present(answer.error) and not answer.output):
        trouble = trouble_of(b'{"error":%b}' % bytes(answer.error)) if present(answer.error) else Trouble()
        return of_type(trouble, OPENAI)
    if refusal(answer) and not found(answer):
        return Failure(kind="blocked", message="the model of OpenAI refused this query: reword it", retry_after=1.0)
    return None


def parse(response: Response) -> Parsed:
    """Pages cited, then pages that were only looked at, and the text as the answer the cited ones support."""
    answer = answer_in(response)
    hits = found(answer)
    cut = answer.status == "incomplete"
    return Parsed(
        hits=hits,
        answer=first_text(said(answer)) if hits else None,
        citations=cited(answer),
        warnings=(f"the answer is not whole: {_reason(answer)}",) if cut else (),
        failed=int(cut),
        empty=is_empty(answer),
    )


def _reason(answer: Answer) -> str:
    return first_text(answer.incomplete.reason if answer.incomplete else None) or "no reason given"


BACKEND = Backend(
    name="openai",
    family="openai",
    settings=Settings,
    operations={
        "search": Operation(
            build=build,
            parse=parse,
            filters=Filters(region="native", include_domains="native", exclude_domains="native"),
            limit=LIMIT,
            wording=wording,
        )
    },
    docs=Docs(
        url="https://developers.openai.com/api/docs/guides/tools-web-search",
        checked="2026-11-30",
        receives="OpenAI (openai.com) and whom its web search asks",
        limits="a charge for each search, and tokens",
        get_key="https://platform.openai.com/api-keys",
    ),
    cap_s=MODEL,
    priority=85,
    needs=("key",),
    costs_tokens=True,
    classify=classify,
    mimic=MIMIC,
)
