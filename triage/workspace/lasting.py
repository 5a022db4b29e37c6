"""Calls that outlast a run's records: these are replaced whenever its file is loaded again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from triage.errors import TriageError

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store import Store

Told = TypeVar("Told")
TRIES = 4
"""So often is a call made where the records are replaced under it."""


def lasting(
    run_of: Callable[[str], tuple[Store, RunSummary]],
    run: str,
    call: Callable[[Store, RunSummary], Told],
    *,
    asks: bool = False,
) -> Told:
    """`call` with a run as it now is, and again where it was told that something is not there while the run's
    records were replaced; where it only `asks`, again whatever it was told.

    Raises:
        TriageError: what `run_of` and `call` raise; a call that raises has written nothing.
    """
    for _ in range(TRIES - 1):
        store, found = run_of(run)
        try:
            told = call(store, found)
        except TriageError:
            if not store.handing.replaced(found):
                raise
        else:
            if not asks or not store.handing.replaced(found):
                return told
    return call(*run_of(run))
