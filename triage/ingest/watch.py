"""Follows folders and files: what came, what changed, what is still being written, what has gone.

Truth is what a scan of the folders sees; events only say where to look at once. So an event that is lost, or
never comes, costs a moment and not a file.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from triage.ingest.discover import is_run_file, is_walked
from triage.ingest.watch_events import Events
from triage.ingest.watch_scan import Place, Scan, Stamp, scan, stamp_of
from triage.ingest.watch_whole import is_whole
from triage.store.mounts import is_silent

__all__ = ["Event", "FileChange", "Following", "Place", "Watcher"]

QUIET = 0.12
"""Seconds that a file stands still before it is looked at: it came at once, as by a rename."""
QUIET_GROWING = 0.4
"""The same for a file that was seen to grow."""
STILL_WRITTEN = 1.0
"""Seconds of growing after which it is told that a file is still being written."""
GIVE_UP = 3.0
"""Seconds that a file stands still, half a record at its end, before it is taken as it is."""
ENDLESS = 10.0
"""Seconds of growing without a pause after which a file is taken where a record of it ends."""
GONE = 1.0
"""Seconds that a file is missed before it counts as gone: some editors move it away and write it anew."""
TICK = 0.05
LONGEST_WAIT = 3600.0
SLOW_SCAN = 2.0
"""Seconds between two scans where events arrive."""
HASTY = (0.15, 0.3, 0.6)
"""Seconds to the scans after beginning to listen: what happens before the system listens is not told."""
SLOW_LOAD = 2.0
"""Seconds of loading from which on a file that grows is left alone for a while."""
_TRIES = 3


class FileChange(Struct, frozen=True):
    """`ready`: the file is new or changed, and whole (or will never be). `writing`: somebody is still at it,
    told once. `gone`: it is no longer there.
    """

    what: Literal["ready", "writing", "gone"]
    path: Path


class Following(Struct, frozen=True):
    """How it is followed: by events or by polling, and which of the places are not there yet."""

    polling: bool
    absent: tuple[Path, ...] = ()


Event = FileChange | Following


class _Pending:
    """A file that has changed and is not yet told."""

    def __init__(self, stamp: Stamp, now: float) -> None:
        self.stamp = stamp
        self.first = self.since = now
        self.grew = False
        self.told = False
        self.whole: bool | None = None
        self.next_try = now + ENDLESS

    def see(self, stamp: Stamp, now: float) -> None:
        if stamp != self.stamp:
            self.stamp, self.since, self.grew, self.whole = stamp, now, True, None


class Watcher:
    """Follows places in the thread that calls `run`, until `stop`.

    Args:
        places: what to follow; they need not exist.
        known: resolved path -> (size, mtime_ns) of the file as it was loaded: not told again.
        tell: called for each change, in the thread of `run`.
        polling: look every `poll_seconds`, whatever the file system; None = find out.
        poll_seconds: seconds between two looks where no events arrive.
    """

    def __init__(
        self,
        places: Sequence[Place],
        known: Mapping[str, tuple[int, int]],
        tell: Callable[[Event], None],
        *,
        polling: bool | None = None,
        poll_seconds: float = 1.0,
    ) -> None:
        self._places = tuple(places)
        self._known = known
        self._tell = tell
        self._by_events = not polling
        self._silent = bool(polling) or any(is_silent(_standing(place.path)) for place in places)
        self._poll_seconds = poll_seconds
        self._woken: queue.SimpleQueue[set[str]] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._events: Events | None = None
        self._failures = 0
        self._scan = Scan()
        self._seen: dict[str, Stamp] = {}
        self._pending: dict[str, _Pending] = {}
        self._going: dict[str, float] = {}
        self._rest: dict[str, float] = {}
        self._mode: Following | None = None
        self._next = 0.0
        self._hasty: list[float] = []

    def stop(self) -> None:
        """End `run` soon, from any thread."""
        self._stopped.set()
        self._woken.put(set())

    def took(self, path: Path, seconds: float) -> None:
        """Loading the file took so long: while it grows on, it is not told again too soon."""
        self._rest[str(path)] = time.monotonic() + (min(2 * seconds, 60.0) if seconds >= SLOW_LOAD else 0.0)

    def run(self) -> None:
        """Follow until `stop`."""
        try:
            self._look_over(first=True)
            while not self._stopped.is_set():
                self._take(self._wait())
                if time.monotonic() >= self._next:
                    self._look_over()
                self._settle()
        finally:
            if self._events is not None:
                self._events.close()

    def _wait(self) -> set[str]:
        # At most as long as a lock can be waited for.
        pause = min(max(self._next - time.monotonic(), 0.0), LONGEST_WAIT)
        if self._pending or self._going:
            pause = min(pause, TICK)
        found: set[str] = set()
        try:
            found = self._woken.get(timeout=pause) if pause else self._woken.get_nowait()
            while True:
                found |= self._woken.get_nowait()
        except queue.Empty:
            return found

    # where to look

    def _wanted(self, path: str) -> bool:
        """Is a change of this path worth waking up for? Called in the thread of the events."""
        if path in self._scan.of_interest:
            return True
        name = path.rpartition(os.sep)[2]
        return is_run_file(name) or (is_walked(name) and Path(path).is_dir())

    def _take(self, changed: set[str]) -> None:
        """Look where the events say."""
        events = self._events
        if events is not None and events.failed is not None:
            self._failures += 1
            self._events = None
            events.close()
            self._hurry()
        for path in changed:
            folder, _, name = path.rpartition(os.sep)
            if path in self._scan.files or (folder in self._scan.walked and is_run_file(name)):
                self._look(path)
            elif path in self._scan.watched:
                # The folder itself was moved or removed: listening to it is over.
                if self._events is not None:
                    self._events.close()
                    self._events = None
                self._hurry()
            elif folder not in self._scan.watched or path in self._scan.of_interest or Path(path).is_dir():
                self._hurry()

    def _hurry(self) -> None:
        self._next = min(self._next, time.monotonic() + max(0.02, 5 * self._scan.seconds))

    def _look_over(self, *, first: bool = False) -> None:
        """Scan everything, and listen to the folders that there are now."""
        before = self._scan
        self._scan = scan(self._places)
        if self._by_events and (self._events is None or self._scan.identity != before.identity):
            self._listen()
        for path in self._scan.stamps.keys() | self._seen.keys() | self._pending.keys():
            self._see(path, self._scan.stamps.get(path), first=first)
        now = time.monotonic()
        if self._silent:
            pause = max(self._poll_seconds, 10 * self._scan.seconds)
        else:
            pause = max(self._hasty.pop(0) if self._hasty else SLOW_SCAN, 20 * self._scan.seconds)
        self._next = now + pause
        mode = Following(self._silent, self._scan.absent)
        if mode != self._mode:
            self._mode = mode
            self._tell(mode)

    def _listen(self) -> None:
        if self._events is not None:
            self._events.close()
            self._events = None
        if self._failures >= _TRIES:
            # No more watches to be had, or none on this file system: looking works everywhere.
            self._by_events, self._silent = False, True
            return
        self._events = Events(
            [Path(path) for path in sorted(self._scan.watched)], self._wanted, self._woken.put
        )
        self._hasty = list(HASTY)

    # what is seen

    def _look(self, path: str) -> None:
        self._see(path, stamp_of(path))

    def _see(self, path: str, stamp: Stamp | None, *, first: bool = False) -> None:
        now = time.monotonic()
        if stamp is None:
            self._pending.pop(path, None)
            if path in self._seen:
                self._going.setdefault(path, now)
            return
        self._going.pop(path, None)
        if self._seen.get(path) == stamp or (first and self._was_loaded(path, stamp)):
            self._seen[path] = stamp
            self._pending.pop(path, None)
        elif (pending := self._pending.get(path)) is None:
            self._pending[path] = _Pending(stamp, now)
        else:
            pending.see(stamp, now)

    def _was_loaded(self, path: str, stamp: Stamp) -> bool:
        """At the beginning: is it known as it is, or none of the files that were to be told?"""
        loaded = self._known.get(os.path.realpath(path))
        if loaded is None:
            return path in self._scan.passed_over
        return (stamp.size, stamp.mtime_ns) == loaded

    def _settle(self) -> None:
        """Tell what stands still."""
        for path in list(self._pending):
            self._look(path)
        now = time.monotonic()
        for path, pending in list(self._pending.items()):
            if self._ready(path, pending, now):
                del self._pending[path]
                self._seen[path] = pending.stamp
                self._tell(FileChange("ready", Path(path)))
        for path, since in list(self._going.items()):
            if now - since >= GONE:
                del self._going[path]
                self._seen.pop(path, None)
                self._tell(FileChange("gone", Path(path)))

    def _ready(self, path: str, pending: _Pending, now: float) -> bool:
        if now < self._rest.get(path, 0.0):
            return False
        quiet = now - pending.since
        if quiet < (QUIET_GROWING if pending.grew else QUIET):
            if now - pending.first >= STILL_WRITTEN:
                self._still_written(path, pending)
            if now < pending.next_try:
                return False
            pending.next_try = now + STILL_WRITTEN
            return _whole(path)
        if pending.whole is None:
            pending.whole = _whole(path)
        if not pending.whole:
            self._still_written(path, pending)
        return pending.whole or quiet >= GIVE_UP

    def _still_written(self, path: str, pending: _Pending) -> None:
        if not pending.told:
            pending.told = pending.grew = True
            self._tell(FileChange("writing", Path(path)))


def _whole(path: str) -> bool:
    try:
        return is_whole(Path(path))
    except OSError:
        # It can't be read now: a moment later it can, or loading it tells why not.
        return False


def _standing(path: Path) -> Path:
    """The nearest that exists of a path and the folders above it, resolved."""
    real = Path(os.path.realpath(path))
    return next((one for one in (real, *real.parents) if one.exists()), real)
