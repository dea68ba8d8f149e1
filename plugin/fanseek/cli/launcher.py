"""What starts this very installation again, from a program that knows nothing of this shell."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import which

THROWAWAY = frozenset({"archive-v0", "environments-v2"})
"""Folders of uv's cache that `uvx` runs things from; they may be gone tomorrow."""


def launcher() -> list[str]:
    """`fanseek` where every program finds that, uvx where it was used now, else this very Python."""
    if THROWAWAY & set(Path(sys.prefix).parts) and (uvx := which("uvx")):
        return [uvx, "fanseek"]
    script = which("fanseek")
    return ["fanseek"] if script and _is_own(Path(script)) else [sys.executable, "-m", "fanseek"]


def _is_own(script: Path) -> bool:
    """Whether `script` is that of this installation, and not on the search path of an activated environment alone."""
    folder = Path(sys.executable).parent
    is_linked = script.parent.absolute() != folder.absolute()
    return script.resolve() == (folder / script.name).resolve() and (is_linked or sys.prefix == sys.base_prefix)
