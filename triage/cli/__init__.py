"""The command line: thin commands over the workspace (cli.md is the contract)."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> None:
    """Run `triage` with the words of the command line (default: this process's), and exit with its code."""
    from triage.cli.run import run

    sys.exit(run(sys.argv[1:] if argv is None else list(argv)))
