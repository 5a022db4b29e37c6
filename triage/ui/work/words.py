"""What the Triage screen says, in words with roles: pure, so that a test can read it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage.metrics.registry import BY_KEY
from triage.models.query import VIEWS, Scope
from triage.plain import cut, fit, one_line, width
from triage.plain import number_of as number_of
from triage.ui.widgets.line import Words
from triage.ui.widgets.row import NAMES, judged

if TYPE_CHECKING:
    from triage.models.case import CaseRow, RunView
    from triage.models.run import FileReport, Progress

_SLICE = 24
"""Most cells of what one dimension says of the cases."""
_PARTS = {"worse": "worse", "scope": "in scope", "missing": "missing"}


def next_view(view: str) -> str:
    """The view after this one."""
    return VIEWS[(VIEWS.index(view) + 1) % len(VIEWS)] if view in VIEWS else VIEWS[0]


def metric_name(key: str, k: int) -> str:
    """A metric's title at this K."""
    metric = BY_KEY.get(key)
    return metric.titled(k) if metric is not None else key


def selection(scope: Scope, k: int) -> str:
    """The list's selection in words: the view, or what is drilled into."""
    drill = scope.drill
    if drill is None:
        return scope.view
    if drill.similar is not None:
        least = f"{drill.least:.2f}".removeprefix("0")
        return f"similar to {cut(one_line(drill.similar), 20)}, at least {least}"
    if drill.named:
        return one_line(drill.named)
    if drill.metric is not None:
        return f"{metric_name(drill.metric, k)} {_PARTS[drill.part]}"
    if drill.slice:
        said = (f"{part.dimension.replace('_', ' ')} {part.value}" for part in drill.slice)
        return ", ".join(cut(one_line(words), _SLICE) for words in said)
    return NAMES.get(drill.failure_class or "", drill.failure_class or "")


_NUMBERS = ("rank", "confidence", "turns", "latency_ms", "cost", "tokens", "answerable", "passed", "failing")


def sorted_by(sort: str) -> tuple[str, str]:
    """The list's order, `latency_ms, highest first`, and in short; "" for the default and the file's own."""
    key, falling = sort.removeprefix("-"), sort.startswith("-")
    if sort in ("", "file"):
        return "", ""
    if key in _NUMBERS or key in BY_KEY:
        return f"{key}, {'highest' if falling else 'lowest'} first", sort
    if key == "reviewed_at":
        return f"{key}, {'newest' if falling else 'oldest'} first", sort
    return f"{key}, last first" if falling else key, sort


def counted(
    scope: Scope, count: int, view: RunView | None, marked: int = 0, hidden: int = 0, *, more: bool = False
) -> Words:
    """`failing 3 of 10`: the selection, how many cases it holds (or `more`), of how many; and how many are
    marked, `hidden` of them not in the list.
    """
    of = view.cases if view is not None else count
    k = view.k if view is not None else 3
    said: list[tuple[str, str]] = []
    if view is not None and view.text_said:
        said.append((f"  {one_line(view.text_said)}  ", "muted"))
    if marked:
        said.append((f"  {marked:,} marked", "text bold"))
        said.append((f", {hidden:,} not shown  " if hidden else "  ", "text"))
    return [*said, (f"  {selection(scope, k)} ", "muted"), (f"{count}{'+' if more else ''} of {of}", "text")]


def tail(scope: Scope, count: int, view: RunView | None, keys: Mapping[str, str]) -> Words:
    """What is not shown and the key that shows it; () where everything is."""
    if view is None or not count:
        return ()
    if scope.drill is not None:
        rest = view.cases - count
        return _rest(rest, "other", f"{rest} other cases: ", keys["back"], " shows them")
    if scope.text and view.cases > view.matching:
        outside = view.cases - view.matching
        return _rest(outside, "", f"{outside} outside the filter: ", keys["back"], " clears it")
    rest = view.matching - count
    hidden = {"failing": "passing", "unreviewed": "reviewed", "passing": "failing"}.get(scope.view, "")
    says = "all" if scope.view == "failing" else next_view(scope.view)
    return _rest(rest, hidden, f"{rest} {hidden} not shown: ", keys["view"], f" shows {says}")


