"""A conversation turn by turn: what was said, and the slots, expected against actual."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from triage.metrics.slots import TurnSlots, conversation_slots, joint_accuracy
from triage.metrics.values import same
from triage.ui.text import short
from triage.ui.widgets.detail.aligned import Row, aligned, text_of, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.ui.widgets.detail.page import Page

SHOWN, WRONG_SHOWN, SLOTS_SHOWN = 4, 6, 6
"""Turns of a long conversation, wrong ones among them, and slots of a turn, until the page is unfolded."""
_NUMBER, _WORD = 3, 9
_WORDS = {True: ("ok", "muted"), False: ("fails", "bad bold"), None: ("-", "faint")}
_OWN = frozenset({"user", "query", "task", "slots", "expected_slots", "answer"})


def turns(page: Page) -> None:
    """Every turn: right or wrong, and the slots of a wrong one in columns."""
    items = page.detail.record.turns
    if not items:
        return
    page.section("turns")
    read = conversation_slots(items)
    if page.blind:
        read = [TurnSlots(labelled=turn.labelled, joint=None) for turn in read]
    judged = any(turn.right is not None for turn in read)
    shown = range(len(items)) if page.unfolded else _shown(read)
    last = -1
    for at in shown:
        _skipped(page, read[last + 1 : at])
        last = at
        _turn(page, at, items[at], read[at], judged)
    _skipped(page, read[last + 1 :])
    if judged and len(items) > 1:
        _total(page, read)


def _shown(read: Sequence[TurnSlots]) -> list[int]:
    """The turns to show of a conversation: the wrong ones and the last ones, in order."""
    if len(read) <= SHOWN + 2:
        return list(range(len(read)))
    wrong = [at for at, turn in enumerate(read) if turn.right is False][:WRONG_SHOWN]
    rest = max(SHOWN - len(wrong), 1)
    return sorted({*wrong, *range(len(read) - rest, len(read))})


def _skipped(page: Page, turns: Sequence[TurnSlots]) -> None:
    if turns:
        wrong = sum(turn.right is False for turn in turns)
        noun = "turn" if len(turns) == 1 else "turns"
        right = (
            ""
            if page.blind
            else ", ok"
            if all(turn.right for turn in turns)
            else f", {wrong} fail"
            if wrong
            else ""
        )
        page.fold(f"+ {len(turns)} {noun}{right}")


def _turn(page: Page, at: int, turn: dict[str, Any], read: TurnSlots, judged: bool) -> None:
    labels = [(f"{at + 1:<{_NUMBER - 1}} ", "muted")]
    if judged:
        word, role = _WORDS[read.right]
        labels.append((f"{word:<{_WORD}}", role))
    said = text_of(turn.get("user") or turn.get("query") or "") or "(empty)"
    page.labelled(labels, said, "muted" if judged and read.right else "text", fold=2)
    indent = _NUMBER + (_WORD if judged else 0)
    if turn.get("task"):
        page.labelled([("task  ", "faint")], text_of(turn["task"]), "muted", indent=indent, cut=True)
    _slots(page, turn, read, indent)
    if read.passed is False:
        page.row([("the runner: failed", "bad")], indent)
    if turn.get("answer"):
        page.labelled([("said  ", "faint")], text_of(turn["answer"]), "muted", indent=indent, cut=True)
    others = [key for key, value in turn.items() if key not in _OWN and value is not None]
    if others and page.unfolded:
        for key in others:
            page.labelled([(f"{short(key, 20)}  ", "faint")], text_of(turn[key]), "muted", indent=indent)
    elif others:
        page.folded = True


def _slots(page: Page, turn: dict[str, Any], read: TurnSlots, indent: int) -> None:
    """Right slots in a line, wrong ones in columns: where there are many, those that differ."""
    wanted, got = _mapping(turn.get("expected_slots")), _mapping(turn.get("slots"))
    if wanted is None or got is None or read.joint:
        if slots := got or wanted:
            pairs = [(short(name, 24), short(text_of(value), 40), "muted") for name, value in slots.items()]
            page.pairs(pairs, indent)
        if read.labelled and read.joint is None and (wanted is None or got is None):
            missing = "expected slots" if wanted is None else "slots"
            page.row([(f"{missing} not recorded", "faint italic")], indent)
        return
    rows = [_row(name, wanted, got, read) for name in dict.fromkeys([*wanted, *got])]
    if page.blind:
        rows = [replace(row, word="") for row in rows]
    shown = rows
    if len(rows) > SLOTS_SHOWN and not page.unfolded:
        shown = rows[:SLOTS_SHOWN] if page.blind else [row for row in rows if row.word]
    aligned(page, shown, "slot", words=_WORD, indent=_NUMBER)
    if len(shown) < len(rows):
        noun = "slots" if page.blind else "as expected"
        page.fold(f"+ {len(rows) - len(shown)} {noun}", indent)


def _row(name: str, wanted: Mapping[str, Any], got: Mapping[str, Any], read: TurnSlots) -> Row:
    expected = text_of(wanted[name]) if name in wanted else None
    actual = text_of(got[name]) if name in got else None
    if name in wanted and name in got and same(wanted[name], got[name]):
        return Row(str(name), expected, actual)
    word = "stale" if name in read.stale else "missing" if actual is None else "extra"
    if word == "extra" and expected is not None:
        word = "differs"
        if expected == actual:
            expected, actual = typed(wanted[name]), typed(got[name])
    return Row(str(name), expected, actual, word, "bad")


def _mapping(value: Any) -> Mapping[str, Any] | None:
    return value if isinstance(value, Mapping) else None


def _total(page: Page, read: Sequence[TurnSlots]) -> None:
    right = sum(turn.right is True for turn in read)
    joint = joint_accuracy(read)
    wrong = next((at for at, turn in enumerate(read, 1) if turn.right is False), None)
    first = f", turn {wrong} fails first" if wrong is not None else ""
    groups = [[(f"{right} of {len(read)} turns ok{first}", "text")]]
    if joint is not None:
        groups.append([("slots ", "faint"), (f"{joint:.2f}".removeprefix("0"), "muted")])
    page.phrases(groups)
