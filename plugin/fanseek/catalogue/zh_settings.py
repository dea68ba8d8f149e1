"""Titles and descriptions of settings in Chinese, by their English sentence, the backends' own among them.

`{0}` stands for a service's name, which stays as it is.
"""

# ruff: noqa: RUF001 - Chinese punctuation is meant

from __future__ import annotations

GROUPS = {
    "Sources": "来源",
    "Results": "结果",
    "Cache": "缓存",
    "Circuit breaker": "熔断",
    "History": "历史",
}

UNITS = {
    "milliseconds": "毫秒",
    "seconds": "秒",
    "calls per minute": "次/分钟",
    "calls per day": "次/天",
}

TITLES = {
    "Calls at once": "同时请求数",
    "Deadline (ms)": "总时限（毫秒）",
    "Backend timeout (ms)": "单个引擎的时限（毫秒）",
    "Recency": "时间范围",
    "Language": "语言",
    "Region": "地区",
    "Time zone": "时区",
    "Safe search": "安全搜索",
    "Tidy the query": "整理查询",
    "Domains a list": "域名上限",
    "Strict arguments": "严格检查参数",
    "Duplicates": "重复的判断",
    "Rerank": "重新排序",
    "Several queries": "拆分查询",
    "Deep coverage": "深度搜索",
    "Backend health line": "引擎状况",
    "Language of messages": "提示的语言",
    "Cache time (s)": "缓存时间（秒）",
    "Failures until open": "熔断所需的失败次数",
    "Cool-down (ms)": "冷却时间（毫秒）",
    "Proxy": "代理",
    "Enabled": "启用",
    "Calls per minute": "每分钟请求数",
    "Key variable": "密钥变量",
    "Base URL": "地址",
    "Base URLs": "地址",
    "Model": "模型",
    "{0} key variable": "{0} 密钥变量",
    "{0} MCP endpoint": "{0} MCP 地址",
    "{0} endpoint": "{0} 接口地址",
    "{0} page": "{0} 页面",
    "{0} instances": "{0} 实例",
    "{0} model": "{0} 模型",
    "{0} mode": "{0} 模式",
    "{0} searches": "{0} 搜索次数",
    "{0} search depth": "{0} 搜索深度",
    "{0} without a key": "无密钥使用 {0}",
}

CORE = {
    "How many results a search returns.": "一次搜索返回多少条结果。",
    "Calls in flight to one backend, over all searches.": "对一个引擎同时进行的请求数，所有搜索合计。",
    "The most a whole search may take, in milliseconds.": "整个搜索最多用多少毫秒。",
    "The most one backend may take, in milliseconds; scraped and API backends have lower caps.": (
        "单个引擎最多用多少毫秒；网页抓取类和 API 类引擎另有更低的上限。"
    ),
    "Only results of the last day, week, month or year.": "只要最近一天、一周、一月或一年的结果。",
    "BCP 47 tag such as en or zh-CN; empty means any.": "BCP 47 语言标签，如 en 或 zh-CN；留空表示不限。",
    "Country as ISO 3166 alpha-2, such as us; empty means any.": "ISO 3166 两字母国家代码，如 us；留空表示不限。",
    "Where “today” is: an IANA name; empty means the zone of this machine.": (
        "“今天”以哪里为准：IANA 时区名；留空表示本机时区。"
    ),
    "Ask backends to leave out adult results.": "请引擎排除成人内容。",
    "Leave out greetings and fillers; what was changed is reported.": "去掉客套话和口头语；改动会如实告知。",
    "How many domains an include or exclude list may name; those beyond are dropped and reported.": (
        "限定或排除的域名最多几个；多出的会去掉并告知。"
    ),
    "Refuse a number out of range instead of using the default.": "数值超出范围时拒绝，而不是改用默认值。",
    "url: one address is one result; url+title: copies of one text on other sites are one, too.": (
        "url：同一地址算一条结果；url+title：其他网站转载的同一内容也算一条。"
    ),
    "Order by the words of the query found in title, text and address.": (
        "按查询的词在标题、正文和地址中出现的情况排序。"
    ),
    "Ask a long or compound query also in its parts, and fuse what is found.": (
        "较长或复合的查询也拆开来问，再把结果合并。"
    ),
    "Ask each backend for half as many results more, and more thoroughly.": "向每个引擎多要一半结果，并搜索得更彻底。",
    "Append how each backend fared to the text of a result.": "在结果文字后附上各引擎的情况。",
    "auto: that of the locale on a command line, else English; results and JSON stay as they are.": (
        "auto：命令行按系统语言，其他情况用英文；结果和 JSON 不受影响。"
    ),
    "Answer a repeated search from disk while its result is fresh.": "结果仍新鲜时，重复的搜索直接由磁盘应答。",
    "How long a result is fresh, in seconds; one of the last day for 300 at most.": "新鲜秒数；最近一天的至多 300。",
    "Keep the last 50 searches: query, time, counts; no addresses.": "保留最近 50 次搜索：查询、时间、数目；不含网址。",
    "Leave a backend alone after failures in a row.": "引擎连续失败后暂时不再询问它。",
    "Failures in a row that open the breaker.": "连续失败多少次后熔断。",
    "How long an open breaker rests a backend, in milliseconds; 0 turns cooling off.": (
        "熔断后让引擎休息多少毫秒；0 表示不冷却。"
    ),
    "auto (the system's settings and *_PROXY variables), direct, or a proxy URL.": (
        "auto（系统设置和 *_PROXY 变量）、direct（直连），或代理地址。"
    ),
}

