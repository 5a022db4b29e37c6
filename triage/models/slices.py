"""Slices: metrics by the values of a dimension. Plain values, as `workspace.slicing` gives them.

`Workspace.slicing` answers, blocking, from any thread, each answer kept until data changes:

    dimensions(scope) -> tuple[Dimension, ...]      those of this run that tell its cases (or runs) apart
    dimension(scope, name) -> Dimension             one by name; UsageError with a near name where none is
    table(scope, name, metric=FAILING, most=MOST_ROWS) -> SliceTable
    cross(scope, rows_by, columns_by, metric=FAILING) -> CrossTable
    opened(scope, *parts) -> Scope                  exactly the cases of a row, a cell or a tail

Of a scope its run, k and filter text count (`text`, `literal`), as for panels; its view and drill do not.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from triage.models.measure import MetricValue
from triage.models.query import SlicePart

SMALL = 30
"""Cases below which a slice is small: its interval tells more than its value (metrics.md section 7)."""
MOST_ROWS = 50
"""Values that a table shows one by one; the others are summed in one row."""
NOT_RECORDED = "(not recorded)"
EMPTY = "(empty)"
FAILING = "failing"
"""Names the share of failing cases where a metric's key may stand: what a table is sorted by at first."""

DimensionKind = Literal["case", "own", "result", "review", "run"]
"""What a dimension speaks of: the record, the record's own keys, what is said of the case by rule, what
people said of it, or the header of the run, which compares the runs of one test set.
"""


class Dimension(Struct, frozen=True):
    """Something by whose values cases, or runs, are told apart.

    Args:
        name: as `--by` takes it and, where a filter has the field, as it is typed before `:`.
        title: in words, for a heading.
        kind: what it speaks of.
        values: how many different values the run has, "empty" among them; None = not counted. Of a number
            with many values each counts, though its table shows ranges. Of a table's dimension it is how
            many rows there would be, "not recorded" among them.
        binned: a table shows ranges of its numbers.
    """

    name: str
    title: str
    kind: DimensionKind
    values: int | None = None
    binned: bool = False


class SliceRow(Struct, frozen=True):
    """One value's cases and what they add up to.

    Args:
        part: which cases they are; `Slicing.opened` makes a scope of it.
        cases, failing: how many cases, how many of them fail. A list counts in each of its values, so these
            may add up to more than the whole.
        metrics: by key; every metric of the registry.
        base: the same for the baseline's same slice; {} where it has none, or where the dimension or the
            filter speaks of results, since the baseline's cases would be others then.
        base_cases: how many cases the baseline's same slice has; None = nothing to compare with.
        cost: what the slice costs the whole for the table's metric, in that metric's unit: the value of all
            other cases, less the value of all cases (turned round for a metric that is better low). For a
            mean that is n_s/N * (v_rest - v_s): how far the whole would rise if the slice did as the rest
            does. Positive = it pulls the whole down. So a large slice a little below the rest can cost more
            than a tiny one that is far below, and costs are comparable between dimensions. None where the
            slice or the rest has no value.
        small: fewer cases than `SMALL`.
        folded: how many values the row sums, 0 for a row of one value. A case with several of them counts
            once.
    """

    part: SlicePart
    cases: int
    failing: int
    metrics: dict[str, MetricValue]
    base: dict[str, MetricValue] = field(default_factory=dict)
    base_cases: int | None = None
    cost: float | None = None
    small: bool = False
    folded: int = 0

    @property
    def value(self) -> str:
        """The value as shown: `true`, `(not recorded)`, `120..249`, `41 more values`."""
        return self.part.value

    @property
    def query(self) -> str | None:
        """A filter text that selects exactly these cases of the run; None where no text can say it."""
        return self.part.query

    @property
    def failing_share(self) -> float | None:
        """The share of failing cases, 0..1; None without cases."""
        return self.failing / self.cases if self.cases else None


class SliceTable(Struct, frozen=True):
    """All metrics by one dimension, costliest value first, then the larger one.

    Args:
        dimension: with `values` filled in.
        run, k: of what.
        metric: what `cost` and the order are of: a metric's key, or `FAILING`.
        rows: at most `MOST_ROWS` of the values unless others were asked for.
        tail: the values that are not in `rows`, as one row; None where all are.
        whole: all cases under the filter text, whatever their value; `part.value` is "".
        baseline: id of the run that `base` is of; None = nothing is compared.
        on_results: the dimension or the filter speaks of results, so a slice was selected on them.
        lists: a case can have several values, so the rows' cases can add up to more than the whole.
        checking: sentences are still to be checked, what rests on them has no value yet.
    """

    dimension: Dimension
    run: str
    k: int
    metric: str
    rows: tuple[SliceRow, ...]
    tail: SliceRow | None
    whole: SliceRow
    baseline: str | None = None
    on_results: bool = False
    lists: bool = False
    checking: bool = False


class CrossHead(Struct, frozen=True):
    """A row or a column of a cross table with its own sums over the other dimension.

    `value` is the table's metric; `share` is its share of failing cases, 0..1.
    """

    part: SlicePart
    cases: int
    failing: int
    value: MetricValue | None
    folded: int = 0

    @property
    def share(self) -> float | None:
        """The share of failing cases, 0..1; None without cases."""
        return self.failing / self.cases if self.cases else None


class CrossCell(Struct, frozen=True):
    """The cases that have both values.

    `parts` are the row's and the column's, to be opened; `value` is the table's metric over the cells'
    cases, None where the table's metric is `FAILING`; `cost` as in `SliceRow`, against all other cases.
    """

    parts: tuple[SlicePart, SlicePart]
    cases: int
    failing: int
    value: MetricValue | None
    cost: float | None = None
    small: bool = False

    @property
    def query(self) -> str | None:
        """A filter text that selects exactly these cases of the run; None where no text can say it."""
        texts = [part.query for part in self.parts]
        return None if None in texts else " ".join(text for text in texts if text is not None)

    @property
    def share(self) -> float | None:
        """The share of failing cases, 0..1; None without cases."""
        return self.failing / self.cases if self.cases else None


class CrossTable(Struct, frozen=True):
    """One metric by two dimensions.

    Args:
        rows_by, columns_by: the dimensions.
        metric: a metric's key, or `FAILING`.
        rows, columns: heads, those with the most cases first, numbers in their own order, "not recorded"
            after them; the last one may be a folded tail.
        cells: `cells[row][column]`; None where no case has both values.
        whole: all cases under the filter text.
        on_results: a dimension or the filter speaks of results.
        checking: as of a `SliceTable`.
    """

    rows_by: Dimension
    columns_by: Dimension
    run: str
    k: int
    metric: str
    rows: tuple[CrossHead, ...]
    columns: tuple[CrossHead, ...]
    cells: tuple[tuple[CrossCell | None, ...], ...]
    whole: CrossHead
    on_results: bool = False
    checking: bool = False
