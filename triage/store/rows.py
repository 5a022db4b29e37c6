"""What the loader hands to the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from triage.models.measure import Diagnosis, Measure
    from triage.models.record import Record


class Measured(Struct, frozen=True):
    """A case's measures by metric key, and its diagnosis, at one K."""

    measures: dict[str, Measure]
    diagnosis: Diagnosis


class CaseIn(Struct, frozen=True):
    """A record on its way in. `position` is its 0-based order in the file, `line` as in `Problem`.

    `raw` is its JSON text exactly as it came; bytes are UTF-8. `record` carries what reading inferred.
    `measured` None = to be measured in the second pass.
    """

    position: int
    line: int
    raw: str | bytes
    record: Record
    high_risk: bool
    measured: Measured | None = None
