"""A case as screens and commands see it: a row of the list, and the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from triage.models.measure import Diagnosis, FailureClass, LayerState, MetricValue
from triage.models.sentences import Sentence
from triage.models.verdict import Event, Review

if TYPE_CHECKING:
    from triage.models.record import Record, RunHeader


QUERY_CUT = 200
"""Most characters of the query in a row of the list."""


class CaseRow(Struct, frozen=True):
    """One row of the case list. `query` is cut (`QUERY_CUT`) and raw: make it plain before printing.

    `pk` is the store's key, stable while the revision lives. `before` is the verdict of the same case in an
    earlier run of the test set ("was ranking"), None where there is none. `likeness` is the similarity (0..1)
    to the case whose similar ones are asked for. `cells` are values of further fields and metrics by name, as
    far as they were asked for.
    """

    pk: int
    id: str
    query: str
    topic: str | None
    topic_inferred: bool
    high_risk: bool
    failing: bool
    failure_class: FailureClass | None
    reason: str
    confidence: float
    layers: dict[FailureClass, LayerState | None]
    first_rank: int | None
    review: Review | None
    before: str | None = None
    likeness: float | None = None
    cells: dict[str, Any] = field(default_factory=dict)


class CitationState(Struct, frozen=True):
    """One citation of an answer: as written, the id it stands for, its 1-based rank there, and whether it
    resolves.

    `spans` are the (start, end) character offsets of its markers in the answer.
    """

    marker: str
    id: str | None
    resolved_rank: int | None
    valid: bool
    spans: tuple[tuple[int, int], ...] = ()


class Earlier(Struct, frozen=True):
    """The same case in another run of the test set."""

    run: str
    kb_version: str | None
    created_at: str
    failing: bool
    failure_class: FailureClass | None
    reason: str
    first_rank: int | None
    review: Review | None


class CaseProblem(Struct, frozen=True):
    """A field of this case that counts as not recorded, and why."""

    field: str | None
    reason: str


class CaseDetail(Struct, frozen=True):
    """A case whole. `raw` is the record's JSON text exactly as it came; `events` newest last; `earlier`
    newest first; `sentences` of the answer in their order.
    """

    row: CaseRow
    run: str
    revision: int
    k: int
    header: RunHeader
    raw: str
    record: Record
    diagnosis: Diagnosis
    measures: dict[str, float | None]
    missing: tuple[str, ...]
    inferred: tuple[str, ...]
    citations: tuple[CitationState, ...]
    events: tuple[Event, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    problems: tuple[CaseProblem, ...] = ()
    sentences: tuple[Sentence, ...] = ()


class Counts(Struct, frozen=True):
    """Cases under a filter text, counted.

    `matching` are all of them, `reviewed` those with a verdict, `triaged` the failing ones with a verdict;
    `verdicts` counts by verdict, `classes` the failing ones by suggested class, `class_free` those without
    one. `layer_fails` counts failing cases with a failing layer of the class, `generation_fails` those that
    fall short in generation (look.md section 9).
    """

    matching: int
    failing: int
    reviewed: int
    triaged: int
    classes: dict[FailureClass, int]
    verdicts: dict[str, int]
    layer_fails: dict[FailureClass, int]
    generation_fails: int
    class_free: int


class RunView(Counts, frozen=True, kw_only=True):
    """What the panels and the head show for a scope: everything but the rows.

    `cases` counts the run, whatever the filter text. `metrics` hold every registry key, and so do
    `base_metrics`, of the run `baseline`, where there is one that can be compared. `selected_on_results`
    tells that the filter speaks of results. `text_said` is "text: ..." where it was searched literally.
    `checking`: sentences of the run's answers are still to be checked, what rests on them has no value yet.
    """

    run: str
    k: int
    cases: int
    metrics: dict[str, MetricValue]
    baseline: str | None = None
    base_metrics: dict[str, MetricValue] = field(default_factory=dict)
    selected_on_results: bool = False
    text_said: str = ""
    checking: bool = False
