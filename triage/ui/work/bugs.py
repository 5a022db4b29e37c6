"""A bug of ours leaves its traceback in a log, so that the screen can say where it is."""

from __future__ import annotations

import contextlib
import traceback
from datetime import UTC, datetime

from triage import paths


def logged(error: BaseException) -> str:
    """Write the traceback to the log and return the log's path; "" where it can't be written."""
    path = paths.log_dir() / "triage.log"
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as log:
            log.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}\n")
            log.write("".join(traceback.format_exception(error)) + "\n")
        return str(path)
    return ""
