"""An answer that comes in parts: what is to be sent for the next one, and what the parts come to together. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fanseek.contract import AnyOperation, McpCall, Request, Response
from fanseek.reading import Reading
from fanseek.text.hits import cleaned
from fanseek.types import HEARD

CONTINUATIONS = 3
"""How many further requests one answer may cost."""


def following(operation: AnyOperation, response: Response, sent: Request | McpCall) -> Request | None:
    """What must be sent after `response` for the answer to be whole, by the operation's own rule."""
    if operation.follow is None or not isinstance(sent, Request):
        return None
    try:
        return operation.follow(response, sent)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def joined(readings: Sequence[Reading]) -> Reading:
    """The parts as one reading: everything found, the last part's word on how it ended.

    A part that failed is forgotten when a later one came; a last part that failed leaves what came before partial.
    """
    last = readings[-1]
    good = [part for part in readings if part.status in HEARD]
    found = [part for part in good if part.hits]
    if len(readings) == 1 or not good or (last.status not in HEARD and not found):
        return last
    hits = cleaned([hit for part in found for hit in part.hits])
    cut = () if last.status in HEARD else (f"the rest of the answer is missing: {last.message}",)
    before = [part for part in good if part is not last]
    lasting = [warning for part in before for warning in _lasting(part)]
    flawed = cut or last.status == "partial" or any(map(_lacks, before))
    return Reading(
        status=("partial" if flawed else "ok") if hits else last.status,
        hits=hits,
        answer="\n\n".join(part.answer for part in good if part.answer) or None,
        citations=tuple(dict.fromkeys(url for part in good for url in part.citations)),
        warnings=tuple(dict.fromkeys((*lasting, *last.warnings, *cut))),
    )


def _lacks(part: Reading) -> bool:
    """Whether something is missing from `part` that a following one does not bring."""
    return part.status == "partial" and (not part.unfinished or bool(_lasting(part)))


def _lasting(part: Reading) -> list[str]:
    """The warnings that hold whatever follows."""
    return [warning for warning in part.warnings if warning != part.unfinished]
