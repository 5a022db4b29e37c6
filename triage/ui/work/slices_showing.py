"""What the Slices screen says and shows of an answer: pure, so that a test can read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from triage.models.slices import FAILING, NOT_RECORDED, CrossTable, Dimension, SliceTable
from triage.plain import cut, one_line
from triage.ui.widgets import slices_grid, slices_heat
from triage.ui.widgets.line import Words
from triage.ui.widgets.panel_model import reduce
from triage.ui.widgets.slices_model import (
    COUNT,
    Mode,
    Order,
    Question,
    cell_value,
    metric_of,
    one,
    value_of,
)
from triage.ui.widgets.slices_model import named as value_named
from triage.ui.widgets.slices_strip import Told
from triage.ui.widgets.slices_table import GridSheet, HeatSheet, OneSheet, Sheet, SliceList
from triage.ui.widgets.slices_top import named
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.models.case import RunView
    from triage.models.query import Scope
    from triage.models.run import RunSummary
    from triage.ui.work.memory import Memory

TAIL = "\n"
"""The key of a row that stands for many values: no value is a line break."""
FIRST = "topic"
"""By what cases are told apart where nothing else was ever chosen."""
CHECKED = frozenset(("check", "mismatch"))
"""Dimensions that speak of checked sentences."""
_TOLD = 6
"""Most dimensions that are named where the chosen one says nothing."""


class Left(Struct, frozen=True):
    """Where the screen was left, or begins.

    Args:
        question, order: what is asked, and how its rows stand.
        key: what tells the row under the cursor, None = the first.
        column, first: the chosen column of two crossed dimensions, and the first one seen.
        chosen: the user chose the dimension.
    """

    question: Question
    order: Order = Order()
    key: str | None = None
    column: int = 0
    first: int = 0
    chosen: bool = False


def sliced(scope: Scope) -> Scope:
    """All cases under the filter text of the Triage screen, whatever its view or drill-down."""
    return replace(scope, view="all", drill=None, sort="file")


def first_metric(view: RunView | None) -> str:
    """The metric to begin with: the lit layer's first that falls short, else the failing share."""
    lit = next((panel for panel in reduce(view).panels if panel.lit), None) if view is not None else None
    if lit is None:
        return FAILING
    return next((one.key for one in lit.figures if one.digit.strip(" .")), FAILING)


def begin(memory: Memory, view: RunView | None) -> Left:
    """What the screen begins with: what was asked last, else the lit layer's metric by topic."""
    kept = memory.slices
    modes: dict[str, Mode] = {"one": "one", "all": "all", "cross": "cross"}
    mode = modes.get(kept.get("mode", ""), "one")
    cross = kept.get("cross", "")
    if mode == "cross" and not cross:
        mode = "one"
    metric = kept.get("metric", "")
    if metric_of(metric).key != metric or (metric == COUNT and mode != "cross"):
        metric = first_metric(view)
    asked = Question(kept.get("by") or FIRST, metric, mode, cross)
    return Left(asked, Order.read(memory.slices_sort or ""))


def remembered(asked: Question) -> dict[str, str]:
    """A question as `Memory.slices` keeps it."""
    return {"by": asked.by, "metric": asked.metric, "mode": asked.mode, "cross": asked.cross}


def asked_next(old: Question, changes: Mapping[str, Any]) -> Question:
    """The question with changes; what then can't be asked gives way.

    Counts are for two dimensions alone; a dimension crossed with itself changes place with the one before.
    """
    asked = replace(old, **changes)
    if asked.mode != "cross" and asked.metric == COUNT:
        asked = replace(asked, metric=FAILING)
    if asked.by != old.by:
        asked = replace(asked, most=None)
    if asked.mode == "cross" and asked.cross in ("", asked.by):
        other = old.by if asked.cross == asked.by and old.by != asked.by else ""
        asked = replace(asked, cross=other, mode="cross" if other else "one")
    return asked


def runs_apart(dimensions: Sequence[Dimension]) -> frozenset[str]:
    """The dimensions that tell runs apart and not cases, which are not crossed."""
    return frozenset(one.name for one in dimensions if one.kind == "run")


def had(asked: Question, dimensions: Sequence[Dimension]) -> dict[str, str]:
    """What to change in a question of another sitting, so that this run has its dimensions."""
    names = [one.name for one in dimensions if one.values != 0]
    if not names:
        return {}
    changes = {} if asked.by in names else {"by": names[0]}
    crossed = {changes.get("by", asked.by), asked.cross}
    if asked.mode == "cross" and (asked.cross not in names or crossed & runs_apart(dimensions)):
        changes["mode"] = "one"
    return changes


