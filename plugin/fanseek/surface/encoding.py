"""Text for an output that can't show every character: the nearest plain words instead, never an exception."""

from __future__ import annotations

PLAIN = {
    "✓": "ok ",
    "✗": "FAILED ",
    "⏸": "",
    "⌛": "",
    "·": "|",
    "…": "...",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "•": "*",
}


def encodable(text: str, encoding: str) -> str:
    """`text` with every character `encoding` lacks replaced: our signs by words, others by a question mark."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_nearest(character, encoding) for character in text)
    except LookupError:
        return encodable(text, "ascii")
    return text


def _nearest(character: str, encoding: str) -> str:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return PLAIN.get(character, "?")
    return character
