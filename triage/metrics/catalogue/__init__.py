"""The metrics: each file of this folder holds one, or a few of a kind (metrics.md sections 1-4).

A metric is registered by its file being here. A file has:

    METRICS: what its metrics are, `triage.metrics.metric.Metric`.
    measure: Facts -> the measures of a case by key; a key that is absent is out of scope.
    PLACE: its place among the files, the first leads its panel; without one it comes last, by name.
    ASKS: what `measure` looks at, so that cases that agree in it are not asked again: "labels" = labels,
        decision, how many ids and which ranks, how citations resolve, sentences in numbers; "scores" = judge
        scores as well; "record" (or nothing said) = anything, asked of each case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Literal, NamedTuple

from triage.metrics.metric import Metric
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

Asks = Literal["labels", "scores", "record"]
LAST = 1000
"""The place of a file that names none."""


class Entry(NamedTuple):
    """One file of metrics, with what the module's docstring says of it."""

    place: int
    name: str
    asks: Asks
    metrics: tuple[Metric, ...]
    measure: Callable[[Facts], Mapping[str, Measure]]
    needs: tuple[str, ...]


def _registered() -> tuple[Entry, ...]:
    found: list[Entry] = []
    for name in sorted(each.name for each in iter_modules(__path__)):
        module = import_module(f"{__name__}.{name}")
        place: int = getattr(module, "PLACE", LAST)
        asks: Asks = getattr(module, "ASKS", "record")
        needs: tuple[str, ...] = getattr(module, "NEEDS", ())
        found.append(Entry(place, name, asks, tuple(module.METRICS), module.measure, needs))
    taken = Counter(metric.key for entry in found for metric in entry.metrics)
    twice = [key for key, times in taken.items() if times > 1]
    if twice:
        raise ValueError(f"two metrics are called {', '.join(twice)}")
    return tuple(sorted(found, key=lambda entry: (entry.place, entry.name)))


CATALOGUE: tuple[Entry, ...] = _registered()
"""In the order in which metrics are shown."""
