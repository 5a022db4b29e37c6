"""A few small files looked at now and then: settings and themes, wherever they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from triage.ingest.watch_scan import Stamp, stamp_of


class FewFiles:
    """Tells that some of a few files have come, changed or gone.

    Args:
        find: the files as of now; they need not exist.
    """

    def __init__(self, find: Callable[[], Iterable[Path]]) -> None:
        self._find = find
        self._known: dict[str, Stamp] | None = None
        self._seen: dict[str, Stamp] | None = None

    def changed(self) -> bool:
        """Are they others than when this was last true, and stand still since the last look?

        False the first time. Half a file is not told: its writer gets until the next look to go on.
        """
        found = {str(path): stamp_of(str(path)) for path in self._find()}
        now = {path: stamp for path, stamp in found.items() if stamp is not None}
        still, self._seen = now == self._seen, now
        if self._known is None:
            self._known = now
            return False
        if now == self._known or not still:
            return False
        self._known = now
        return True
