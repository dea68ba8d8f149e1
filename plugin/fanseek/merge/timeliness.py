"""The time a search goes by, and whether a page is of the time that was wished for, as far as anyone can tell."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from fanseek.contract import Hit
from fanseek.merge.cluster import Cluster
from fanseek.text.dates import dated
from fanseek.text.moments import Moment
from fanseek.text.spans import Span


class Timeliness(msgspec.Struct, frozen=True, kw_only=True):
    """Dates are seen from `now`, where it is known; `span` is the time wished for, if any."""

    now: datetime | None = None
    span: Span | None = None

    def admits(self, cluster: Cluster) -> bool:
        """Whether the page may be of the wished-for time: vouched for, dated so, or without a date (BC-128)."""
        if self.span is None or cluster.vouched:
            return True
        _, moment = self._dated(cluster.hits)
        return moment is None or self.span.holds(moment)

    def fields(self, hits: Iterable[Hit], *, vouched: bool) -> dict[str, Any]:
        """The fields of a result on its date, by the copies it is made of, best ranked first."""
        raw, moment = self._dated(hits)
        return {
            "published": raw,
            "published_at": moment.iso if moment else None,
            "published_precision": moment.precision if moment else None,
            "undated": self.span is not None and moment is None and not vouched,
        }

    def _dated(self, hits: Iterable[Hit]) -> tuple[str | None, Moment | None]:
        """The first date that can be read, as it came and as a moment; else the first that there is."""
        given = [hit.published for hit in hits if hit.published]
        if self.now is not None:
            for raw in given:
                if (moment := dated(raw, self.now)) is not None:
                    return raw, moment
        return (given[0] if given else None), None
