"""What the app remembers from one sitting to the next: theme, sort, columns, last run."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any


class Memory:
    """A small JSON file; one that is missing, broken or not writable is no reason to stop."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._data: dict[str, Any] = {}
        self._read()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            data = json.loads(self._path.read_text("utf-8"))
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
        """The order chosen last; "" = by layer, None = none ever was."""
        value = self._data.get("sort")
        return value if isinstance(value, str) else None

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The columns of the list chosen last, None where none ever were."""
        value = self._data.get("columns")
        if not isinstance(value, list):
            return None
        return tuple(key for key in value if isinstance(key, str))

    @property
    def runs_sort(self) -> str | None:
        """The order of the list of runs."""
        return self._text("runs_sort")

    @property
    def runs_metric(self) -> str | None:
        """The metric whose trend the list of runs draws."""
        return self._text("runs_metric")

    @property
    def slices(self) -> dict[str, str]:
        """What was asked last on the Slices screen: by, metric, mode, cross."""
        kept = self._data.get("slices")
        found = kept.items() if isinstance(kept, dict) else ()
        return {name: text for name, text in found if isinstance(text, str)}

    @property
    def slices_sort(self) -> str | None:
        """The order of the slices."""
        return self._text("slices_sort")

    @property
    def export_folder(self) -> str | None:
        """Where the last export went."""
        return self._text("export_folder")

    @property
    def filters(self) -> dict[str, str]:
        """Filters saved in the app, by name."""
        kept = self._data.get("filters")
        found = kept.items() if isinstance(kept, dict) else ()
        return {name: text for name, text in found if isinstance(text, str)}

    def keep_filter(self, name: str, text: str | None) -> None:
        """Save a filter under a name; None forgets it. What another sitting saved meanwhile stays."""
        fresh = Memory(self._path)
        kept = fresh.filters
        if text is None:
            kept.pop(name, None)
        else:
            kept[name] = text
        self.remember(filters=kept)

    def run(self, newest: str | None) -> str | None:
        """The run shown last, unless a newer one has been loaded since."""
        return self._text("run") if newest is not None and self._text("newest") == newest else None

    def remember(self, **values: str | list[str] | dict[str, str] | None) -> None:
        """Write values down, beside what another window has written since; None forgets one."""
        self._read()
        self._data |= values
        part = self._path.with_name(f"{self._path.name}.{os.getpid()}.part")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(self._data, ensure_ascii=False, indent=1), "utf-8")
            # Another window reads the old or the new file, never half of one.
            part.replace(self._path)
