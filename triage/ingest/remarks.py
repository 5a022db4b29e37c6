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
        self._fewest = self._most = 0

    @property
    def fewest_attempts(self) -> int:
        """The smallest number of judged attempts at a case; 0 where no case has any."""
        return self._fewest

    @property
    def attempts_differ(self) -> bool:
        """Have some cases more attempts than others?"""
        return self._fewest != self._most

    def see(self, record: Record, diagnosis: Diagnosis) -> None:
        """Take note of one record."""
        ids = record.retrieved_ids
        if ids and len(set(ids)) != len(ids):
            self._repeats += 1
        if diagnosis.suggestion.reason == "label_conflict":
            self._conflicts += 1
        if record.attempts:
            self.attempted(record)
        if record.scores:
            for name, value in record.scores.items():
                counts = self._scores.get(name)
                if counts is None:
                    if name not in KNOWN_SCORES:
                        continue
                    # Recorded, outside 1 to 5, outside 0 to 1, outside both.
                    counts = self._scores[name] = [0, 0, 0, 0]
                counts[0] += 1
                if not 1 <= value <= 5:
                    counts[1] += 1
                if not 0 <= value <= 1:
                    counts[2] += 1
                if not 0 <= value <= 5:
                    counts[3] += 1

    def attempted(self, record: Record) -> None:
        """Take note of how many attempts at a case there are; those that are not all judged tell nothing."""
        attempts = record.attempts
        if attempts and all(attempt.passed is not None for attempt in attempts):
            self._took(len(attempts), len(attempts))

    def _took(self, fewest: int, most: int) -> None:
        self._fewest = min(self._fewest or fewest, fewest)
        self._most = max(self._most, most)

    def add(self, other: Remarks) -> None:
        """Take over what others noted of later records."""
        self._repeats += other._repeats
        self._conflicts += other._conflicts
        for name, counts in other._scores.items():
            known = self._scores.setdefault(name, [0, 0, 0, 0])
            known[:] = map(sum, zip(known, counts, strict=True))
        if other._fewest:
            self._took(other._fewest, other._most)

    def sentences(self, score_scale: str, records: int) -> list[str]:
        """What is worth telling.

        Scores are taken as they come, on the one scale that the run declares: none is mapped or left out for
        lying outside it, since a 1 fits both scales. A run that mixes them is told so, because its means
        and its thresholds say nothing.

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
        mixed = self._mixed()
        if mixed:
            said.append(f"score scales are mixed: {mixed}: no mean of these scores means anything")
        for name, (count, outside_five, outside_one, _) in self._scores.items():
            outside, other = (outside_five, "0-1") if score_scale == "1-5" else (outside_one, "1-5")
            if outside:
                fits = (outside_one if other == "0-1" else outside_five) == 0 and not mixed
                hint = f"; they fit {other}: --set score_scale={other}" if fits else ""
                said.append(f"{name}: {outside} of {count} scores lie outside the scale {score_scale}{hint}")
        return said

    def _mixed(self) -> str:
        """Which scores fit one scale alone and which the other, "" where one scale fits all."""
        only = {
            "0-1": {name: five - both for name, (_, five, _, both) in self._scores.items() if five > both},
            "1-5": {name: one - both for name, (_, _, one, both) in self._scores.items() if one > both},
        }
        if not all(only.values()):
            return ""
        return " and ".join(
            ", ".join(f"{count} of {name}" for name, count in found.items()) + f" fit {scale} alone"
            for scale, found in only.items()
        )
