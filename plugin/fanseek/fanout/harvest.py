"""One search's answers brought together: merged, cut last, with status and notes."""

from __future__ import annotations

from collections.abc import Sequence

from fanseek.config.settings import Settings
from fanseek.fanout import timing
from fanseek.fanout.call import Answered
from fanseek.fanout.combined import combined
from fanseek.fanout.verdict import nothing_found, verdict
from fanseek.merge import Contribution, Timeliness, merge
from fanseek.merge.domains import Domains
from fanseek.select.limits import limited
from fanseek.select.plan import Plan
from fanseek.select.request import Wish
from fanseek.select.wishes import not_applied
from fanseek.text.canonical import host_of, key
from fanseek.types import Answer, Outcome, SearchResult


def harvest(
    wish: Wish, plan: Plan, answers: Sequence[Answered], settings: Settings, *, order: Sequence[str], seconds: float
) -> SearchResult:
    """The result of a search whose calls came to `answers` in `seconds`; outcomes stand in `order`."""
    request = wish.request
    vouching = timing.vouching(request, plan)
    merged = merge(
        _contributions(plan, answers, vouching),
        limit=request.limit,
        include_domains=request.include_domains,
        exclude_domains=request.exclude_domains,
        query=request.query,
        dedup=settings.dedup_strategy,
        rerank=settings.rerank,
        timeliness=Timeliness(now=wish.now, span=wish.span),
    )
    outcomes = _ordered([*combined(answers, wish.requests), *plan.skipped], order)
    domains = Domains(request.include_domains, request.exclude_domains)
    priority = {ask.backend.name: ask.backend.priority for ask in plan.first}
    texts = tuple(
        Answer(
            backend=each.outcome.backend,
            text=each.answer,
            citations=tuple(url for url in each.citations if domains.admit(host_of(key(url)))),
        )
        for each in sorted(answers, key=lambda each: priority.get(each.outcome.backend, 0))
        if each.answer and not each.variant
    )
    status = verdict([*(answered.outcome for answered in answers), *plan.skipped])
    asked = plan.first
    notes = (*wish.notes, *limited(request, asked), *not_applied(request, asked), *timing.notes(request, merged))
    if not merged.sources and not texts and status != "error":
        notes += (nothing_found(outcomes),)
    return SearchResult(
        query=wish.phrasing.given,
        query_rewritten=wish.phrasing.rewritten,
        sub_queries=wish.phrasing.parts,
        status=status,
        sources=merged.sources,
        answers=texts,
        outcomes=outcomes,
        notes=notes,
        total=merged.total,
        deduped=merged.deduped,
        filtered=merged.filtered,
        outdated=merged.outdated,
        truncated=merged.truncated,
        ms=seconds * 1000,
        **timing.fields(request, vouching, answers),
    )


def _contributions(plan: Plan, answers: Sequence[Answered], vouching: frozenset[str]) -> list[Contribution]:
    backends = {ask.backend.name: ask.backend for ask in plan.first}
    return [
        Contribution(
            backend=answered.outcome.backend,
            family=backends[answered.outcome.backend].family,
            priority=backends[answered.outcome.backend].priority,
            hits=answered.hits,
            variant=answered.variant,
            vouches=answered.outcome.backend in vouching,
        )
        for answered in answers
        if answered.hits
    ]


def _ordered(outcomes: Sequence[Outcome], order: Sequence[str]) -> tuple[Outcome, ...]:
    place = {name: index for index, name in enumerate(order)}
    return tuple(sorted(outcomes, key=lambda outcome: place[outcome.backend]))
