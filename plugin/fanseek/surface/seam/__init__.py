"""What crosses a harness's `ctx.web`: one query and a number of results in, sources and a short text out.

The harness puts what it gets into Markdown without escaping it, and resends it every turn (HF2, HF6).
"""

from fanseek.surface.seam.asking import Answered, ask
from fanseek.surface.seam.failure import WebError, failure
from fanseek.surface.seam.query import Asked, asked
from fanseek.surface.seam.result import WebResult, WebSource, refused, web_result

__all__ = [
    "Answered",
    "Asked",
    "WebError",
    "WebResult",
    "WebSource",
    "ask",
    "asked",
    "failure",
    "refused",
    "web_result",
]
