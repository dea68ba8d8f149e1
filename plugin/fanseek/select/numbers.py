"""Whole numbers that callers give, and what becomes of one out of range (X6)."""

from __future__ import annotations

from fanseek.errors import UsageError


def whole_number(name: str, wanted: object, *, low: int, high: int, strict: bool) -> tuple[int | None, str]:
    """`wanted`; None where there is none or it is out of range, which is said beside it.

    Raises UsageError for what is no whole number, and with `strict` for one out of range too.
    """
    if wanted is None:
        return None, ""
    if isinstance(wanted, bool) or not isinstance(wanted, int):
        raise UsageError(f"{name} must be an integer from {low} to {high}, not {type(wanted).__name__}")
    if low <= wanted <= high:
        return wanted, ""
    shown = wanted if abs(wanted) < 10**12 else f"a number of {wanted.bit_length()} bits"
    message = f"{name} {shown} is not between {low} and {high}"
    if strict:
        raise UsageError(message)
    return None, message
