"""Chinese at the edges of a query that is said to whoever searches, and not searched for. Patterns, to be compiled.

No blanks part the words, so every pattern names what may not follow: 搜索引擎, 查理, 找工作, 下周 are words of their
own.
"""

from __future__ import annotations

FIRST = "[请請麻劳勞拜帮幫替给給为我你您妳能可是再先搜查检檢找上网联在百谷想嗨哈早下中晚大谢謝多感辛告g]"
"""How every opening begins; cheap to look for."""

LAST = "[谢謝啦了你您家托烦苦吗嗎行好][.!~\uff01\u3002\uff5e?\uff1f]*\\Z"

GREETING = "(?:你好啊?|您好|妳好|嗨|哈喽|哈啰|早上好|上午好|中午好|下午好|晚上好|大家好)"
_POLITE = "(?:请你|请您|请|請|麻烦你|麻烦您|麻烦|麻煩|劳驾|劳烦|勞駕|拜托你|拜托|拜託)"
_FOR_ME = "(?:帮忙|帮我们?|帮|幫我|幫忙|替我|给我|給我|为我)"
_WISH = "(?:我(?:想要|想|要|需要|希望))"
_ABLE = "(?:能不能|能否|可不可以|可否|是否可以|可以|能)"
_YOU = "(?:你|您)"
_STRONG = f"(?:{_POLITE}|{_FOR_ME}|{_WISH}|{_YOU}{_ABLE})"
_LEAD = f"(?:{_STRONG}|{_ABLE}{_YOU}?|请问|請問|再|先)"
_PAUSE = "[,\uff0c\u3001]?\\s?"
_COMPOUNDS = {
    "搜索|搜寻|搜尋": "引擎|算法|框|栏|结果|技[术巧]|功能|排[名序]|推荐|广告|历史|记录|指|树|空间|服务|接口|优化|系统|"
    "量|词|意图|质量|平台|工具|产品|逻辑|策略|模型|架构|增强|行为|市场|公司|业务|关键",
    "查询|查詢": "优化|语言|计划|语句|缓存|引擎|构建|性能|条件|参数|接口|分析|器|码|系统|语法|重写|改写|处理|执行|结果",
    "检索|檢索": "增强|系统|模型|算法|式|策略|技术|工具|方法|引擎|生成|排序|评估|任务",
    "查找": "算法|函数|表|替换|树|和?替换",
    "搜": "索|寻|尋|狐|狗|救|身|捕|查|集|证|搜|神|罗|刮|房|到|出",
    "查": "询|詢|找|理|尔|处|封|扣|获|重|收|克|验|阅|房|岗|税|账|尋|案|分|杀|清|明|漏|韦|普|干|无|到|拉|德|士|"
    "看(?!看)|证|实|核|表|查",
}
_AND = "和|与|跟|及|或|vs|以及"
_VERB = "(?:" + "|".join(f"(?:{verbs})(?!{words}|{_AND})" for verbs, words in _COMPOUNDS.items()) + ")"
_ONLINE = "(?:上网搜索?|网上搜索?|联网搜索?|在网上(?:搜索|查找|查|搜)|百度|谷歌|google)"
_ANY_VERB = f"(?:{_ONLINE}|{_VERB}|找(?=\\s|几|一些|一个|一篇|些|个|关于|有关))"
_ONCE = "(?:一下(?!子|载)|下(?=\\s|[A-Za-z0-9])|看看)"
_TWICE = "(?:查查|搜搜|找找)看?"
_TOPIC = "(?:\\s?(?:关于|有关|關於)(?!我们|系|部门))?"
_SEPARATOR = "[:,\uff1a\uff0c\u3001\u3002!\uff01]*\\s*"
_ASKS = f"(?:{_LEAD}{_PAUSE}){{0,4}}"
_COMMAND = (
    f"(?:{_ASKS}{_STRONG}{_PAUSE}(?:{_ABLE}{_PAUSE})?(?:{_ANY_VERB}{_ONCE}?|{_TWICE}|找{_ONCE})|"
    f"{_ASKS}(?:{_ONLINE}|搜索|搜寻|搜尋|检索|檢索|查询|查詢|查找|搜|查|找){_ONCE}|"
    f"{_ASKS}{_STRONG}{_PAUSE}(?:告诉我|告訴我)|(?:我)?想(?:知道|了解一下)|我想了解)"
)
_CONTENT = "介绍|解释|说明|列出|列举|总结|推荐|分析|比较|对比|翻译|描述|提供"

COMMAND = f"{_COMMAND}{_TOPIC}{_SEPARATOR}"
OPENINGS = (
    "(?:" + "|".join(f"(?:{verbs})\\s(?!{words}|{_AND})" for verbs, words in _COMPOUNDS.items()) + ")\\s*",
    "(?:搜索|搜寻|搜尋|检索|檢索|查询|查詢|查找)[:,\uff1a\uff0c]\\s*",
    f"(?:请问一下|请问|請問)(?!您今天要来点){_SEPARATOR}",
    f"(?:{_LEAD}{_PAUSE}){{0,3}}(?:{_POLITE}|{_FOR_ME})(?=(?:{_CONTENT}))",
    f"{GREETING}[,!\uff0c\uff01\u3002~\uff5e\\s]+(?!李焕英|之华|旧时光|疯子|新时代|儿子)(?=.*\\s.|.{{5}})",
)
BEFORE_A_COMMAND = f"{GREETING}[,!\uff0c\uff01\u3002~\uff5e\\s]*"

_THANKS = (
    "(?:谢谢(?:你|您|啦|了|大家)?|謝謝(?:你|您)?|多谢了?|感谢(?:您|你)?|谢了|拜托(?:了|啦)?|麻烦(?:你|您)?了|辛苦了)"
)
_STOP = "[.!~\uff01\u3002\uff5e]*"
ENDINGS = (f"(?:\\s?[,;.!\uff0c\u3002\uff01\uff1b]+\\s*|(?<=[?\uff1f])\\s*){_THANKS}{_STOP}\\Z",)
LATER_ENDINGS = (
    f"\\s?[,\uff0c\u3002]?\\s?{_THANKS}{_STOP}\\Z",
    "\\s?[,\uff0c\u3002]\\s?(?:好吗|可以吗|行吗|好不好|好嗎|可以嗎)[?\uff1f.!\uff01]*\\Z",
)
"""What ends a query only where something was left out at its beginning."""

BARE_ENDINGS: tuple[str, ...] = ()
MENTIONS = "怎么说|怎麼說|翻译|日语|英语|韩语|法语|德语|歌词|歌曲|意思|表达|说法|读音|手语|用语"
"""Where a query speaks of words, a polite one at its end may be one of them."""

LONE = (
    GREETING,
    "(?:请问一下|请问|請問)",
    f"{_ASKS}{_STRONG}?(?:搜索|搜寻|搜尋|检索|檢索|查询|查詢|查找|搜|查|找|上网搜索?|网上搜索?)(?:一下)?",
    _TWICE,
    _THANKS,
    f"(?:{_ABLE}|{_YOU}{_ABLE}|{_POLITE}|{_WISH})?{_FOR_ME}",
    _POLITE,
    "(?:我)?想知道|我想了解(?:一下)?|告诉我",
)
"""What is nothing to search for, however often it is said."""
