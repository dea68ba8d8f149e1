"""`python -m fanseek`: the command."""

from __future__ import annotations

import sys

from fanseek.cli import main

if __name__ == "__main__":
    sys.exit(main())