def _rest(count: int, what: str, words: str, key: str, does: str) -> Words:
    return [(words, "muted"), (key, "focus bold"), (does, "muted")] if count > 0 else ()


def nothing(scope: Scope, view: RunView | None, cut: str, keys: Mapping[str, str]) -> tuple[Words, ...]:
    """Why the list is empty, and the key that fills it."""
    back, to_view = (keys["back"], "focus bold"), (keys["view"], "focus bold")
    if scope.drill is not None:
        drill = scope.drill
        k = view.k if view is not None else 3
        if drill.similar is not None:
            none = "no similar case under this filter" if scope.text else "the case is no longer in this run"
            return ([(none, "text")], [back, (" back", "muted")])
        if drill.named:
            return ([(f"none of these under this filter: {selection(scope, k)}", "text")],
                    [back, (" back", "muted")])  # fmt: skip
        if drill.slice:
            return ([(f"no case has {selection(scope, k)}", "text")], [back, (" back", "muted")])
        if drill.metric is None:
            return (
                [("no case is suggested ", "text"), (selection(scope, k), "text")],
                [back, (" back", "muted")],
            )
        why = {
            "worse": "no case makes it worse",
            "scope": "no case is in its scope",
            "missing": "nothing that it needs is missing",
        }[drill.part]
        name = metric_name(drill.metric, k)
        return (
            [(f"{name}: {why}", "text")],
            [(keys["open"], "focus bold"), (" the next of worse, in scope, missing   ", "muted"), back,
             (" back", "muted")],
        )  # fmt: skip
    if view is not None and view.cases == 0:
        return ([("this run holds no case that could be read", "text")], [(keys["problems"], "focus bold"),
                (" tells why", "muted")])  # fmt: skip
    if scope.text and (view is None or view.matching == 0):
        said: list[tuple[str, str]] = [("no case matches", "text")]
        lines: list[Words] = [said]
        if cut:
            lines.append([(f"{one_line(cut)} cut most", "muted")])
        lines.append([back, (" clears the filter", "muted")])
        return tuple(lines)
    matching = view.matching if view is not None else 0
    inside = " under this filter" if scope.text else ""
    why = {
        "failing": f"nothing fails{inside} in {number_of(matching, 'case')}",
        "unreviewed": f"every case has a verdict{inside}",
        "passing": f"no case passes{inside}",
        "all": "no case here",
    }[scope.view]
    return ([(why, "text")], [to_view, (f" shows {next_view(scope.view)}", "muted")])


def accepts(row: CaseRow | None) -> str:
    """What space does on this case: "accept ranking", "next", "what is missing"; "" = nothing."""
    if row is None:
        return ""
    if judged(row):
        return "next"
    if row.failure_class is not None:
        return f"accept {NAMES[row.failure_class]}"
    return {
        "ok": "accept fine",
        "ok_refusal": "accept fine",
        "label_conflict": "accept test set",
        "insufficient_record": "what is missing",
    }.get(row.reason, "")


def short_path(path: Path) -> str:
    """A path as people write it, from their home on."""
    home, text = str(Path.home()), str(path)
    return "~" + text.removeprefix(home) if text.startswith(home + os.sep) else text


def reading(progress: Progress | None) -> Words:
    """How far the reading is; None = it has just begun."""
    if progress is None:
        return [("reading", "muted")]
    name = one_line(progress.path.replace("\\", "/").rsplit("/", 1)[-1])
    stage = progress.stage if progress.stage != "done" else "reading"
    words = f"{stage} {name}  {number_of(progress.records, 'record')}"
    if progress.rejected:
        words += f"  {progress.rejected} rejected"
    if progress.seconds > 1 and progress.done_bytes and progress.stage == "reading":
        rate = progress.records / progress.seconds
        left = (progress.total_bytes - progress.done_bytes) * progress.seconds / progress.done_bytes
        words += f"  {rate:.0f}/s  {max(left, 0):.0f} s left"
    return [(words, "muted")]


