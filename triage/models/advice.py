"""What to try first, layer by layer (metrics.md section 5, "Run level"). Plain values."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

AdviceLayer = Literal[
    "data", "knowledge base", "retrieval", "ranking", "generation", "labels", "refusal", "citation", "agent"
]


class Advice(Struct, frozen=True):
    """One signal that holds.

    Args:
        signal: what falls short of its reference, in a few words.
        layer: where to look.
        value: the number that says so: a metric's value, or a count of cases.
        said: that number with what stands behind it and the reference, as text.
        try_first: what to try first.
        watch: what may get worse meanwhile.
        query: a filter text that selects the cases behind it.
        cases: how many they are.
        first: nothing above it falls short: begin here.
    """

    signal: str
    layer: AdviceLayer
    value: float
    said: str
    try_first: str
    watch: str
    query: str
    cases: int
    first: bool = False


class Counsel(Struct, frozen=True):
    """The signals of a selection that hold, downwards, and the layers of which nothing can be told."""

    lines: tuple[Advice, ...]
    untold: tuple[AdviceLayer, ...] = ()
