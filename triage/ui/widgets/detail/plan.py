"""How the answer was made: its route, its retrieval steps, and what it did with sources that conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.plans import flat_steps, step_efficiency, wasted_steps
from triage.metrics.routes import route_match
from triage.plain import fit
from triage.ui.text import short
from triage.ui.widgets.detail.aligned import Row, aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.models.record import PlanStep, Record
    from triage.ui.widgets.detail.page import Page

_LABEL = 11
_ALONE, _DIFFERS = 2, 3
"""What it costs that a step has no partner, or one that is worded differently: less than two without."""
_CONFLICT = {
    (True, True): ("difference named, answer right", "text"),
    (True, False): ("difference named, answer wrong", "bad"),
    (True, None): ("difference named, answer not judged", "text"),
    (False, True): ("answer right by luck: the difference is not named", "bad"),
    (False, False): ("answer wrong, the difference is not named", "bad"),
    (False, None): ("the difference is not named, answer not judged", "bad"),
    (None, True): ("answer right, whether it names the difference is not judged", "muted"),
    (None, False): ("answer wrong, whether it names the difference is not judged", "bad"),
    (None, None): ("not judged", "faint"),
}
"""The 2x2 of conflicting sources in words: (resolved, correct)."""


def plan(page: Page) -> None:
    """Route and steps, expected against actual, and conflicting sources."""
    record = page.detail.record
    if not (record.route or record.expected_route or record.conflict) and (
        record.plan is None and record.expected_plan is None
    ):
        return
    page.section("plan")
    _route(page, record)
    _steps(page, record)
    if not page.blind:
        _conflict(page, record)


def _route(page: Page, record: Record) -> None:
    if not (record.route or record.expected_route):
        return
    match = None if page.blind else route_match(record.expected_route, record.route)
    words = [(fit("route", _LABEL), "muted")]
    words.append((short(record.route or "not recorded", 40), "bad" if match is False else "text"))
    if match:
        words.append((", as expected", "muted"))
    elif record.expected_route:
        words.append((f"   expected {short(' or '.join(record.expected_route), 60)}", "muted"))
    page.row(words)


def _steps(page: Page, record: Record) -> None:
    wanted, taken = record.expected_plan, record.plan
    if wanted is None and taken is None:
        return
    if taken is None or wanted is None:
        listed, label = (wanted, "expected") if taken is None else (taken, "steps")
        named = _named(listed or ())
        for at, name in enumerate(named or ["none"]):
            page.labelled([(fit("" if at else label, _LABEL), "muted")], name, "text", fold=2)
        if taken is None:
            page.row([("the steps taken are not recorded", "faint italic")], _LABEL)
        return
    actual = flat_steps(taken)
    known = record.evidence is not None or record.retrieved is not None or record.citations is not None
    # Without a record of what was used, no step is known to have brought nothing of it.
    wasted: list[bool | None] = wasted_steps(taken, _used(page)) if known else [None] * len(actual)
    rows = []
    expected_names, actual_names = _named(wanted), _named(taken)
    for left, right in paired(_bare(wanted), _bare(taken)):
        word, role = "", "muted"
        if right is None:
            word = "not taken"
        elif wasted[right]:
            word, role = "wasted", "bad"
        elif left is None:
            word, role = "extra", "bad"
        if page.blind:
            word, role = "", "muted"
        rows.append(
            Row(
                "-" if right is None else str(right + 1),
                None if left is None else expected_names[left],
                None if right is None else actual_names[right],
                word,
                role,
            )
        )
    if rows:
        aligned(page, rows, "step", words=_LABEL)
    if page.blind:
        return
    steps = len(flat_steps(wanted))
    value = f"{step_efficiency(steps, len(actual)):.2f}".removeprefix("0")
    noun = "step" if len(actual) == 1 else "steps"
    groups = [[(f"{len(actual)} {noun} for {steps} expected", "text")], [(f"efficiency {value}", "muted")]]
    if lost := wasted.count(True):
        groups.append([(f"{lost} brought nothing that was used", "bad")])
    page.phrases(groups)


def _used(page: Page) -> set[str]:
    """Documents of this turn's evidence (what was retrieved, where it is not recorded), and what is cited."""
    record = page.detail.record
    documents = record.evidence if record.evidence is not None else record.retrieved
    cited = {name for state in page.detail.citations for name in (state.marker, state.id) if name is not None}
    return {item.id for item in documents or ()} | cited


def _bare(steps: Sequence[PlanStep | list[PlanStep]]) -> list[str]:
    return [one.step.strip() for one in flat_steps(steps)]


def _named(steps: Sequence[PlanStep | list[PlanStep]]) -> list[str]:
    """The steps as they are shown: those of a parallel group joined by `+`, with what they brought."""
    names: list[str] = []
    for step in steps:
        group = step if isinstance(step, list) else [step]
        for at, one in enumerate(group):
            brought = f" [{', '.join(one.ids)}]" if one.ids else ""
            names.append(("+ " if at else "") + one.step + brought)
    return names


def paired(left: Sequence[str], right: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Two sequences side by side with as little difference as can be, as places in them; None = no partner.

    Equal ones meet; a step that is worded differently stands beside the one in its place.
    """
    costs = [[column * _ALONE for column in range(len(right) + 1)]]
    for row, one in enumerate(left, 1):
        before, now = costs[-1], [row * _ALONE]
        for column, other in enumerate(right, 1):
            beside = before[column - 1] + (one != other) * _DIFFERS
            now.append(min(beside, before[column] + _ALONE, now[-1] + _ALONE))
        costs.append(now)
    pairs: list[tuple[int | None, int | None]] = []
    row, column = len(left), len(right)
    while row or column:
        cost = costs[row][column]
        differs = bool(row and column) and (left[row - 1] != right[column - 1]) * _DIFFERS
        if row and column and cost == costs[row - 1][column - 1] + differs:
            row, column = row - 1, column - 1
            pairs.append((row, column))
        elif column and cost == costs[row][column - 1] + _ALONE:
            column -= 1
            pairs.append((None, column))
        else:
            row -= 1
            pairs.append((row, None))
    return pairs[::-1]


def _conflict(page: Page, record: Record) -> None:
    conflict = record.conflict
    if conflict is None:
        return
    said, role = _CONFLICT[conflict.resolved, conflict.correct]
    page.labelled([(fit("conflict", _LABEL), "muted")], said, role)
    if conflict.expected:
        page.labelled(
            [(fit("", _LABEL), "muted"), ("expected  ", "faint")], conflict.expected, "muted", fold=2
        )
