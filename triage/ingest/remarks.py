"""What strikes one about a run as a whole, gathered while its records pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.formats.parts import KNOWN_SCORES

if TYPE_CHECKING:
    from triage.models.measure import Diagnosis
    from triage.models.record import Record

_SCALES = {"1-5": (1.0, 5.0), "0-1": (0.0, 1.0)}


class Remarks:
    """Counts, and the sentences they give at the end."""

    def __init__(self) -> None:
        self._repeats = 0
        self._conflicts = 0
        self._scores: dict[str, list[int]] = {}

    def see(self, record: Record, diagnosis: Diagnosis) -> None:
        """Take note of one record."""
        ids = record.retrieved_ids
        if ids and len(set(ids)) != len(ids):
            self._repeats += 1
        if diagnosis.suggestion.reason == "label_conflict":
            self._conflicts += 1
        if record.scores:
            for name, value in record.scores.items():
                counts = self._scores.get(name)
                if counts is None:
                    if name not in KNOWN_SCORES:
                        continue
                    # Recorded, outside 1 to 5, outside 0 to 1.
                    counts = self._scores[name] = [0, 0, 0]
                counts[0] += 1
                if not 1 <= value <= 5:
                    counts[1] += 1
                if not 0 <= value <= 1:
                    counts[2] += 1

    def add(self, other: Remarks) -> None:
        """Take over what others noted of later records."""
        self._repeats += other._repeats
        self._conflicts += other._conflicts
        for name, counts in other._scores.items():
            known = self._scores.setdefault(name, [0, 0, 0])
            known[:] = map(sum, zip(known, counts, strict=True))

    def sentences(self, score_scale: str, records: int) -> list[str]:
        """What is worth telling.

        Args:
            score_scale: the scale that the header declares.
            records: how many records there are.
        """
        said = []
        if self._repeats:
            said.append(
                f"{self._repeats} of {records} records retrieved a document more than once: "
                "repeats keep their ranks (--dedup-docs removes them)"
            )
        if self._conflicts:
            said.append(
                f"{self._conflicts} of {records} records contradict themselves (answerable without expected "
                "ids, or unanswerable with them): mistakes of the test set, left out of the retrieval metrics"
            )
        for name, (count, outside_five, outside_one) in self._scores.items():
            outside, other = (outside_five, "0-1") if score_scale == "1-5" else (outside_one, "1-5")
            if outside:
                fits = (outside_one if other == "0-1" else outside_five) == 0
                hint = f"; they fit {other}: --set score_scale={other}" if fits else ""
                said.append(f"{name}: {outside} of {count} scores lie outside the scale {score_scale}{hint}")
        return said
