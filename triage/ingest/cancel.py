"""Giving up a load halfway."""

from __future__ import annotations

import threading

from triage.errors import TriageError


class Cancelled(TriageError):
    """The user called a load off; nothing of it is left."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("interrupted", "nothing of the file was kept")


def check(cancel: threading.Event | None) -> None:
    """Stop here if the user has called the work off.

    Raises:
        Cancelled: they have.
    """
    if cancel is not None and cancel.is_set():
        raise Cancelled
