"""Names of publishers as they stand beside titles: known ones, and what is a name by its words or by the host."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from fanseek.merge.lists import lines, words
from fanseek.merge.vocabulary import tells_kind

_WORDS, _BESIDE, _SECTIONS = words("press_words"), words("beside"), frozenset(lines("sections"))
_ENDINGS, _ENDINGS_NOT = tuple(words("press_endings")), tuple(words("press_endings_not"))
_DOMAIN = re.compile(r"(?:[\w-]+\.)+(?:com|org|info|tv|cn|jp|kr|uk|de|fr|ru|tw|hk)")
_LETTERS = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_LONGEST, _LONGEST_JOINED = 40, 16
"""Signs a name may have, with spaces between its words and without."""


def squeezed(name: str) -> str:
    """A name by its letters and digits alone, folded, without `the`."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, folded)).removeprefix("the")


_NAMES = frozenset(map(squeezed, lines("publishers")))


def is_worded(name: str) -> bool:
    """Whether `name` names a publisher by its own words."""
    return len(name) <= _LONGEST and _is_worded(name.strip())


def is_section(text: str) -> bool:
    """Whether `text` is the name of a newspaper's section."""
    return text.strip().casefold() in _SECTIONS


@lru_cache(maxsize=4096)
def is_publisher(name: str, host: str) -> bool:
    """Whether `name`, set apart beside a title on `host`, names a publisher or the site, and so is no part of it."""
    name = name.strip(" .。")
    short = squeezed(name)
    if not short or len(name) > _LONGEST:
        return False
    return short in _NAMES or names_host(name, host) or _is_worded(name)


def names_host(name: str, host: str) -> bool:
    """Whether `name` is what `host` is called, perhaps with words such as `blog` beside it."""
    short = squeezed(name)
    labels = {label.replace("-", "").removeprefix("the") for label in host.split(".")[:-1]} - {"", "www", "com", "co"}
    words = [squeezed(word) for word in re.findall(r"\w+", name)]
    telling = "".join(word for word in words if word not in _BESIDE)
    latin = "".join(re.findall("[a-z0-9]+", short))
    return not labels.isdisjoint({short, telling, latin}) or short == host.replace(".", "").removeprefix("www")


def _is_worded(name: str) -> bool:
    """Whether it is a publisher's name by its own words; a number in it may say more than that."""
    if _DOMAIN.fullmatch(name.casefold()):
        return True
    if any(map(str.isdigit, name)) or tells_kind(name):
        return False
    if len(name) <= _LONGEST_JOINED and name.endswith(_ENDINGS):
        return not name.endswith(_ENDINGS_NOT)
    words = _LETTERS.findall(name)
    capital = all(word[0].isupper() or word in {"the", "of", "and", "for"} for word in words)
    return 1 < len(words) <= 5 and capital and any(word.casefold() in _WORDS for word in words)
