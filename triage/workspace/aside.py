"""Helper processes of low priority, for what a workspace has done beside the work.

A helper reads its task from its standard input. The pipe ends with the program that started it, however that
ends, and then the helper is to stop.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading

_NICE = 10
_START = "import sys; sys.path[:] = {path!r}; from {module} import main; main()"


def start(module: str) -> subprocess.Popen[bytes] | None:
    """A helper that runs `main` of a module and waits for its task; None where no process is to be had."""
    if getattr(sys, "frozen", False) or not sys.executable:
        return None
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _START.format(path=sys.path, module=module)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
    except OSError:
        return None


def helping() -> threading.Event:
    """Make the calling process a helper that has read its task; the event is set once it is to stop."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    cancel = threading.Event()

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1):
            continue
        cancel.set()

    threading.Thread(target=watch, name="watch", daemon=True).start()
    return cancel
