"""Samples of a run's cases: kept by name, with the rule and the seed that drew them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.store.connection import Connection


class Samples:
    """Samples as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
