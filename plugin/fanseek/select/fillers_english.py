"""English at the edges of a query that is said to whoever searches, and not searched for. Patterns, to be compiled.

Each names what may not follow where its words also begin things people search for: "search for extraterrestrial
intelligence", "look up table", "can you find gold in rivers", "hello, world".
"""

from __future__ import annotations

FIRST = (
    r"(?:pl(?:ease|s|z)|kindly|can|could|would|will|help|search|searching|look|find|tell|i|do|run|make|web|hi|hello|hey|"
    r"hiya|howdy|greetings|good|thanks?|thx)\b"
)
"""How every opening begins; cheap to look for."""

LAST = (
    r"(?:pl(?:ease|s|z)|kindly|thanks?|thx|thank (?:you|u)|so much|very much|a lot|in advance|for me)"
    r"[.!~\uff01\u3002]*\Z"
)

POLITE = r"(?:please|pls|plz|kindly)"
GREETING = (
    r"(?:(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening))"
    r"(?: (?:there|all|everyone|everybody|folks|team|assistant|again))?)"
)
_MAY = r"(?:(?:can|could|would|will) (?:you|u)|help me)"
_WISH = rf"(?:{POLITE}|(?:could|would) (?:you|u)|i(?: would|['\u2019]d) like(?: you)? to|i (?:want|need)(?: you)? to)"
_WEB = r"(?:(?: on)? the (?:web|internet|net)|(?: on)? google|(?: on)? bing| online| up)"
_ABOUT = r"(?:(?: (?:for|about|on))?(?: (?:some|any|more))? (?:info|information|details) (?:about|on|regarding))"
_QUEST = r"(?:do|run|make) an? (?:quick |web |online |google |internet )*search (?:for|on|about)"

_SURE = (
    rf"(?:search{_WEB}(?: for| about)?|search for|look up|find me|find(?={_ABOUT})|tell me(?: about)?|show me|give me|"
    rf"get me|google(?: for)?|{_QUEST})"
)
"""What is asked of someone who searches, by "can you" too."""

_NO_COMPOUND = r"(?! (?:engines?|consoles?|warrants?|part(?:y|ies)|bars?|box|index(?:es)?|algorithms?|history|ads)\b)"
_LIKELY = rf"(?:{_SURE}|search{_NO_COMPOUND}|look for|look into|find(?: us| out(?: about)?)?|research|check)"
"""What is asked of someone who searches only where it is asked politely."""

_BARE = (
    rf"(?:search{_WEB} (?:for|about)(?<!search up about)|"
    r"search for(?! (?:extraterrestrial|spock|tomorrow|meaning|common ground)\b)|"
    r"look up(?! (?:tables?|to|at|here|and|in|fields?|functions?|values?)\b)|"
    r"find me(?= (?:an?|some|the|any|all|info|information|good|more|\d+)\b)|"
    rf"find(?={_ABOUT})|i(?: am|['\u2019]m) (?:looking|searching) for|"
    r"i (?:want|need) to know(?: (?:more )?about)?(?! what love\b)|"
    r"i(?: would|['\u2019]d) like to know(?: (?:more )?about)?|"
    rf"i need(?= (?:some )?(?:info|information) (?:about|on)\b)|{_QUEST})"
)
_END = r"(?=[\s\"\u201c\u300c:,\uff1a\uff0c]|\Z)"
_REQUEST = (
    rf"(?:{POLITE},? )?(?:(?:{_MAY},? )?{_WISH},? (?!find (?:attached|enclosed|below)\b){_LIKELY}|"
    rf"{_MAY},? {_SURE}|{_MAY} {POLITE} {_LIKELY})"
)
COMMAND = rf"(?:{_REQUEST}|{_BARE}){_END}(?:{_ABOUT})?[:,\uff1a\uff0c]?\s*"

_TITLES = (
    r"(?:world|dolly|kitty|goodbye|again|soul sister|jude|ya|vietnam|my name|i must|delilah|brother|mr|neighbou?r|love)"
)
OPENINGS = (
    r"(?:web )?search(?: query)?(?:: |\uff1a)\s*",
    rf"{POLITE}, ",
    rf"{POLITE} (?=(?:explain|describe|list|summari[sz]e|compare|provide|recommend|suggest|translate|answer)\b)",
    rf"{GREETING}\s?[,!;.\uff0c\uff01\u3002]+\s*(?!{_TITLES}\b)(?=\S+\s\S)",
)
BEFORE_A_COMMAND = rf"{GREETING}[\s,!;.\uff0c\uff01\u3002]+"

_THANKS = (
    r"(?:thanks(?: a lot| so much| very much| in advance)?|thank (?:you|u)(?: so much| very much| in advance)?|thx)"
)
_STOP = r"[.!~\uff01\u3002]*"
ENDINGS = (rf"(?:\s?[,;.!\uff0c\u3002\uff01]+\s*|(?<=[?\uff1f])\s*)(?:{POLITE}|{_THANKS}){_STOP}\Z",)
LATER_ENDINGS = (rf"\s(?:{POLITE}|{_THANKS}|for me){_STOP}\Z",)
"""What ends a query only where something was left out at its beginning."""

BARE_ENDINGS = (
    rf"(?<!\bthe)(?<!\ba)(?<!\bof)(?<!\bor)(?<!\band)(?<!\bto)(?<!\bmore)(?<!\byes)(?<!\bpretty)\s{POLITE}{_STOP}\Z",
)
"""What ends a longer query though no punctuation sets it off."""

MENTIONS = (
    r"\b(?:say(?:s|ing)?|said|phrases?|words?|means?|meaning|translat\w*|spell\w*|pronounc\w*|lyrics|songs?|sorry|"
    r"hello|goodbye|please|thanks?|etiquette|language|japanese|korean|chinese|french|spanish|german|in english)\b"
)
"""Where a query speaks of words, a polite one at its end may be one of them."""

LONE = (
    GREETING,
    POLITE,
    _THANKS,
    r"search(?: for| online|(?: on)? the (?:web|internet)(?: for)?)?",
    r"searching(?: for)?",
    r"(?:look up|find me|tell me(?: about)?|do a (?:web )?search)",
    rf"{_MAY} (?:{POLITE} )?(?:{_SURE}|search|find|check)",
    rf"{_WISH} (?:{_SURE}|search|find|check)",
)
"""What is nothing to search for, however often it is said."""
