"""A worker that behaves as its script says, to see what the bundle makes of it. Standard library only.

`python scripted_worker.py SCRIPT LOG`: SCRIPT is JSON, `{"search": ["answer", "die", …]}`: what is done with the n-th
request of a method over all processes (the last one goes on); LOG gets what was received, one JSON a line.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

SCRIPT, LOG = json.loads(sys.argv[1]), Path(sys.argv[2])
LOCK = threading.Lock()
HELLO = {"name": "fanseek", "version": "0", "python": "3", "methods": ["search"]}


def note(**what: Any) -> int:
    """Write it down; how often its method was asked for before."""
    with LOCK:
        before = LOG.read_text(encoding="utf-8").splitlines() if LOG.exists() else []
        with LOG.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"pid": os.getpid(), **what}) + "\n")
    return sum(json.loads(line).get("method") == what.get("method") for line in before)


def say(message: dict[str, Any]) -> None:
    with LOCK:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def found(params: dict[str, Any]) -> dict[str, Any]:
    query = params.get("query", "")
    source = {"url": f"https://example.org/{query}", "title": f"About {query}", "snippet": "Words."}
    return {"sources": [source], "truncated": False, "params": params}


def answer(ident: Any, method: str, params: dict[str, Any], how: str) -> None:
    name, _, argument = how.partition(":")
    if name == "die":
        os._exit(int(argument or 3))
    if name == "complain-and-die":
        sys.stderr.write(f"Traceback\nRuntimeError: {argument}\n")
        sys.stderr.flush()
        os._exit(1)
    if name in ("hang", "ignore"):
        return
    if name == "slow":
        time.sleep(float(argument))
    if name == "print":
        with LOCK:
            sys.stdout.write("a stray line\n[1, 2]\n{half a mess\n")
            sys.stdout.flush()
    if name == "flood":
        sys.stdout.write('{"id": 1, "result": "' + "x" * int(argument) + '"}\n')
        sys.stdout.flush()
        return
    if name == "error":
        code, _, words = argument.partition(":")
        say({"id": ident, "error": {"code": -32000, "message": words, "data": {"code": code, "retryable": False}}})
        return
    if name == "shout":
        sys.stderr.write(argument + json.dumps(params.get("keys")) + "\n")
        sys.stderr.flush()
    say({"id": ident, "result": found(params)})


def main() -> None:
    note(method="started", environment=sorted(os.environ), argv=sys.argv[3:])
    script = SCRIPT
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        method, ident, params = message["method"], message.get("id"), message.get("params", {})
        turn = note(method=method, id=ident, params=params)
        if method == "initialize":
            plan = script.get("initialize", ["ok"])
            how = plan[min(turn, len(plan) - 1)]
            if how in ("ok", "old"):
                say({"id": ident, "result": HELLO | {"protocol": 1 if how == "ok" else 0}})
            else:
                answer(ident, method, params, how)
        elif method == "cancel":
            if not any("ignore" in plan for plan in script.values()):
                answer(params["id"], method, params, "error:WEB_ABORTED:stopped")
        else:
            plan = script.get(method, ["answer"])
            how = plan[min(turn, len(plan) - 1)]
            if how == "close-input":
                os.close(0)
                time.sleep(30)
            threading.Thread(target=answer, args=(ident, method, params, how), daemon=True).start()


if __name__ == "__main__":
    main()
