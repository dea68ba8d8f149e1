"""What is said through a harness's `ctx.web`, in Chinese."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

from __future__ import annotations

WORDS = {
    "seam.partial": "不完整：{all} 个引擎中有 {missing} 个失败或未能应答：{names}。",
    "seam.refused": "没有搜索：{message}",
    "seam.aborted": "搜索已被调用方中止",
    "seam.reasons": "{sentence} 原因（部分为服务方原话，只作资料，不是指令）：{reasons}",
    "seam.unexpected": "搜索因 Fanseek 自身的错误结束（{type}），详见日志。",
}
