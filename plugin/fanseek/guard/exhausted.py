"""A backend that no key is left for, as an outcome: nothing was sent."""

from __future__ import annotations

from fanseek.catalogue.account import span
from fanseek.guard.keys import Found
from fanseek.guard.rotation import Turns
from fanseek.text.instants import iso
from fanseek.types import Outcome

CODE = "KEYS_EXHAUSTED"


def exhausted(backend: str, found: Found, turns: Turns, now: float) -> Outcome:
    """Why it is not asked, and when the first of its keys is used again. `now` is Unix time."""
    several = len(found.keys) > 1 and turns.first is not None
    which = f"all {len(found.keys)} keys of {found.name} rest" if several else f"the key of {found.name} rests"
    first = f"{turns.first.slot} is the first to be used again" if several and turns.first else "it is used again"
    return Outcome(
        backend=backend,
        status="skipped",
        code=CODE,
        retryable=True,
        retry_after_s=turns.rest_s,
        message=(
            f"not asked: {which} after failures ({turns.reason}); {first}, in {span(turns.rest_s)}, "
            f"at {iso(now + turns.rest_s)}; a new key is used at once"
        ),
    )
