"""The Chinese words of Fanseek in DeepSeek Harness."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

from __future__ import annotations

REFUSALS = {
    "dsh.bad-name": "{name} 不能用作配置档的名称",
    "dsh.no-profile": (
        "{home} 里没有配置档 {profile}（现有：{known}）；先用 `dsh --profile {profile}` 启动一次，"
        "或用 --dsh-home 指明 harness 的目录"
    ),
    "dsh.unreadable": "无法读取 {file}：{message}；什么都没有改动",
    "dsh.unwritten": "无法写入 {file}：{message}；什么都没有改动",
    "dsh.broken-json": "{file} 不完整（第 {line} 行：{message}）；请修好它或恢复备份，什么都没有改动",
    "dsh.broken-rows": "{file} 第 {line} 行：这不是 `- id: web` 这样的行列表；请手工修好，什么都没有改动",
    "dsh.no-bundles": "{file} 里没有列表 dsh.profile.bundles，所以不是配置档；什么都没有改动",
    "dsh.not-installed": "配置档 {profile} 里没有 Fanseek：fanseek dsh install --profile {profile}",
    "dsh.no-python": "无法启动 {python}：{message}",
    "dsh.worker-ended": (
        "{python} -m fanseek worker 没有应答就结束了：{message}；请用 --python 指定装有 fanseek 的 Python"
    ),
    "dsh.worker-error": "工作进程拒绝：{message}",
    "dsh.worker-protocol": "{python} 里的 fanseek 使用协议 {theirs}，而不是 {ours}：请在那里安装相同的版本",
    "dsh.no-pnpm": "这个配置档的软件包由 pnpm 管理，而 PATH 中没有 pnpm；什么都没有改动",
    "dsh.pnpm-failed": "pnpm {command} 失败，什么都没有改动：{message}",
    "dsh.no-harness": "找不到命令 {command}",
    "dsh.harness-failed": "harness 无法加载这个配置档：{message}",
    "dsh.locked": "另一个程序正在写入；若没有，请删除 {file}",
    "dsh.bad-key-name": "{name} 不能用作密钥的名称：只能有字母、数字和 _",
}

DONE = {
    "dsh.installed": "Fanseek {version} 已装入 {home} 的配置档 {profile}，并选为网页搜索（{python}）。",
    "dsh.upgraded": "配置档 {profile} 里的 Fanseek 现在是 {version}（{python}）。",
    "dsh.restart": "正在运行的 harness 重新启动后生效。",
    "dsh.copied-python": "当前的 Python 是工具的临时副本，随时可能被清除，所以另建了一个长期保留的：{python}",
    "dsh.off": "配置档 {profile} 重新使用 harness 自带的搜索；用 `fanseek dsh on` 可恢复 Fanseek。",
    "dsh.on": "Fanseek 现在是配置档 {profile} 的网页搜索。",
    "dsh.unchanged": "没有什么需要改动。",
    "dsh.uninstalled": "Fanseek 已从配置档 {profile} 中移除。",
    "dsh.changed-since": "此后有人改过 {names}；只移除了属于 Fanseek 的部分。",
    "dsh.left": "缓存、历史和日志仍在 {folder}；加上 --purge 可一并删除。",
    "dsh.key-kept": "{name} 已存入 {file}。",
    "dsh.key-gone": "{name} 已不在 {file} 中。",
    "dsh.key-blind": "配置档 {profile} 不读取该文件：请把密钥放进启动它的环境变量。",
    "dsh.cleared": "历史已清空。",
    "dsh.no-history": "没有保留任何搜索。",
    "dsh.set": "{key} = {value}",
    "dsh.unset": "所有设置都是默认值。",
    "dsh.tested": "{backend}：{outcome}，{ms} 毫秒内 {results} 条结果",
}

DOCTOR = {
    "dsh.doctor.absent": "这个配置档里没有它：fanseek dsh install --profile {profile}",
    "dsh.doctor.swept": (
        "配置档写着 Fanseek，但软件包不见了（可能被 pnpm 清除）：fanseek dsh install --profile {profile}"
    ),
    "dsh.doctor.off": "它在这里已关闭：fanseek dsh on --profile {profile}",
    "dsh.doctor.outdated": (
        "装入的版本是 {theirs}，或其后端与当前的 fanseek {ours} 不同：fanseek dsh upgrade --profile {profile}"
    ),
    "dsh.doctor.installed": "Fanseek {version} 在配置档 {profile} 中",
    "dsh.doctor.no-harness": "没有找到命令 dsh，所以只检查了文件；可用 --dsh 指明",
    "dsh.doctor.harness": "harness 无法加载这个配置档：{message}",
    "dsh.doctor.skipped": "harness 跳过了它：{message}",
    "dsh.doctor.disabled": "它的行在这个配置档里被关闭：fanseek dsh on --profile {profile}",
    "dsh.doctor.selected": "它已选为网页搜索",
    "dsh.doctor.deselected": (
        "选中的是 {provider}，所以不会询问 Fanseek（harness 自带网页搜索的开关会造成这种情况）："
        "fanseek dsh on --profile {profile}"
    ),
    "dsh.doctor.worker": "{message}；然后：fanseek dsh upgrade --profile {profile}",
    "dsh.doctor.other-version": "{python} 装的是 fanseek {theirs}，而这里是 {ours}：请在那里安装相同的版本",
    "dsh.doctor.starts": "工作进程可以启动（Python {version}，{python}）",
    "dsh.doctor.unseen": "{names}：存放在 harness 的凭据中，而配置档 {profile} 不读取它；请放进启动 harness 的环境变量",
    "dsh.doctor.key-file": (
        "{names}：在命令 fanseek 的密钥文件中，而 harness 不读取它；"
        "请用 fanseek dsh key NAME --profile {profile} 为 harness 保存"
    ),
    "dsh.doctor.keys": "它能得到的密钥：{names}",
    "dsh.doctor.hasty": (
        "harness 在 {host} 毫秒后放弃，而一次搜索可用 {own} 毫秒：请把 deadlineMs 设为不超过 {limit}，"
        "或提高其 tool-web 行的 searchTimeoutMs"
    ),
    "dsh.doctor.blank-page": (
        "这个版本的 harness 的页面无法加载，与 Fanseek 无关（其中缺少一个软件包）；"
        "可用 fanseek dsh set KEY=VALUE --profile {profile} 修改设置"
    ),
}

WORDS = {**REFUSALS, **DONE, **DOCTOR}