def sheet_of(
    asked: Question,
    answer: SliceTable | CrossTable | None,
    order: Order,
    text: str,
    cells: int,
    against: RunSummary | None,
    column: int,
    first: int,
) -> Sheet | None:
    """The answer as the table shows it; None while there is none, or where it says nothing."""
    if answer is None or silent(answer):
        return None
    if isinstance(answer, CrossTable):
        return HeatSheet(slices_heat.heat(answer, asked.metric, column), first)
    if asked.mode == "all":
        return GridSheet(slices_grid.grid(answer, asked.metric, order, cells, text), first)
    return OneSheet(one(answer, asked.metric, order, text), named(against) if against is not None else "")


def silent(answer: SliceTable | CrossTable) -> bool:
    """Is nothing recorded of the dimension, so that no case is told from another?"""
    if isinstance(answer, CrossTable):
        return not answer.rows or not answer.columns
    return all(row.value == NOT_RECORDED for row in answer.rows) and answer.tail is None


def nothing(
    asked: Question,
    answer: SliceTable | CrossTable | None,
    dimensions: Sequence[Dimension],
    title: str,
    text: str,
    keys: Mapping[str, str],
) -> tuple[Words, ...]:
    """What stands in the table's place where it is empty: why, and which dimensions the run has."""
    key = "focus bold"
    if answer is None:
        return ([("adding up", "muted")],)
    if not answer.whole.cases:
        return ([("no case matches the filter", "text")], [(keys["slices.back"], key), (" back", "muted")])
    if not silent(answer):
        return ([("no value holds it", "text")], [(keys["slices.back"], key), (" clears it", "muted")])
    has = [
        cut(one_line(one.title), 24) for one in dimensions if (one.values or 0) > 1 and one.name != asked.by
    ]
    if answer.checking and {asked.by, asked.cross if asked.mode == "cross" else ""} & CHECKED:
        words = "checking: the sentences of the answers are still being read"
        return ([(words, "text")], [(keys["slices.dimension"], key), (" chooses another", "muted")])
    lines: list[Words] = [[(f"no case of this run has {cut(one_line(title), 40)} recorded", "text")]]
    if has:
        more = f" and {len(has) - _TOLD} more" if len(has) > _TOLD else ""
        lines.append([(f"it has {', '.join(has[:_TOLD])}{more}", "muted")])
    return (*lines, [(keys["slices.dimension"], key), (" chooses another", "muted")])


def counted(
    sheet: Sheet | None, answer: SliceTable | CrossTable | None, asked: Question, order: Order | None
) -> Words:
    """What the table holds, and its order; None = the answer is still to come."""
    if order is None:
        return [("  adding up", "muted")]
    if sheet is None or answer is None:
        return ()
    if isinstance(answer, CrossTable):
        size = f"{len(answer.rows)} x {len(answer.columns)}"
        return [(f"  {size} values", "text"), ("  most cases first", "muted")]
    shown, total = len([key for key in sheet.keys if key != TAIL]), len(answer.rows)
    folded = answer.tail.folded if answer.tail is not None else 0
    of = number_of(total + folded, "value")
    words = f"{shown} of {of}" if shown != total + folded else of
    both = [("  a case counts in each of its values", "muted")] if answer.lists else []
    return [(f"  {words}", "text"), *both, (f"  {order.said()}", "muted")]


def told_of(
    table: SliceList,
    answer: SliceTable | CrossTable | None,
    asked: Question,
    against: RunSummary | None,
    titles: tuple[str, str],
) -> Told | None:
    """What the strip tells of the row or cell under the cursor."""
    sheet = table.sheet
    if answer is None or sheet is None or not sheet.keys:
        return None
    metric, place = metric_of(asked.metric), f"{table.position + 1} of {len(sheet.keys)}"
    if isinstance(sheet, HeatSheet) and isinstance(answer, CrossTable):
        model = sheet.model
        names = (
            (titles[0], model.rows[table.position]),
            (titles[1], model.columns[model.column] if model.columns else ""),
        )
        heads = (
            answer.rows[table.position].cases,
            answer.columns[model.column].cases if model.columns else 0,
        )
        cell, whole = sheet.cell(table.position), cell_value(answer.whole, metric.key)
        return Told(
            names, metric, whole, cell=cell, heads=heads, k=answer.k, place=place, checking=answer.checking
        )
    if isinstance(answer, CrossTable) or isinstance(sheet, HeatSheet):
        return None
    row = sheet.row(table.position)
    if row is None:
        return None
    alone = "not compared: its cases would be others" if answer.on_results else ""
    name = named(against) if against is not None and answer.baseline is not None else ""
    if against is not None and answer.on_results:
        name = named(against)
    return Told(
        ((titles[0], value_named(row.value)),), metric, value_of(answer.whole, metric.key), row,
        against=name, why_alone=alone, k=answer.k, place=place, checking=answer.checking,
    )  # fmt: skip
