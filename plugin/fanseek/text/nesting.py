"""Pages made safe for a parser whose time grows with the square of depth, of attributes and of lost formatting.

Specification: html.spec.whatwg.org, 13.2.5 (tokens) and 13.2.6 (the stack of open elements, active formatting).
Measured with Lexbor: a block's start tag costs 6 ns for each open element, a lost formatting element costs a node
at each later tag, an attribute 7 ns for each earlier one of its tag.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator

from fanseek.text.elements import (
    BARRIERS,
    BREAKING,
    CLOSES_PARAGRAPH,
    DROPPED,
    ENDED_PARTS,
    FORMATTING,
    HEADINGS,
    IMPLIED,
    INLINE_SPECIAL,
    LIKES,
    MARKED,
    ONCE,
    PARTS,
    RUBY,
    SPECIAL,
    VOID,
    WHOLE,
)

MOST_TAGS = 40_000
DEEPEST = 512
MOST_ATTRIBUTES = 128
MOST_STEPS = 3_000_000
LOST = 32
"""What one lost formatting element costs at a later tag, in steps."""

_BLANK = r"\t\n\f\r "
_VALUE = rf"\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^{_BLANK}>\"'][^{_BLANK}>]*+|(?=>)|\Z"
_ATTRIBUTE = rf"[^{_BLANK}/>][^{_BLANK}/>=]*+(?:[{_BLANK}]*+=[{_BLANK}]*+(?:{_VALUE}))?+"
_TAG = re.compile(
    rf"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(/?)([a-zA-Z][^{_BLANK}/>]*+)((?:[{_BLANK}/]++|{_ATTRIBUTE})*+)(>|\Z)"
    rf"|[!?/][^>]*+(?:>|\Z))",
    re.DOTALL,
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_NOTHING: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
_TABLE = frozenset({"table"})
_ENDS = {name: re.compile(rf"</{name}(?=[{_BLANK}/>])", re.IGNORECASE) for name in WHOLE}


class Tamed:
    """A page without what selectors never need (comments, insides of scripts and drawings), bounded in nesting.

    Nothing is left in `markup` that changes how tags are told from text, so that what is counted here is what a
    parser sees. `title` is the title's source. Raises ValueError for a page nested as no honest one is.
    """

    def __init__(self, source: str) -> None:
        self._source = source.replace("\0", "\ufffd")
        self._unended: set[str] = set()
        self._seen: set[str] = set()
        self._elements = OpenElements()
        self.title = ""
        self.markup = "".join(self._kept())

    def _kept(self) -> Iterator[str]:
        source, start, at, tags, blank = self._source, 0, 0, 0, False
        while (token := _TAG.search(source, at)) is not None:
            text, at, blank = blank or token.start() > at, token.end(), False
            name, closing = (token[2] or "").lower(), bool(token[1])
            if (tags := tags + 1) > MOST_TAGS:
                raise ValueError(f"more than {MOST_TAGS} tags")
            if not name or self._is_left_out(name, closing=closing, ended=bool(token[4])):
                yield source[start : token.start()] + " "
                start = at = at if closing else self._end_of(name, at)
                blank = True
                continue
            if name in BREAKING and closing:
                yield source[start : token.start()] + " "
                start, text = token.start(), True
            self._count(name, token[3], closing=closing, text=text)
            if name == "script":
                yield source[start:at] + ("" if closing else "</script>")
                start = at = at if closing else self._end_of(name, at)
            elif name in BREAKING and not closing:
                yield source[start:at] + " "
                start, blank = at, True
        yield source[start:]

    def _is_left_out(self, name: str, *, closing: bool, ended: bool) -> bool:
        return name in DROPPED or not ended or (name in ONCE and (closing or name in self._seen))

    def _count(self, name: str, attributes: str, *, closing: bool, text: bool) -> None:
        if len(attributes) > 2 * MOST_ATTRIBUTES and len(_ATTRIBUTES.findall(attributes)) > MOST_ATTRIBUTES:
            raise ValueError(f"a tag with more than {MOST_ATTRIBUTES} attributes")
        if name in ONCE:
            self._seen.add(name)
        elif closing:
            self._elements.end(name, text=text)
        elif name != "script":
            self._elements.start(name, attributes, text=text)

    def _end_of(self, name: str, at: int) -> int:
        """Where the element whose start tag ends at `at` is over, for those that are left out whole."""
        if name not in WHOLE or name in self._unended:
            return at
        end = _ENDS[name].search(self._source, at)
        if end is None:
            self._unended.add(name)
            return len(self._source) if WHOLE[name] else at
        if name == "title" and not self.title:
            self.title = self._source[at : end.start()]
        closing = self._source.find(">", end.end())
        return len(self._source) if closing < 0 else closing + 1


class OpenElements:
    """The stack of open elements and the formatting to be opened again, never shallower than a parser's own.

    Where the specification's rule is intricate, an element stays open for longer here.
    """

    def __init__(self) -> None:
        self._stack: list[tuple[str, str]] = []
        self._open: Counter[str] = Counter()
        self._form = False
        self._marks = 0
        self._lost: Counter[tuple[str, str, int]] = Counter()
        self._steps = 0

    def start(self, name: str, attributes: str, *, text: bool = True) -> None:
        """A start tag, after text or not. Raises ValueError when depth or cost is beyond every honest page's."""
        self._steps += 1 + len(self._stack)
        if text:
            self._restore()
        if (name in PARTS and not self._open["table"]) or (name == "form" and self._form):
            return
        self._end_before(name)
        if name in ("a", "nobr") and self._lost:
            self._forget(name)
        if name not in SPECIAL or name in INLINE_SPECIAL:
            self._restore()
        if name not in VOID:
            self._push(name, attributes)
            self._form = self._form or name == "form"

    def _end_before(self, name: str) -> None:
        """Close what `name` ends by beginning."""
        names, walls = LIKES.get(name, _NOTHING)
        if any(self._open[one] for one in names):
            self._close(names, walls, nearest=True)
        if name in CLOSES_PARAGRAPH:
            if self._open["p"]:
                self._close({"p"}, BARRIERS | {"button"}, nearest=True)
            if name in HEADINGS:
                self._pop_top(HEADINGS, most=1)
        elif name in ENDED_PARTS:
            self._close(ENDED_PARTS[name], _TABLE)
        elif name in ("option", "optgroup"):
            self._pop_top({"option"}, most=1)
        elif name in RUBY and self._open["ruby"]:
            self._pop_top(IMPLIED)

    def _pop_top(self, names: Container[str], most: int = DEEPEST) -> None:
        """Close the innermost elements as long as they are of `names`."""
        while most > 0 and self._stack and self._stack[-1][0] in names:
            self._pop_to(len(self._stack) - 1)
            most -= 1

    def end(self, name: str, *, text: bool = True) -> None:
        """An end tag, after text or not: it closes what a parser surely closes."""
        self._steps += 1
        if text:
            self._restore()
        if self._lost and name in FORMATTING:
            self._forget(name)
        if not self._open[name]:
            return
        if name == "form":
            self._form = False
            self._pop_top({name}, most=1)
        elif name == "table" or name in PARTS:
            self._close({name}, _TABLE)
        else:
            self._close({name}, BARRIERS if name in SPECIAL else SPECIAL, nearest=True, own=True)

    def _close(self, names: Container[str], walls: frozenset[str], *, nearest: bool = False, own: bool = False) -> None:
        """Close the outermost of `names` before a wall, or the nearest, with all it holds; `own`: by its end tag."""
        found = -1
        for level in range(len(self._stack) - 1, -1, -1):
            self._steps += 4
            here = self._stack[level][0]
            if here in names:
                found = level
                if nearest:
                    break
            if here in walls:
                break
        if found < 0:
            return
        name = self._stack[found][0]
        self._pop_to(found)
        if own and name in FORMATTING:
            self._forget(name)

    def _pop_to(self, level: int) -> None:
        """Close everything from `level` inwards; formatting that so ends is lost, of equal ones three at most."""
        while len(self._stack) > level:
            name, attributes = self._stack.pop()
            self._open[name] -= 1
            if name in FORMATTING:
                entry = (name, attributes, self._marks)
                self._lost[entry] = min(self._lost[entry] + 1, 3)
            elif name in MARKED:
                self._marks -= 1
                self._steps += len(self._lost)
                self._lost = Counter({entry: count for entry, count in self._lost.items() if entry[2] <= self._marks})

    def _forget(self, name: str) -> None:
        """One lost element fewer of that name, the latest."""
        entry = next((entry for entry in reversed(self._lost) if entry[0] == name), None)
        if entry is not None:
            self._steps += len(self._lost)
            self._lost[entry] -= 1
            self._lost += Counter()

    def _restore(self) -> None:
        if not self._lost:
            return
        self._steps += LOST * self._lost.total()
        for name, attributes, _ in self._lost.elements():
            self._push(name, attributes)
        self._lost.clear()

    def _push(self, name: str, attributes: str) -> None:
        self._stack.append((name, attributes))
        self._open[name] += 1
        self._marks += name in MARKED
        if len(self._stack) > DEEPEST:
            raise ValueError(f"tags nested more than {DEEPEST} deep")
        if self._steps > MOST_STEPS:
            raise ValueError("tags nested so that reading them would take too long")
