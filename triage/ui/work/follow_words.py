"""What is said of files that come, change and go: pure, so that a test can read it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage.metrics.registry import BY_KEY
from triage.plain import cut, cut_left, one_line, width
from triage.ui.widgets.line import Words
from triage.ui.widgets.panel_model import number
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.models.arrival import News
    from triage.models.run import FileReport
    from triage.ui.messages import FollowMode

TOAST = 50
"""Most cells of a toast."""
_NAME = 18


def live(mode: FollowMode | None, new: int, trouble: str) -> str:
    """The head's word: "" where there is nothing to follow.

    `new` counts the runs that came and were not opened; `trouble` is of the file that is shown.
    """
    if mode is None or mode.how is None:
        return ""
    word = {"off": "not live", "events": "live"}.get(mode.how, "live (poll)")
    return ", ".join([word, *([trouble] if trouble else []), *([f"{new} new"] if new else [])])


def name_of(path: Path | str) -> str:
    """A file's name, fit to be printed."""
    return cut(one_line(Path(path).name), 40)


def writing(path: Path) -> str:
    """A file is not whole yet."""
    return f"{name_of(path)} is still being written"


def gone(path: Path) -> str:
    """The file of the run that is shown is no longer there."""
    return f"{name_of(path)} is gone: what was read of it stays, with its reviews"


def unchanged(report: FileReport) -> str:
    """A file that was asked for again is as it was."""
    return f"{name_of(report.path)} is unchanged"


def awaited(followed: Sequence[Path], absent: Sequence[Path]) -> str:
    """What is waited for while nothing is loaded; "" = nothing."""
    if absent:
        return f"{cut_left(one_line(str(absent[0])), 40)} is not there yet: it is shown when it comes"
    if followed:
        return f"following {cut_left(one_line(str(followed[0])), 40)}: a run file that comes is shown"
    return ""


def unreadable(report: FileReport) -> str:
    """A file holds no run any more, or never held one: what was read of it before, if anything, stays."""
    problem = next((one for one in report.problems if one.level == "record"), None)
    where = f"line {problem.line}: " if problem is not None and problem.line is not None else ""
    why = one_line(problem.reason) if problem is not None else "no records"
    return f"{name_of(report.path)} can't be read, the last good data stays: {where}{why}"


def back(path: Path | str) -> str:
    """A file that had gone, or could not be read, is there as it was."""
    return f"{name_of(path)} is back as it was"


def replaced(report: FileReport, problems_key: str, *, other: bool = False) -> Words:
    """The file of the run that is shown has changed, and is shown as it is now.

    `other`: it is another file than the one before, with the same run id.
    """
    name, cases = cut(one_line(report.run or ""), _NAME), number_of(report.records, "case")
    by = f" by {cut(name_of(report.path), 24)}" if other else ""
    how = f"grew to {cases}" if report.grown else f"replaced{by}: revision {report.revision}, {cases}"
    if not report.rejected:
        return [(f"{name} {how}", "text")]
    rejected = f", {report.rejected} of {report.records + report.rejected} rejected"
    return [
        (f"{name} {how}{rejected}", "bad"),
        ("   ", "text"),
        (problems_key, "focus bold"),
        (" lists them", "muted"),
    ]


def came(report: FileReport, news: News, new: int, key: str) -> str:
    """A run has come, or one that is not shown has changed: what moved, and the key that opens it.

    `new` counts the runs that came and were not opened; `key` "" = none opens it from here.
    """
    ends = f"; {key} opens it" if key else ""
    before, after = "", " is here"
    if report.status == "updated":
        after = " grew" if report.grown else " changed"
    elif new > 1:
        before, after = f"{new} new runs, ", ""
    parts, least = _moves(news)
    # A long name gives way, never what moved.
    room = TOAST - width(f"{before}{after}: {least}{ends}")
    said = f"{before}{cut(one_line(news.run.id), max(min(room, _NAME), 1))}{after}: "
    kept: list[str] = []
    for part in parts:
        if width(said + ", ".join([*kept, part]) + ends) > TOAST:
            break
        kept.append(part)
    return said + (", ".join(kept) or least) + ends


def _moves(news: News) -> tuple[list[str], str]:
    """What is worth telling, the most telling first; and what is told at least."""
    if news.against is None:
        return (
            [f"{news.failing} of {number_of(news.cases, 'case')} failing"],
            f"{news.failing} of {news.cases} failing",
        )
    parts = [f"{news.broke} broke"] if news.broke else []
    parts += [f"{news.fixed} fixed"] if news.fixed else []
    worse = [one for one in news.moved if not one.better]
    better = [one for one in news.moved if one.better]
    for one in (*worse[:1], *better[:1]):
        metric = BY_KEY[one.key]
        parts.append(f"{metric.named(news.run.k)} {number(one.delta, metric, signed=True)}")
    if not parts:
        return [f"nothing moved against {cut(one_line(news.against), _NAME)}"], "nothing moved"
    return parts, parts[0]
