"""The marked cases of a run: keys alone, so that a hundred thousand are marked without a row being read."""

from __future__ import annotations

from array import array


class Marks:
    """Which cases are marked, through sorts, views and filters; `hidden` counts those not in the list."""

    def __init__(self) -> None:
        self.keys: set[int] = set()
        self.hidden = 0
        self.last: int | None = None
        """The case that was marked, or unmarked, last."""

    def __len__(self) -> int:
        return len(self.keys)

    def __contains__(self, pk: int) -> bool:
        return pk in self.keys

    def toggle(self, pk: int) -> None:
        """Mark a case of the list, or take its mark away."""
        self.keys ^= {pk}
        self.last = pk

    def reach(self, keys: array[int], position: int) -> None:
        """Mark from the case marked last, or else the list's first, to the one at `position`."""
        start = keys.index(self.last) if self.last is not None and self.last in keys else 0
        low, high = sorted((start, position))
        self.keys.update(keys[low : high + 1])
        self.last = keys[position]

    def all(self, keys: array[int]) -> None:
        """Mark the whole list; where it is marked already, take every mark away."""
        shown = set(keys)
        if shown <= self.keys:
            self.clear()
        else:
            self.keys |= shown

    def clear(self) -> None:
        """Take every mark away."""
        self.keys = set()
        self.hidden = 0
        self.last = None

    def shown_in(self, keys: array[int]) -> None:
        """Count the marked cases that are not in the list `keys`."""
        self.hidden = len(self.keys - set(keys)) if self.keys else 0

    def move(self, places: dict[int, int]) -> None:
        """The cases have other keys now, old to new; one without a new key has gone."""
        self.keys = {places[pk] for pk in self.keys if pk in places}
        self.last = places.get(self.last) if self.last is not None else None
