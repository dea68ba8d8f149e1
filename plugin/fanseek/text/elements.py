"""HTML's element names by how they nest. Specification: html.spec.whatwg.org, 13.1.2 and 13.2.4 to 13.2.6."""

from __future__ import annotations

VOID = frozenset(
    {
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "image",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
"""Start tags that open nothing."""

FORMATTING = frozenset(
    {"a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"}
)
"""Opened again after whatever closed them without their own end tag."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

CLOSES_PARAGRAPH = HEADINGS | frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hgroup",
        "hr",
        "li",
        "listing",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "ul",
    }
)

BARRIERS = frozenset({"applet", "caption", "html", "marquee", "object", "table", "td", "th"})
"""An end tag of a block closes nothing beyond these."""

SPECIAL = (
    CLOSES_PARAGRAPH
    | BARRIERS
    | VOID
    | frozenset({"body", "button", "colgroup", "head", "noscript", "script", "tbody", "tfoot", "thead", "title", "tr"})
)
"""An end tag of any other element closes nothing beyond these."""

MARKED = frozenset({"applet", "caption", "marquee", "object", "td", "th"})
"""What they hold does not leak formatting out of them."""

CELLS = frozenset({"td", "th"})
ROWS = CELLS | {"tr"}
PARTS = ROWS | {"caption", "colgroup", "tbody", "tfoot", "thead"}
"""Parts of a table; nothing closes them from within a table of their own."""

ENDED_PARTS = {
    **dict.fromkeys(CELLS, CELLS | {"caption"}),
    "tr": ROWS | {"caption"},
    **dict.fromkeys(("caption", "tbody", "tfoot", "thead"), PARTS),
}
"""For the start of a part, the open parts of the same table it ends."""

LIKES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), SPECIAL - {"address", "div", "p"}),
    **dict.fromkeys(("dd", "dt"), (frozenset({"dd", "dt"}), SPECIAL - {"address", "div", "p"})),
    "button": (frozenset({"button"}), BARRIERS),
    "a": (frozenset({"a"}), SPECIAL),
    "nobr": (frozenset({"nobr"}), SPECIAL),
}
"""For a start tag, its likes of which it ends the innermost, and the elements it does not look beyond."""

RUBY = frozenset({"rb", "rp", "rt", "rtc"})
IMPLIED = RUBY | {"dd", "dt", "li", "optgroup", "option", "p"}
"""Ended by nothing but what follows."""

INLINE_SPECIAL = MARKED - CELLS - {"caption"} | {
    "area", "br", "button", "embed", "image", "img", "input", "keygen", "wbr",
}  # fmt: skip
"""Special elements that open lost formatting again, as every ordinary one does."""

BREAKING = CLOSES_PARAGRAPH | CELLS | frozenset({"br", "caption", "option", "tr"})
"""Words on both sides of their tags are apart, whatever the source's spaces."""

WHOLE: dict[str, bool] = {
    **dict.fromkeys(("script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp"), True),
    **dict.fromkeys(("math", "select", "svg", "template"), False),
}
"""Left out with what they hold; true where a missing end tag means the rest of the page."""

DROPPED = (frozenset(WHOLE) - {"script"}) | {"colgroup", "frame", "frameset", "plaintext"}
"""Tags that are left out. A script's own tag stays, its inside does not: some signs are addresses of scripts."""

ONCE = frozenset({"html", "head", "body"})
"""Read once, their end tags never: a second one would only add attributes."""
