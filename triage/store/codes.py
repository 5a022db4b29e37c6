"""The codebook: labels with their definitions, and every change that was made to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.store.connection import Connection


class Codes:
    """The codebook as one thread's connection sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
