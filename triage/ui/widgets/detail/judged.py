"""What others say of the answer, and how it was made: golden facts, scores, turns, plan and tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triage.plain import fit, preview, width
from triage.ui.text import short
from triage.ui.widgets.detail.answer import compact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triage.models.record import PlanStep, Record, ToolCall
    from triage.ui.widgets.detail.page import Page

LOW = {"1-5": 2.0, "0-1": 0.25}
"""At or below this a score with a threshold is bad, by scale (metrics.md section 3)."""
_KNOWN = frozenset(
    [
        "faithfulness",
        "answer_relevancy",
        "answer_correctness",
        "factual_correctness",
        "completeness",
        "groundedness",
        "clarity",
    ]
)
_NAME, _SCORE, _JUDGE = 20, 6, 12
_KIND, _LABEL = 10, 10
FOLD = 4


def gold(page: Page) -> None:
    """The standard answer, and the golden facts ticked in words."""
    record = page.detail.record
    golden = record.golden
    groups = (
        []
        if golden is None
        else [("must", golden.must), ("compare", golden.compare), ("exclude", golden.exclude)]
    )
    facts = [(kind, fact) for kind, group in groups for fact in group or ()]
    if record.reference_answer is None and not facts:
        return
    page.section("gold")
    if record.reference_answer is not None:
        page.prose(record.reference_answer or "(empty)", "muted", fold=FOLD)
    for kind, fact in facts:
        if fact.hit is None:
            word, role = "not judged", "faint"
        elif kind == "exclude":
            word, role = ("said", "bad") if fact.hit else ("not said", "good")
        else:
            word, role = ("there", "good") if fact.hit else ("missing", "bad")
        said = {"must": "", "compare": "compare: ", "exclude": "must not: "}[kind]
        _labelled(page, f"{word:<{_KIND}}", role, said + fact.fact, "bad" if role == "bad" else "text")


def _labelled(page: Page, label: str, label_role: str, text: str, role: str) -> None:
    """A label of our own before a record text that wraps under itself."""
    at = len(page.lines)
    page.prose(text, role, indent=width(label), fold=FOLD)
    if len(page.lines) > at:
        gutter, *rest = page.lines[at]
        lead = gutter._replace(text=gutter.text[: -width(label)])
        page.lines[at] = [lead, gutter._replace(text=label, style=page.ink(label_role)), *rest]


def scores(page: Page) -> None:
    """Judge scores, several judges side by side; then their reasons, attempts and the user's word."""
    record = page.detail.record
    own, judges = record.scores or {}, record.judges or []
    if not (own or judges or record.attempts or record.feedback):
        return
    page.section("scores")
    names = list(dict.fromkeys([*own, *(name for judge in judges for name in judge.scores)]))
    seen = judges[: max((page.text - _NAME - _SCORE) // _JUDGE, 0)] if len(judges) > 1 else []
    low = LOW[page.detail.header.score_scale]
    if not seen:
        page.pairs((short(name, 40), *_score(own.get(name), name, low, 0)) for name in names)
        names = []
    else:
        more = f"+{len(judges) - len(seen)}" if len(seen) < len(judges) else ""
        titles = "".join(f"{short(judge.judge, _JUDGE - 1):>{_JUDGE}}" for judge in seen)
        page.row([(f"{'':<{_NAME}}{'mean':>{_SCORE}}{titles} {more}", "faint")])
    for name in names:
        words = [(fit(short(name, _NAME - 1), _NAME), "muted"), _score(own.get(name), name, low, _SCORE)]
        words += [_score(judge.scores.get(name), name, low, _JUDGE) for judge in seen]
        page.row(words)
    for judge in judges:
        if judge.reason:
            page.prose(f"{judge.judge}: {judge.reason}", "muted", fold=FOLD)
    _attempts(page, record)
    _feedback(page, record)


def _score(value: float | None, name: str, low: float, cells: int) -> tuple[str, str]:
    if value is None:
        return f"{'-':>{cells}}", "faint"
    text = f"{value:.2f}" if value % 1 else f"{value:.0f}"
    return f"{text:>{cells}}", "bad bold" if name in _KNOWN and value <= low else "text"


def _attempts(page: Page, record: Record) -> None:
    if record.attempts:
        passed = sum(attempt.passed is True for attempt in record.attempts)
        page.row([("attempts ", "muted"), (f"{passed} of {len(record.attempts)} passed", "text")])


def _feedback(page: Page, record: Record) -> None:
    feedback = record.feedback
    if feedback is None:
        return
    said = [f"thumb {feedback.thumb}"] if feedback.thumb else []
    said += ["asked again"] if feedback.repeated else []
    said += ["asked nothing more"] if feedback.no_follow_up else []
    said += ["handed to a person"] if feedback.handed_off else []
    if said:
        page.row([("user ", "muted"), (", ".join(said), "bad" if feedback.thumb == "down" else "text")])


def turns(page: Page) -> None:
    """Every turn with its slots, expected against actual."""
    items = page.detail.record.turns
    if not items:
        return
    page.section("turns")
    for at, turn in enumerate(items, 1):
        said = turn.get("user") or turn.get("query") or ""
        _labelled(page, f"{at:<3}", "muted", _text(said) or "(empty)", "text")
        if turn.get("task"):
            page.row([("task ", "faint"), (preview(_text(turn["task"])), "muted")], 3)
        pairs = list(_slots(turn))
        if pairs:
            page.pairs(pairs, 3)
        if turn.get("answer"):
            page.one_line(_text(turn["answer"]), "muted", 3)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else compact(value)


def _slots(turn: dict[str, Any]) -> Iterable[tuple[str, str, str]]:
    got, wanted = turn.get("slots"), turn.get("expected_slots")
    got = got if isinstance(got, dict) else {}
    judged = isinstance(wanted, dict)
    wanted = wanted if isinstance(wanted, dict) else {}
    for name in dict.fromkeys([*wanted, *got]):
        shown = short(_text(got[name]), 40) if name in got else "-"
        key = short(str(name), 24)
        if not judged or (name in got and name in wanted and got[name] == wanted[name]):
            yield key, shown, "text" if not judged else "good"
        elif name in wanted:
            yield key, f"{shown}, expected {short(_text(wanted[name]), 40)}", "bad"
        else:
            yield key, f"{shown}, not expected", "bad"


def plan(page: Page) -> None:
    """Route, retrieval steps and tool calls, expected against actual, and conflicting sources."""
    record = page.detail.record
    conflict = record.conflict
    if not (record.route or record.expected_route or record.plan or record.expected_plan or record.tools
            or record.expected_tools or conflict):  # fmt: skip
        return
    page.section("plan")
    if record.route or record.expected_route:
        wanted = record.expected_route
        wrong = wanted is not None and record.route not in wanted
        words = [
            (fit("route", _LABEL), "muted"),
            (short(record.route or "not recorded", 40), "bad" if wrong else "text"),
        ]
        if wanted is not None and not wrong:
            words.append((", as expected", "muted"))
        elif wanted is not None:
            words.append((f"   expected {short(' or '.join(wanted), 60)}", "muted"))
        page.row(words)
    for label, steps in (("expected", record.expected_plan), ("steps", record.plan)):
        if steps is not None:
            _labelled(page, fit(label, _LABEL), "muted", _steps(steps) or "none", "text")
    if record.expected_tools is not None:
        _labelled(page, fit("expected", _LABEL), "muted", _calls(record.expected_tools) or "no tool", "text")
    if record.tools is not None:
        called = {call.name for call in flat(record.tools)}
        wanted_calls = flat(record.expected_tools or [])
        _labelled(
            page, fit("tools", _LABEL), "muted", _calls(record.tools, actual=True) or "none called", "text"
        )
        lost = [call.name for call in wanted_calls if call.name not in called]
        if lost:
            _labelled(page, fit("", _LABEL), "muted", "not called: " + ", ".join(lost), "bad")
    if conflict is not None:
        words = [(fit("conflict", _LABEL), "muted")]
        named = {True: ("named", "good"), False: ("not named", "bad"), None: ("not judged", "faint")}[
            conflict.resolved
        ]
        right = {True: ", answer right", False: ", answer wrong", None: ""}[conflict.correct]
        page.row([*words, named, (right, "bad" if conflict.correct is False else "text")])


def _steps(steps: Sequence[PlanStep | list[PlanStep]]) -> str:
    parts: list[str] = []
    for step in steps:
        group = step if isinstance(step, list) else [step]
        texts = [each.step + (f" [{', '.join(each.ids)}]" if each.ids else "") for each in group]
        parts.append(" + ".join(texts) if len(texts) < 2 else f"({' + '.join(texts)})")
    return ", then ".join(parts)


def flat(calls: Sequence[ToolCall | list[ToolCall]]) -> list[ToolCall]:
    """Tool calls without their parallel groups."""
    return [call for item in calls for call in (item if isinstance(item, list) else [item])]


def _calls(calls: Sequence[ToolCall | list[ToolCall]], *, actual: bool = False) -> str:
    texts: list[str] = []
    for call in flat(calls):
        inside = ", ".join(f"{key}={_text(value)}" for key, value in call.params.items())
        state = ""
        if actual:
            state = " failed" if not call.ok else " empty result" if call.empty else ""
        texts.append(f"{call.name}({inside}){state}")
    return "\n".join(texts)