BACKENDS = {
    "auto: on when it needs no key or its key is there; on; off.": (
        "auto：无需密钥或已有密钥时启用；on：启用；off：停用。"
    ),
    "Own pacing of calls, shared by all searches; 0 keeps to the limit the service is known for.": (
        "自行限制请求频率，所有搜索合计；0 表示按该服务公布的限制。"
    ),
    "Address of the service; another one for a mirror or an own instance.": "服务的地址；使用镜像或自建实例时可改。",
    "Addresses of the service, tried in turn.": "服务的地址，依次尝试。",
    "Name of the environment variable that holds the key, never the key itself.": (
        "存放密钥的环境变量名，绝不是密钥本身。"
    ),
    "Model that is asked to search.": "用来搜索的模型。",
    "Name of the variable that holds a private instance's bearer token; optional.": (
        "存放私有实例令牌（bearer token）的变量名；可选。"
    ),
    "Name of the variable that holds a {0} API key.": "存放 {0} API 密钥的变量名。",
    "Name of the variable that holds a {0} key; optional.": "存放 {0} 密钥的变量名；可选。",
    "Name of the variable that holds a {0} key.": "存放 {0} 密钥的变量名。",
    "Name of the variable that holds an {0} key; optional.": "存放 {0} 密钥的变量名；可选。",
    "Name of the variable that holds an {0} key.": "存放 {0} 密钥的变量名。",
    "Address of the API, without the path of its version.": "API 地址，不含版本路径。",
    "Address of the API, without {0}.": "API 地址，不含 {0}。",
    "Address of the HTML or lite page that is asked.": "所询问的 HTML 或 lite 页面的地址。",
    "Address of the MCP server that is asked.": "所询问的 MCP 服务器的地址。",
    "The most searches the model may make for one of ours; each is charged.": (
        "模型为一次搜索最多搜索几次；每次都计费。"
    ),
    "The most searches the model may make for one of ours, in mode messages.": (
        "messages 模式下，模型为一次搜索最多搜索几次。"
    ),
    "search: the Search API; messages: a model searches and answers, which costs tokens.": (
        "search：搜索 API；messages：由模型搜索并回答，消耗词元。"
    ),
    "Model that searches in mode messages.": "messages 模式下用来搜索的模型。",
    "Addresses of instances, a comma between them, tried in turn; empty: public ones.": (
        "实例的地址，用逗号分隔，依次尝试；留空使用公共实例。"
    ),
    "basic costs one credit a search, advanced two and more time.": "basic 每次搜索 1 个点数，advanced 2 个且更慢。",
    "Where no key is found, ask anyway, a few times an hour.": "没有密钥时也询问，每小时几次。",
}

SENTENCES = {**GROUPS, **UNITS, **TITLES, **CORE, **BACKENDS}
