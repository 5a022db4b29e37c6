"""What the operating system tells of changes in folders, gathered by a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

STEP = 25
"""Milliseconds between two looks for events."""
GROUP = 100
"""Milliseconds that events are gathered for at most."""


class Events:
    """Changed paths in folders, without what lies deeper. Where events can't be had, `failed` says why.

    Args:
        folders: folders that exist.
        wanted: is a change of this path of interest? The rest is dropped before anyone is woken.
        told: gets the changed paths, as soon as there are some, and once more where it fails.
    """

    def __init__(
        self, folders: Sequence[Path], wanted: Callable[[str], bool], told: Callable[[set[str]], None]
    ) -> None:
        self.folders = tuple(folders)
        self.failed: str | None = None
        self._wanted = wanted
        self._told = told
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="events", daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        # Imported here, in the thread, because the screen stands before anything is followed.
        from watchfiles import Change, watch

        def wanted(change: Change, path: str) -> bool:
            return self._wanted(path)

        try:
            for changes in watch(
                *self.folders,
                watch_filter=wanted,
                debounce=GROUP,
                step=STEP,
                stop_event=self._stop,
                rust_timeout=0,
                raise_interrupt=False,
                force_polling=False,
                recursive=False,
                ignore_permission_denied=True,
            ):
                self._told({path for _, path in changes})
        except (OSError, RuntimeError) as error:
            # A folder has gone meanwhile, or the system has no more watches to give.
            self.failed = str(error) or type(error).__name__
            self._told(set())

    def close(self) -> None:
        """Stop; its thread is gone a moment later."""
        self._stop.set()
        self._thread.join(1.0)
