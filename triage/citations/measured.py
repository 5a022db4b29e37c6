"""How right the rules were where people had labelled pairs of sentence and source.

Measured on pairs that the rules were not tuned on (lists of the project's own) and on the shared list that
metrics.md section 6 names: three quarters Chinese, a quarter English, about half supported paraphrases. All are
short policies; real sources are longer and say more, so expect less there.
Precision of a kind: of the sentences in which it was found, the share that the label calls unsupported. A test
measures it again.
"""

from __future__ import annotations

from typing import NamedTuple

from triage.models.sentences import Mismatch


class Measured(NamedTuple):
    """`right` of `found` were right; `precision` is their share, 0..1."""

    right: int
    found: int

    @property
    def precision(self) -> float:
        """The share of what was found that was right."""
        return self.right / self.found


RULES_MEASURED: dict[Mismatch, Measured] = {
    "modality": Measured(11, 11),
    "duration": Measured(12, 12),
    "amount": Measured(9, 9),
    "number": Measured(7, 7),
    "date": Measured(9, 9),
    "negation": Measured(19, 19),
    "scope": Measured(14, 14),
}
"""The rules by kind."""

FLAGGED = Measured(77, 77)
"""The check as a whole: sentences that it calls unsupported."""

CAUGHT = Measured(77, 80)
"""Of the unsupported sentences (`found`), those that the check flags (`right`); its share is the recall."""
