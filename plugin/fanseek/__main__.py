"""The command: `python -m fanseek`, and what the script `fanseek` runs."""

from __future__ import annotations

import signal
import sys
from contextlib import suppress


def main() -> int:
    """Run the command; its exit code. Until a search listens for signals, SIGINT ends the process in silence."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from fanseek.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
