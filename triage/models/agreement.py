"""How far those who read the same cases say the same, and how far the rules' suggestions hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from triage.models.measure import FailureClass
from triage.models.reading import Arbitration, Reading
from triage.models.verdict import Verdict

Word = Literal["usable", "tentative", "fix the guide"]
"""What a kappa or an alpha allows (metrics.md section 7): from .8, from .667, below."""
ADVICE: Mapping[Word, str] = {
    "usable": "usable",
    "tentative": "tentative: conclude with care",
    "fix the guide": "fix the guide before the numbers",
}
"""The same with what follows from it."""
USABLE, TENTATIVE = 0.8, 0.667
"""Least kappa or alpha that is usable, and that allows tentative conclusions."""
_PRECISE = 9
"""Decimals at which a coefficient is held against those."""
FEW_CASES = 30
"""Cases below which the interval says more than the number (metrics.md section 7)."""
Matrix = dict[str, dict[str, int]]
"""Row -> column -> how many, rows and columns in the order of the verdict keys; a missing cell is 0."""


class ClassAgreement(Struct, frozen=True):
    """One class against all others taken together, over pairs of readings of the same case.

    Args:
        verdict: the class.
        readings: readings of cases read twice that say so.
        n: pairs of readings.
        either, both: pairs of which at least one says so, of which both do.
        agreement: share of pairs, 0..1, that agree on whether it is this class; None where n is 0.
        kappa: Cohen's kappa of that yes or no; None where undefined or where more than two people read.
        alpha: Krippendorff's alpha of it; None where undefined.
        word: what alpha allows.
    """

    verdict: Verdict
    readings: int
    n: int
    either: int
    both: int
    agreement: float | None
    kappa: float | None
    alpha: float | None
    word: Word | None = None


class PairAgreement(Struct, frozen=True):
    """Two reviewers over the `n` >= 1 cases that both have read; `agree` of them with the same verdict.

    `agreement` is 0..1, `interval` its Wilson 95 % interval; `kappa` is Cohen's, unweighted, None where
    undefined; `confusion` has a's verdicts in rows and b's in columns.
    """

    a: str
    b: str
    n: int
    agree: int
    agreement: float
    interval: tuple[float, float]
    kappa: float | None
    word: Word | None
    confusion: Matrix
    classes: tuple[ClassAgreement, ...]


class ReaderCounts(Struct, frozen=True):
    """One reviewer: how many readings, by verdict; how many cases others read too, and how many of those
    readings of others (`compared`) say the same (`agree`).
    """

    reviewer: str
    readings: int
    verdicts: dict[str, int]
    shared: int
    compared: int
    agree: int


class ReadCase(Struct, frozen=True):
    """A case and its readings that stand, oldest first, each by another reviewer."""

    run: str
    case_id: str
    readings: tuple[Reading, ...]
    arbitration: Arbitration | None = None


class ReadTwice(Struct, frozen=True):
    """A case whose readers differ: (reviewer, verdict) of each, oldest first; `arbitration` where settled."""

    run: str
    case_id: str
    verdicts: tuple[tuple[str, Verdict], ...]
    arbitration: Arbitration | None = None


class SuggestedCase(Struct, frozen=True):
    """A reviewed case: what a rule suggests and what people say; `verdict` None = none stands."""

    run: str
    case_id: str
    reason: str
    failure_class: FailureClass | None
    confidence: float
    verdict: Verdict | None
    disputed: bool = False
    stale: bool = False
    arbitrated: bool = False


class RuleAgreement(Struct, frozen=True):
    """A rule's suggestions against the verdicts on `n` cases: `agree` of them are what it says.

    `says` is the verdict that agrees with it; `confidence` (0..1) the mean of what it gave; `interval` the
    Wilson 95 % interval of agree / n; `verdicts` counts what people said.
    """

    reason: str
    says: Verdict
    confidence: float
    n: int
    agree: int
    interval: tuple[float, float]
    verdicts: dict[str, int]

    @property
    def share(self) -> float:
        """The rule's precision, 0..1."""
        return self.agree / self.n


class SuggestionAgreement(Struct, frozen=True):
    """All suggestions against the verdicts. `confusion` has what is suggested in rows, verdicts in columns.

    Left out and counted: cases that are disputed, whose record has changed since the verdict (`stale`), and
    those for which no rule suggests anything (`silent`).
    """

    n: int
    agree: int
    interval: tuple[float, float] | None
    by_reason: tuple[RuleAgreement, ...]
    confusion: Matrix
    disputed: int = 0
    stale: int = 0
    silent: int = 0


class Agreement(Struct, frozen=True):
    """Everything about the readings of a run, of a sample of it, or (run None) of all runs.

    Args:
        reviewers: in alphabetical order.
        readings, cases: verdicts that stand, each reviewer's counted, and the cases that have any.
        read_twice: cases with two readings or more; `unanimous` of them with one verdict alone.
        compared, agree: pairs of readings of the same case, and how many are the same.
        agreement: unanimous / read_twice, 0..1; None where nothing was read twice.
        interval: its Wilson 95 % interval.
        alpha: Krippendorff's, nominal, over all reviewers; None where undefined.
        alpha_interval: its 95 % interval, by drawing the cases again; None where nobody differs.
        word: what alpha allows.
        classes: those that somebody gave, in the order of the verdict keys.
        disputes: cases without a majority of their readers and not arbitrated, in file order.
        arbitrated: cases whose readers differ, and that were settled with a reason.
        outvoted: cases whose readers differ, and of which more than half say the same.
        stale: readings left out, as the record has changed since.
    """

    run: str | None
    sample: str | None
    reviewers: tuple[str, ...]
    readings: int
    cases: int
    read_twice: int
    unanimous: int
    compared: int
    agree: int
    agreement: float | None
    interval: tuple[float, float] | None
    alpha: float | None
    word: Word | None
    pairs: tuple[PairAgreement, ...]
    classes: tuple[ClassAgreement, ...]
    readers: tuple[ReaderCounts, ...]
    disputes: tuple[ReadTwice, ...]
    arbitrated: tuple[ReadTwice, ...]
    outvoted: tuple[ReadTwice, ...]
    suggestions: SuggestionAgreement
    stale: int = 0
    runs: tuple[str, ...] = ()
    alpha_interval: tuple[float, float] | None = None


class Door(Struct, frozen=True):
    """A number whose cases are asked for. `kind` says which of the others are set.

    Args:
        kind: "pair", two reviewers (`a`, `b`) and their verdicts (`row`, `column`, None = any); "class",
            cases of which a reading says `row`; "reader", cases that `a` and another have read; "met", cases
            of which one reading (`a`'s where it is set) says `row` and another says `column`;
            "rule", verdicts on what `reason` suggests (`column`, None = any); "suggested", verdicts
            (`column`) where `row` is suggested by whatever rule; "disputes", "arbitrated", "outvoted" and
            "twice", what is so called.
        differ: of these, the cases alone on which the two do not say the same.
    """

    kind: Literal[
        "pair", "class", "reader", "met", "rule", "suggested", "disputes", "arbitrated", "outvoted", "twice"
    ]
    a: str = ""
    b: str = ""
    reason: str = ""
    row: str | None = None
    column: str | None = None
    differ: bool = False


def word_for(coefficient: float | None) -> Word | None:
    """What a kappa or an alpha allows; None where it is undefined."""
    if coefficient is None:
        return None
    value = round(coefficient, _PRECISE)
    if value >= USABLE:
        return "usable"
    return "tentative" if value >= TENTATIVE else "fix the guide"
