"""The hard reasons against a cited sentence, a kind a file (metrics.md section 6, "Hard reasons").

A kind is registered by its file being here. A file has:

    KIND: the kind, one of `triage.models.sentences.MISMATCHES`.
    clashes: Pair -> what of the sentence clashes with the cited texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from triage.citations.pairing import Found, Pair
from triage.models.sentences import MISMATCHES, Mismatch


class Kind(NamedTuple):
    """One kind of hard reason."""

    name: Mismatch
    clashes: Callable[[Pair], Iterable[Found]]


@cache
def kinds() -> tuple[Kind, ...]:
    """The kinds, in the order in which they are told. Read at the first call."""
    modules = [import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__)]
    found = [Kind(module.KIND, module.clashes) for module in modules]
    return tuple(sorted(found, key=lambda kind: MISMATCHES.index(kind.name)))
