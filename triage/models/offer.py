"""What helps to find cases: what may be typed next, cases by a part of their id, queries that are alike."""

from __future__ import annotations

from msgspec import Struct


class Offer(Struct, frozen=True):
    """Something that may be typed next in a filter.

    Args:
        says: the name or value, as recorded: make it plain before printing.
        means: what it is, in a few words.
        count: cases of the run that have it; None = not counted.
        text: the whole filter text once it is taken.
        caret: the 0-based character before which the caret then stands.
    """

    says: str
    means: str
    count: int | None
    text: str
    caret: int


class Named(Struct, frozen=True):
    """A filter by its name. `kind` tells whose it is: the settings file's, the app's own, or a ready one."""

    name: str
    text: str
    kind: str = "project"


class Found(Struct, frozen=True):
    """A case by a part of its id; `query` is cut and raw."""

    pk: int
    id: str
    query: str


class Alike(Struct, frozen=True):
    """Cases most like one by their query: keys and similarities (0..1), best first; the case itself is first.

    `least` is the smallest of the similarities.
    """

    keys: tuple[int, ...]
    scores: tuple[float, ...]

    @property
    def least(self) -> float:
        """The smallest similarity."""
        return self.scores[-1] if self.scores else 0.0
