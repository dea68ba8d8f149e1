"""From what each backend found to one list: cluster by page, fill in, filter, rank, cut. Pure."""

from fanseek.merge.domains import matches
from fanseek.merge.fusion import K
from fanseek.merge.merging import Contribution, Merged, merge
from fanseek.merge.timeliness import Timeliness

__all__ = ["Contribution", "K", "Merged", "Timeliness", "matches", "merge"]
