"""What others say of the answer: golden facts, judges' scores, repeated attempts, the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.attempts import pass_at_k, pass_hat_k
from triage.metrics.golden import golden_result
from triage.plain import fit
from triage.ui.text import short

if TYPE_CHECKING:
    from triage.models.record import Golden, Record
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
_PASSED = {True: ("passed", "muted"), False: ("failed", "bad"), None: ("not judged", "faint")}
_NAME, _SCORE, _JUDGE = 20, 6, 12
_KIND = 12
_KINDS = {"must": "", "compare": "compare: ", "exclude": "must not: "}
FOLD, ATTEMPTS_SHOWN = 4, 4
"""Lines of a text, and attempts, until the page is unfolded."""


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
        if page.blind:
            word, role = "", "faint"
        elif fact.hit is None:
            word, role = "not judged", "faint"
        elif kind == "exclude":
            word, role = ("said", "bad bold") if fact.hit else ("not said", "good")
        else:
            word, role = ("there", "good") if fact.hit else ("missing", "bad bold")
        ticked = [(f"{word:<{_KIND}}", role)] if word else []
        labels = [*ticked, (_KINDS[kind], "faint")]
        page.labelled(labels, fact.fact, "text" if role != "good" else "muted", fold=FOLD)
    if golden is not None and facts and not page.blind:
        _coverage(page, golden)


def _coverage(page: Page, golden: Golden) -> None:
    """What the facts come to, in one line."""
    found = golden_result(golden)
    groups: list[list[tuple[str, str]]] = []
    if found.coverage is not None:
        groups.append([(f"coverage {_short(found.coverage)}", "text")])
    if found.wanted:
        judged = f", {found.unjudged} not judged" if found.unjudged else ""
        groups.append([(f"{found.hit} of {found.wanted} facts there{judged}", "text")])
    if found.violations:
        groups.append([(f"{found.violations} said that must not be", "bad bold")])
    page.phrases(groups)


def _short(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


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
    """How many of the repeated samples passed, what that says of k of them, and each one's answer."""
    attempts = record.attempts
    if not attempts:
        return
    count, passed = len(attempts), sum(attempt.passed is True for attempt in attempts)
    open_ = sum(attempt.passed is None for attempt in attempts)
    judged = f", {open_} not judged" if open_ else ""
    groups = [[(f"{'attempts':<{_KIND}}", "muted"), (f"{passed} of {count} passed{judged}", "text")]]
    k = page.detail.header.pass_k or count
    one, every = pass_at_k(count, passed, k), pass_hat_k(count, passed, k)
    if not open_ and one is not None and every is not None:
        groups += [[(f"pass@{k} {_short(one)}", "muted")], [(f"pass^{k} {_short(every)}", "muted")]]
    page.phrases(groups)
    told = [attempt for attempt in attempts if attempt.answer is not None]
    shown = told if page.unfolded else told[:ATTEMPTS_SHOWN]
    for attempt in shown:
        word, role = _PASSED[attempt.passed]
        page.labelled([(f"{word:<{_KIND}}", role)], attempt.answer or "(empty)", "muted", cut=True)
    if len(shown) < len(told):
        left = len(told) - len(shown)
        page.fold(f"+ {left} {'attempt' if left == 1 else 'attempts'}")


def _feedback(page: Page, record: Record) -> None:
    feedback = record.feedback
    if feedback is None:
        return
    said = [f"thumb {feedback.thumb}"] if feedback.thumb else []
    said += ["asked again"] if feedback.repeated else []
    said += ["asked nothing more"] if feedback.no_follow_up else []
    said += ["handed to a person"] if feedback.handed_off else []
    if said:
        page.row(
            [
                (f"{'user':<{_KIND}}", "muted"),
                (", ".join(said), "bad" if feedback.thumb == "down" else "text"),
            ]
        )
