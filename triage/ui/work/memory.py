"""What the app remembers from one sitting to the next: theme, sort, last run."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any


class Memory:
    """A small JSON file; one that is missing, broken or not writable is no reason to stop."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._data: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):
            data = json.loads(path.read_text("utf-8"))
            if isinstance(data, dict):
                self._data = data

    def _text(self, key: str) -> str | None:
        value = self._data.get(key)
        return value if isinstance(value, str) and value else None

    @property
    def theme(self) -> str | None:
        """The theme chosen last."""
        return self._text("theme")

    @property
    def sort(self) -> str | None:
        """The order chosen last."""
        return self._text("sort")

    def run(self, newest: str | None) -> str | None:
        """The run shown last, unless a newer one has been loaded since."""
        return self._text("run") if newest is not None and self._text("newest") == newest else None

    def remember(self, **values: str | None) -> None:
        """Write values down; None forgets one."""
        self._data |= values
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(self._data, ensure_ascii=False, indent=1), "utf-8")
