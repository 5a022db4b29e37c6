"""Readings of a sample's cases: who has which case in hand, what each reader says, what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.store.connection import Connection


class Readings:
    """Readings as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
