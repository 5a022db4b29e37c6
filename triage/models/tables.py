"""What stands beside a run's metrics: counts crossed, and what repeated samples add up to. Plain values."""

from __future__ import annotations

from msgspec import Struct


class CountTable(Struct, frozen=True):
    """Cases counted by two things.

    Args:
        name: "routing", "refusal" or "conflict".
        down, across: what the rows and the columns are.
        rows, columns: their values, as shown.
        counts: a list of columns for each row.
        missing: cases in scope of which either is not recorded.
    """

    name: str
    down: str
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    missing: int = 0


class RouteRecall(Struct, frozen=True):
    """How many of the cases that expect a route went down an accepted one; `few`: too few to tell."""

    route: str
    right: int
    cases: int
    few: bool


class Routing(Struct, frozen=True):
    """The routes that cases took by the routes that they should have taken, and each route's recall."""

    table: CountTable
    recalls: tuple[RouteRecall, ...]


class Refusing(Struct, frozen=True):
    """Answerable against answered, and refusing as a classifier: shares, None where nothing is divided by.

    `precision`: of the refusals those that were right; `recall`: of the unanswerable cases those refused.
    """

    table: CountTable
    precision: float | None
    recall: float | None
    f1: float | None


class Tables(Struct, frozen=True):
    """The tables of a selection of cases; None where nothing of the kind is recorded."""

    routing: Routing | None = None
    refusal: Refusing | None = None
    conflict: CountTable | None = None


class CurvePoint(Struct, frozen=True):
    """Mean pass@k and pass^k, 0..1, over the `cases` that have k samples or more."""

    k: int
    pass_at_k: float
    pass_hat_k: float
    cases: int


class Repeats(Struct, frozen=True):
    """Runs of the same cases taken as repeated samples.

    Args:
        runs: their ids, the reported one first.
        k: the k of the metrics: the run's `pass_k`, else the number of runs.
        cases: cases that all runs share and of which each run tells the outcome.
        dropped: run id -> its cases that some other run lacks.
        unknown: shared cases of which some run tells no outcome; they are left out.
        always, never: cases that pass in every run, in none.
        flaky: ids of the others, in file order.
        curve: k = 1 .. number of runs; empty where no case is left.
    """

    runs: tuple[str, ...]
    k: int
    cases: int
    dropped: dict[str, int]
    unknown: int
    always: int
    never: int
    flaky: tuple[str, ...]
    curve: tuple[CurvePoint, ...]
