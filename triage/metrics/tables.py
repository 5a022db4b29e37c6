"""Cases counted by two things (metrics.md sections 2 to 4): routes, refusals, conflicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from triage.metrics.routes import route_match
from triage.models.tables import CountTable, Refusing, RouteRecall, Routing

ENOUGH = 20
"""Cases of a route from which on its recall says something (metrics.md section 4)."""
Truths = Mapping[tuple[bool | None, bool | None], int]
"""Two truths of a case, None = not recorded -> cases."""


def routing(routes: Mapping[tuple[tuple[str, ...], str | None], int], unlabelled: int = 0) -> Routing | None:
    """The routes taken (across) by the routes accepted (down), the most frequent ones first.

    Args:
        routes: (accepted routes, route taken or None) -> cases.
        unlabelled: cases with a route and none expected.

    Returns:
        None where no case has both.
    """
    down: Counter[str] = Counter()
    across: Counter[str] = Counter()
    crossed: Counter[tuple[str, str]] = Counter()
    right: Counter[str] = Counter()
    missing = unlabelled
    for (accepted, taken), cases in routes.items():
        match = route_match(accepted, taken)
        if match is None or taken is None:
            missing += cases
            continue
        row, column = " or ".join(sorted({_plain(one) for one in accepted})), _plain(taken)
        down[row] += cases
        across[column] += cases
        crossed[row, column] += cases
        right[row] += cases if match else 0
    if not crossed:
        return None
    rows, columns = _frequent(down), _frequent(across)
    counts = tuple(tuple(crossed[row, column] for column in columns) for row in rows)
    return Routing(
        CountTable("routing", "expected route", "route", rows, columns, counts, missing),
        tuple(RouteRecall(row, right[row], down[row], down[row] < ENOUGH) for row in rows),
    )


def _plain(route: str) -> str:
    """A hybrid's parts in order, as `sql+vector` and `vector+sql` are one."""
    return "+".join(sorted({part.strip() for part in route.split("+")}))


def _frequent(counts: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def _crossed(
    name: str, down: str, across: str, rows: Sequence[str], columns: Sequence[str], truths: Truths
) -> CountTable:
    known = {pair: cases for pair, cases in truths.items() if None not in pair}
    counts = tuple(tuple(known.get((row, column), 0) for column in (True, False)) for row in (True, False))
    missing = sum(truths.values()) - sum(known.values())
    return CountTable(name, down, across, tuple(rows), tuple(columns), counts, missing)


def refusal(truths: Truths) -> Refusing | None:
    """Answered or refused (across) by answerable or not (down); None where no case has both.

    Args:
        truths: (answerable, answered) -> cases.
    """
    table = _crossed(
        "refusal", "label", "decision", ("answerable", "unanswerable"), ("answered", "refused"), truths
    )
    (_, wrongly), (answered, rightly) = table.counts
    if not any(map(sum, table.counts)):
        return None
    refused, unanswerable = wrongly + rightly, answered + rightly
    precision = rightly / refused if refused else None
    recall = rightly / unanswerable if unanswerable else None
    f1 = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if rightly else 0.0
    return Refusing(table, precision, recall, f1)


def conflict(truths: Truths) -> CountTable | None:
    """Right or wrong (across) by whether the difference was named (down); None where no case has both.

    Args:
        truths: (resolved, correct) -> cases with conflicting sources.
    """
    table = _crossed("conflict", "difference", "answer", ("named", "not named"), ("right", "wrong"), truths)
    return table if any(map(sum, table.counts)) else None
