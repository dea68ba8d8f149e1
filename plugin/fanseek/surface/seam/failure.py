"""Errors as they cross `ctx.web`: a code for the session log, and a message, which is all the model gets (fact 4.5)."""

from __future__ import annotations

from typing import Literal

from fanseek.catalogue import Lang, listed, said
from fanseek.catalogue.account import not_made, reason
from fanseek.errors import Aborted, AllFailed, FanseekError, NothingUsable
from fanseek.surface.seam.inert import escaped, inert
from fanseek.text.clean import plain
from fanseek.text.cut import cut

Code = Literal[
    "WEB_ABORTED",
    "WEB_DUPLICATE_PROVIDER",
    "WEB_PROVIDER_AMBIGUOUS",
    "WEB_PROVIDER_CONFIGURED_MISSING",
    "WEB_PROVIDER_CONFIGURED_UNAVAILABLE",
    "WEB_PROVIDER_ERROR",
    "WEB_PROVIDER_UNAVAILABLE",
]
"""Those of the harness's own web service (HF7) that a search can end with."""

LONGEST = 4000
"""Characters of a message."""


class WebError(Exception):
    """What a harness's `ctx.web` raises. Not one of Fanseek's own errors: it stands where these end."""

    def __init__(self, message: str, code: Code, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.code: Code = code
        self.retryable = retryable


def failure(problem: BaseException, lang: Lang = "en") -> WebError:
    """`problem` as it crosses the seam. Of an error that is not ours nothing but its type is told."""
    if isinstance(problem, WebError):
        return problem
    if isinstance(problem, Aborted):
        return WebError(said(lang, "seam.aborted"), "WEB_ABORTED")
    if isinstance(problem, AllFailed):
        return WebError(_all_failed(problem, lang), "WEB_PROVIDER_ERROR", retryable=True)
    if isinstance(problem, FanseekError):
        code: Code = "WEB_PROVIDER_UNAVAILABLE" if isinstance(problem, NothingUsable) else "WEB_PROVIDER_ERROR"
        message = said(lang, f"error.{problem.code}", message=inert(str(problem), LONGEST))
        return WebError(message, code, retryable=problem.retryable)
    names = listed(lang, dict.fromkeys(map(plain, _types(problem))))
    return WebError(said(lang, "seam.unexpected", type=names), "WEB_PROVIDER_ERROR")


def _all_failed(problem: AllFailed, lang: Lang) -> str:
    """Each backend's reason (B10). A harness frames no error, so what services said is called what it is."""
    why = escaped("; ".join(reason(outcome, lang) for outcome in problem.outcomes))
    return cut(said(lang, "seam.reasons", sentence=not_made(problem.outcomes, lang), reasons=why), LONGEST)


def _types(problem: BaseException) -> list[str]:
    """The names of an error's type, of a group those of the errors in it."""
    if isinstance(problem, BaseExceptionGroup):
        return [name for one in problem.exceptions for name in _types(one)]
    return [type(problem).__name__]
