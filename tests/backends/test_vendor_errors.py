"""Errors of model vendors: what their status, code, type and words come to."""

from __future__ import annotations

import json

import pytest

from fanseek.contract import Response
from fanseek.reading import Reading, read
from fanseek_backends import anthropic, deepseek, openai

VENDORS = {module.BACKEND.name: module.BACKEND for module in (anthropic, deepseek, openai)}
BILLING = "Rate limit reached on tokens per min. Add a payment method: https://platform.example/account/billing."


def told(name: str, status: int, message: str = "No.", kind: str | None = None, code: str | None = None) -> Reading:
    body = json.dumps({"error": {"message": message, "type": kind, "param": None, "code": code}}).encode()
    backend = VENDORS[name]
    return read(backend, backend.operations["search"], Response(status=status, body=body))


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "bad-request"),
        (401, "auth"),
        (402, "quota"),
        (403, "auth"),
        (404, "bad-request"),
        (408, "timeout"),
        (413, "bad-request"),
        (422, "bad-request"),
        (429, "rate-limit"),
        (500, "server"),
        (503, "server"),
        (504, "timeout"),
        (529, "server"),
    ],
)
def test_a_status_means_the_same_with_and_without_a_body(name: str, status: int, kind: str) -> None:
    """a.md 9 and 10; C9-C11. The status is told (BC-040)."""
    backend = VENDORS[name]
    for reading in (
        told(name, status),
        told(name, status, code="invalid_request_error"),
        read(backend, backend.operations["search"], Response(status=status, body=b"Not now.")),
    ):
        assert reading.status == kind
        assert str(status) in reading.message


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (400, ("Your credit balance is too low to access the API.", "invalid_request_error", None), "quota"),
        (400, ("You have reached your specified API usage limits.", "invalid_request_error", None), "quota"),
        (403, ("Insufficient Balance", None, None), "quota"),
        (429, ("You exceeded your current quota, please check your plan and billing details.", None, None), "quota"),
        (429, ("x", "insufficient_quota", None), "quota"),
        (429, ("x", "requests", "insufficient_quota"), "quota"),
        (429, ("Your account is not active.", "requests", "billing_not_active"), "quota"),
        (429, (BILLING, "tokens", "rate_limit_exceeded"), "rate-limit"),
        (429, ("This exceeds your usage limit for a minute.", "rate_limit_error", None), "rate-limit"),
        (500, ("credit balance", None, None), "server"),
        (401, ("credit balance", None, None), "auth"),
        (200, ("x", "authentication_error", "invalid_request_error"), "auth"),
        (200, ("x", None, "rate_limit_exceeded"), "rate-limit"),
        (200, (BILLING, "server_error", "rate_limit_exceeded"), "rate-limit"),
        (200, ("x", "invalid_request_error", None), "bad-request"),
        (200, ("x", None, "invalid_prompt"), "bad-request"),
        (200, ("Insufficient Balance", None, None), "quota"),
        (200, ("x", None, None), "server"),
    ],
)
def test_code_and_type_outrank_words(
    name: str, status: int, said: tuple[str, str | None, str | None], kind: str
) -> None:
    """a.md 13 no. 1 and 2: also under a status of success; a rate limit that mentions billing is a rate limit."""
    assert told(name, status, *said).status == kind


@pytest.mark.parametrize("name", VENDORS)
def test_a_model_that_is_not_there_names_its_setting(name: str) -> None:
    assert f"{name}Model" in told(name, 404, "The model 'x' does not exist").message
    assert f"{name}Model" not in told(name, 404, "No such path").message
    assert f"{name}ApiKeyEnv" in told(name, 401).message