def loaded(reports: Sequence[FileReport]) -> tuple[str, bool]:
    """What reading files came to, in one sentence, and whether something was left out."""
    good = [report for report in reports if report.status != "failed"]
    records = sum(report.records for report in good)
    rejected = sum(report.rejected for report in reports)
    failed = [report for report in reports if report.status == "failed"]
    words = f"{number_of(records, 'record')} of {number_of(len(good), 'file')}"
    if rejected:
        words += f", {rejected} of {records + rejected} rejected"
    if failed:
        name = one_line(failed[0].path.replace("\\", "/").rsplit("/", 1)[-1])
        reason = failed[0].problems[0].reason if failed[0].problems else "no records"
        words += f", {name} not loaded: {one_line(reason)}"
    return words, bool(rejected or failed)


def terms(text: str) -> list[str]:
    """The parts of a filter all of which must hold; [] where one of several is enough, or there is one part.

    Quoted phrases, ranges and groups are one part; NOT belongs to what follows.
    """
    parts: list[str] = []
    part, depth, quoted = "", 0, False
    for sign in text.strip() + " ":
        if sign == '"':
            quoted = not quoted
        elif not quoted:
            depth += (sign in "([{") - (sign in ")]}")
        if sign.isspace() and depth <= 0 and not quoted:
            if part in ("OR", "||"):
                return []
            if part in ("NOT", "!"):
                part += " "
                continue
            if part and part not in ("AND", "&&"):
                parts.append(part)
            part = ""
        else:
            part += sign
    return parts if len(parts) > 1 else []


def done(view: RunView, agreed: tuple[int, int, int] | None, keys: Mapping[str, str]) -> tuple[Words, ...]:
    """All tagged: the sentence, counts a class, how many as suggested, and the next keys.

    `agreed` counts failing cases judged as suggested, judged otherwise, and disputed; None = not known yet.
    """
    number = view.failing
    counts: list[tuple[str, str]] = []
    for verdict, name in NAMES.items():
        count = view.verdicts.get(verdict, 0)
        if count:
            digit = keys[f"verdict.{verdict}"]
            counts += [
                ("    " if counts else "", "text"),
                (digit, f"{verdict} bold"),
                (f" {name} {count}", "muted"),
            ]
    agree: Words = ()
    if agreed is not None:
        same, other, disputed = agreed
        agree = [(f"{same} as suggested, {other} decided otherwise, {disputed} disputed", "muted")]
    ways = (
        ("export", "export the list"),
        ("back", f"all {view.cases} cases"),
        ("undo", "undo"),
        ("baseline", "another run"),
    )
    line: list[tuple[str, str]] = []
    for name, words in ways:
        line += [("   " if line else "", "text"), (keys[name], "focus bold"), (f" {words}", "muted")]
    sentence = "the failing case is tagged" if number == 1 else f"all {number} failing cases are tagged"
    return ([(sentence, "text bold")], (), counts, agree, (), line)


def first(error: str, keys: Mapping[str, str], awaited: str = "") -> tuple[Words, ...]:
    """Nothing is loaded: three ways on, under what went wrong with the last one, over what is `awaited`."""
    wrong: tuple[Words, ...] = ([("error: ", "bad bold"), (error, "bad")], ()) if error else ()
    ways = (
        ("demo", "look around in the demo runs"),
        ("open.file", "open a run file or a folder of them"),
        ("help", "what a run file looks like"),
    )
    cells = max(width(keys[name]) for name, _ in ways)
    return (
        *wrong,
        *([(fit(keys[name], cells), "focus bold"), (f"  {says:<36}", "muted")] for name, says in ways),
        *(((), [(awaited, "text")]) if awaited else ()),
    )


def too_small(width: int, height: int) -> tuple[Words, ...]:
    """One sentence."""
    words = f"triage needs 60x15, this is {width}x{height}"
    if width >= len(words):
        return ([(words, "text")],)
    return ([("needs 60x15", "text")],)
