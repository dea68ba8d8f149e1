"""A long or compound query also asked in its parts: "sftp vs rsync" as "sftp" and as "rsync" too.

Off unless asked for, and strict: most queries are best asked as they are (arXiv:2404.01037).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fanseek.contract import Piece, pieces, together

LONG = 60
"""Characters beyond which a query is split at its clauses too."""

MOST = 3
"""Parts of one query that are asked."""

CONTENT_WORDS = 8
"""Of a long query that has no clauses, so many words that carry meaning are asked."""

_SEPARATOR = re.compile(
    r"(?<![^\s,;()])(?:versus|and)(?![^\s,;()])|"
    r"(?<![A-Za-z0-9_.-])vs(?:\.(?!\w)|(?![\w.-]| code\b)|(?=[\u3400-\u9fff]))|"
    r"(?:(?<=[\s\W_])(?:和|比较|比較|对比|對比)|(?:和|比较|比較|对比|對比)(?=[\s\W_]))"
    r"(?<!和(?=[平谐風风睦服尚牛田解声弦歌]))(?<!比较(?=[器级]|运算|文学|优势))",
    re.IGNORECASE,
)
"""Between CJK letters a separator is part of a word, unless a blank or punctuation stands on one of its sides (E8)."""

_CLAUSE = re.compile(r"[,;:.?!](?=\s)|[\uff0c\u3002\uff1b\uff1f\uff01\uff1a\u3001]")
_AROUND = re.compile(
    r"^(?:what (?:is|are) )?(?:the )?"
    r"(?:differences? between|comparison (?:of|between)|compare|comparing|between|both)\s+"
    r"|(?:之间)?(?:的|有什么|有何)?(?:区别|差异|异同|哪个更?好)[?\uff1f]?$",
    re.IGNORECASE,
)
_TRIM = " \t,;:.?!()\u3001\uff0c\u3002\uff1b\uff1a\uff1f\uff01"
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an the of in on at to for from by with as is are was were be been do does did and or vs versus not no it "
        "its this that these those there here what which who whom whose when where why how can could would should "
        "will may might must i you he she we they me my your our their than then so if but about into over under "
        "between both difference differences better best compare compared comparison other others more most "
        "的 了 是 在 和 与 或 吗 呢 吧 哪个 什么 怎么 如何 哪 好 更好 区别 差异 有什么区别 哪个好 "
        "哪个更好 谁 之间 对比 比较",
    )
)


def variants(query: str) -> tuple[str, ...]:
    """The parts of `query` to be asked beside it, at most three; none where it does not pass the gate.

    Operators go with every part; what is quoted is never taken apart.
    """
    found = pieces(query)
    words = [piece for piece in found if piece.kind != "operator"]
    parts = _parts(words, _SEPARATOR)
    if not parts and len(query) > LONG:
        parts = _parts(words, _CLAUSE) or _condensed(words)
    operators = [piece.text for piece in found if piece.kind == "operator"]
    return tuple(" ".join([part, *operators]) for part in _new(parts, together(words)))[:MOST]


def _parts(words: Sequence[Piece], separator: re.Pattern[str]) -> list[str]:
    """The texts between separators that stand in plain words, trimmed; empty where there are not two."""
    text, plain, at = together(words), bytearray(), 0
    for number, piece in enumerate(words):
        plain += b"\1" * bool(number and not piece.glued)
        plain += bytes([piece.kind == "word"]) * len(piece.text)
    cuts = [found.span() for found in separator.finditer(text) if all(plain[found.start() : found.end()])]
    texts = []
    for start, end in cuts:
        texts.append(text[at:start])
        at = end
    found = [part for each in [*texts, text[at:]] if (part := _trimmed(each))]
    return found if len(found) > 1 else []


def _trimmed(text: str) -> str:
    return _AROUND.sub("", text.strip(_TRIM)).strip(_TRIM)


def _condensed(words: Sequence[Piece]) -> list[str]:
    """The words that carry meaning, where there are others."""
    kept = [piece.text.strip(_TRIM) for piece in words if not _is_idle(piece.text)]
    return [" ".join(kept[:CONTENT_WORDS])] if 1 < len(kept) < len(words) else []


def _new(parts: Iterable[str], whole: str) -> Iterable[str]:
    """Each part once that is neither the whole nor made of stop words only."""
    seen = {whole.casefold().strip(_TRIM)}
    for part in parts:
        if part.casefold() not in seen and not _is_idle(part):
            seen.add(part.casefold())
            yield part


def _is_idle(text: str) -> bool:
    return all(word.strip(_TRIM).casefold() in STOP_WORDS or not word.strip(_TRIM) for word in text.split())
