"""Sentences of the screen on which a sample is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from triage.plain import cut, one_line, preview
from triage.ui.palette import LAYER_WORDS
from triage.ui.widgets.line import Words
from triage.ui.work.reading_clock import spoken
from triage.ui.work.words import number_of

if TYPE_CHECKING:
    from triage.models.reading import Handed, Progress
    from triage.ui.work.reading_queue import Came

_ORDINAL = {1: "first", 2: "second", 3: "third"}
_REASON, _FILTER = 40, 24


def known(handed: Handed, *, machine_hidden: bool) -> Words:
    """What a reader is told of the case: which reading it is, what he did with it before.

    That it must be reviewed is not told where the machine is hidden: the rule may rest on its scores.
    """
    words: list[tuple[str, str]] = []
    mine = handed.mine
    if mine is not None:
        changed = ", its record has changed since" if mine.stale else ""
        words.append((f"you said {LAYER_WORDS[mine.verdict]}{changed}", "text"))
    if handed.why_deferred is not None:
        words.append((f"put off: {cut(preview(handed.why_deferred[:400]), _REASON)}", "text"))
    if handed.must and not machine_hidden:
        words.append(("must be read", "text"))
    if handed.readings > 1:
        which = _ORDINAL.get(handed.reading, f"{handed.reading}th")
        words.append((f"{which} of {handed.readings} readings", "muted"))
    out: list[tuple[str, str]] = []
    for text, role in words:
        out += [("   ", role), (text, role)] if out else [(text, role)]
    return out


def pace(progress: Progress, text: str, *, on_results: bool = False) -> Words:
    """The reader's pace, how long the rest will take, and what the filter leaves out.

    A filter `on_results` tells its reader what a rule or another reader says of each of its cases.
    """
    words: list[tuple[str, str]] = []
    if progress.seconds is not None:
        words.append((f"{spoken(progress.seconds)} a case", "faint"))
        if progress.left:
            words.append((f"   {spoken(progress.left)} left", "muted"))
    if text.strip():
        gap = "   " if words else ""
        words.append((f"{gap}within ", "faint"))
        words.append((cut(one_line(text[:400]), _FILTER), "focus"))
        words.append((f", {progress.outside} left out", "muted"))
        if on_results:
            words.append(("   not blind to results", "text bold"))
    return words


def told(said: str, undo: str) -> Words:
    """What has just been written, and what takes it back."""
    return [(one_line(said), "text"), ("   ", "text"), (undo, "focus bold"), (" undo", "muted")]


def ended(event: Came, keys: Mapping[str, str]) -> tuple[Words, ...]:
    """What stands in the place of the case where there is none: the sentence, what is done, the keys."""
    why, progress = event.handed, event.progress
    lines: list[Words] = [[(one_line(event.said), "text bold")], []]
    if why in ("done", "others"):
        done = f"{number_of(progress.mine, 'case')} read by you"
        lines.append(
            [(done, "text"), (f"   {progress.readings} of {progress.wanted} readings done", "muted")]
        )
        beside: list[tuple[str, str]] = []
        if progress.disputed:
            beside.append((f"{number_of(progress.disputed, 'case')} in dispute", "bad"))
        if progress.others:
            gap = "   " if beside else ""
            beside.append((f"{gap}{progress.others} in the hands of others", "muted"))
        if progress.outside:
            gap = "   " if beside else ""
            beside.append((f"{gap}{progress.outside} outside the filter", "muted"))
        lines += [beside] if beside else []
        lines.append([])
    asks: list[tuple[str, str]] = []
    if why == "others":
        asks += [(keys["reading.again"], "focus bold"), (" looks again   ", "muted")]
    if progress.mine:
        asks += [(keys["undo"], "focus bold"), (" takes the last verdict back   ", "muted")]
    lines.append([*asks, (keys["reading.pause"], "focus bold"), (" goes back", "muted")])
    if why in ("done", "others"):
        after = [("review.report", "what came of it"), ("review.agreement", "how far readers agree")]
        if progress.disputed:
            after.insert(0, ("review.disputes", "settles disputes"))
        there: list[tuple[str, str]] = [("from there ", "muted")]
        for number, (ident, says) in enumerate(after):
            there += [("   " if number else "", "muted"), (keys[ident], "focus bold"), (f" {says}", "muted")]
        lines.append(there)
    return tuple(lines)
