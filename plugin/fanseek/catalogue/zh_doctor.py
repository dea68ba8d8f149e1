"""The doctor's Chinese words, by code."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

from __future__ import annotations

SURROUNDINGS = {
    "doctor.versions": "版本：Fanseek {fanseek}，Python {python}，{system}",
    "doctor.packages": "软件包：{packages}",
    "doctor.extra": "可选组件 {extra}：{packages}",
    "doctor.extra.part": "可选组件 {extra}：{packages}；缺少 {missing}",
    "doctor.extras.absent": "未安装的可选组件：{extras}",
    "doctor.config.file": "配置文件：{path}",
    "doctor.config.none": "配置文件：没有（位置应为 {path}）",
    "doctor.config.open": "除所有者外，其他人也能修改 {path}；请运行：chmod go-w {path}",
    "doctor.keys.file": "密钥文件：{path}（{number} 个名字）",
    "doctor.keys.none": "密钥文件：没有（位置应为 {path}）",
    "doctor.keys.broken": "密钥文件无法使用：{message}",
    "doctor.folder.cache": "缓存：{path} 可写",
    "doctor.folder.cache.unwritable": "缓存：{path} 不可写（{message}）；搜索照常，但不会由磁盘应答",
    "doctor.folder.state": "状态与历史：{path} 可写",
    "doctor.folder.state.unwritable": "状态与历史：{path} 不可写（{message}）；搜索照常，但记不住哪个引擎失败过",
    "doctor.disk.slow": "磁盘在 {seconds} 秒内没有响应；未检查文件和目录",
    "doctor.proxy.used": "代理：{proxy}（来自 {source}）",
    "doctor.proxy.none": "代理：无，直接连接引擎",
    "doctor.proxy.unused": "代理 {proxy}（来自 {source}）未被使用：设置 proxy 另有指定",
    "doctor.proxy.broken": "代理无法使用：{message}",
    "doctor.deadline.harness": "宿主会在 {seconds} 秒后结束搜索，而设置 deadlineMs 是 {ms}：请调低，才能拿到已有的结果",
    "doctor.clock.past": "本机时钟显示 {today}，早于本程序的制作日期：请校准",
    "doctor.clock.ahead": "本机时钟比各服务的时钟快 {minutes} 分钟：请校准，证书和日期都依赖它",
    "doctor.clock.behind": "本机时钟比各服务的时钟慢 {minutes} 分钟：请校准，证书和日期都依赖它",
    "doctor.idle.unknown": "环境变量无效：{message}",
    "doctor.idle.outranked": "{place} 中的 {key} 不起作用：{winner} 优先",
    "doctor.idle.switched-off": "{key} 不起作用：{switch} 已关闭",
    "doctor.idle.backend": "{key} 不起作用：不会询问 {backend}",
}

BACKENDS = {
    "doctor.off.setting": "已关闭：{key} 为 off（{place}）",
    "doctor.off.key": "未启用：{reference} 没有密钥（申请：{get}）",
    "doctor.off.key.unsaid": "未启用：{reference} 没有密钥",
    "doctor.off.reference": "未启用：需要密钥，但没有设置指明存放密钥的变量",
    "doctor.off.costs": "未启用：每次搜索都消耗 token，只有 {key} 为 on 时才会询问",
    "doctor.unasked.costs": "未询问：每次搜索都消耗 token；加 --spend 才询问",
    "doctor.unasked.resting": "未询问：马上再问只会更糟；加 --backends {backend} 仍可询问",
    "doctor.unasked": "已启用，未询问",
    "doctor.key.unusable": "有密钥未被使用：{message}",
    "doctor.key.stranger": "设置了 {name}，但不读取这个名字，读取的是 {reference}",
    "doctor.other.direct": (
        "{origin} 直连可达，经代理 {proxy} 不可达：把 proxy 设为 direct（FANSEEK_PROXY=direct），"
        "或把它的主机写进 NO_PROXY"
    ),
    "doctor.other.proxy": "{origin} 经代理 {proxy} 可达，直连不可达：把 proxy 设为 auto 或该地址（FANSEEK_PROXY）",
    "doctor.advice.auth": "密钥被拒绝：请在 {reference} 下放入有效的密钥（fanseek keys set {reference}；{get}）",
    "doctor.advice.auth.keyless": "它不接受本机的请求：密钥或许有用，也可以换一个地址",
    "doctor.advice.quota": "额度已用尽：等待续期，或换一个密钥",
    "doctor.advice.rate-limit": "请求过于频繁：请等待；搜索会自动在这段时间内不再询问它",
    "doctor.advice.bad-request": "它不接受这样的请求：检查它的设置（地址、模型）",
    "doctor.advice.blocked": "它把本机当作机器人：请等待、降低频率，或换用其他网络或代理",
    "doctor.advice.server": "问题在对方：请稍后再试",
    "doctor.advice.timeout": "它太慢，或者途中有什么拖住了连接：请稍后再试，或使用代理",
    "doctor.advice.network": "无法连接：检查网络、域名解析和代理",
    "doctor.advice.format": "应答的不是它，比如门户或代理的页面，或者它的格式变了",
    "doctor.advice.late": "没有时间留给它：请调高 deadlineMs",
}

LINES = {
    "doctor.title.around": "环境",
    "doctor.title.backends": "引擎",
    "doctor.title.advice": "怎么办",
    "doctor.ms": "{ms} 毫秒",
    "doctor.way.direct": "直连",
    "doctor.way.proxy": "经代理 {proxy}",
    "doctor.key": "密钥 {reference}（{place}）",
    "doctor.key.optional": "不需要密钥（{reference} 可以放一个）",
    "doctor.addresses": "{all} 个地址中有 {answering} 个应答",
    "doctor.resting": "{time} 之前搜索不会询问它（{kind}）",
    "doctor.cut-off": "连不上；例如 {message}",
    "doctor.store-key": "用 fanseek keys set NAME 保存密钥，或放进同名的环境变量",
}

SUMMARIES = {
    "doctor.summary.ok": "询问了 {asked} 个引擎，{answering} 个应答。",
    "doctor.summary.none": "询问了 {asked} 个引擎，没有一个应答。",
    "doctor.summary.unreachable": (
        "一个引擎也连不上：网络已断开，或者防火墙切断了连接；如果这里需要代理，请设置（HTTPS_PROXY 或设置 proxy）。"
    ),
    "doctor.summary.unreachable.proxy": "经代理 {proxy} 一个引擎也连不上：代理没有运行，或者拒绝了连接。",
    "doctor.summary.unreachable.both": (
        "无论直连还是经代理 {proxy}，一个引擎也连不上：网络已断开，或者防火墙切断了连接。"
    ),
    "doctor.summary.other.direct": (
        "经代理 {proxy} 询问的 {asked} 个引擎都没有应答，直连则可以：把 proxy 设为 direct（FANSEEK_PROXY=direct）。"
    ),
    "doctor.summary.other.proxy": (
        "直连询问的 {asked} 个引擎都没有应答，经代理 {proxy} 则可以：把 proxy 设为 auto 或该地址（FANSEEK_PROXY）。"
    ),
    "doctor.summary.disabled": "没有启用任何引擎：请打开一个，或者给一个引擎配上密钥。",
    "doctor.summary.offline": "{all} 个引擎中启用了 {enabled} 个；没有询问任何一个（--offline）。",
    "doctor.summary.unasked": "{all} 个引擎中启用了 {enabled} 个；出于所述原因，没有询问任何一个。",
    "doctor.summary.stopped": "已停止：询问了 {asked} 个引擎，{answering} 个已经应答。",
    "doctor.summary.broken": "设置无法读取，因此不能搜索：{message}",
}

WORDS = {**SURROUNDINGS, **BACKENDS, **LINES, **SUMMARIES}
