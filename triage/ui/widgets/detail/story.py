"""Why the case fails, how it went before, what people said of it, and all that is left of the record."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from triage.diagnosis import REASONS, explain
from triage.plain import fit, one_line
from triage.ui.palette import LAYER_DIGITS, LAYER_WORDS
from triage.ui.text import short
from triage.ui.widgets.detail.answer import compact

if TYPE_CHECKING:
    from triage.models.case import Earlier
    from triage.models.verdict import Event
    from triage.ui.widgets.detail.page import Page

BEFORE_SHOWN, EVENTS_SHOWN, OTHER_SHOWN = 4, 6, 8
_SILENT = frozenset({"ok", "ok_refusal"})
_DONE = {"clear": "cleared", "defer": "deferred", "undefer": "taken up"}
"""What was done, where its kind is not the word."""


def why(page: Page) -> None:
    """One plain sentence from the rule's evidence, the other rules that fired, and the rule's name."""
    detail = page.detail
    record, diagnosis = detail.record, detail.diagnosis
    page.section("why")
    suggestion = diagnosis.suggestion
    page.prose(explain(suggestion, record), "text", fold=6)
    for finding in diagnosis.secondary:
        layer = finding.failure_class
        if layer is None or finding.reason in _SILENT:
            continue
        at = len(page.lines)
        page.prose(explain(finding, record), "muted", indent=2, fold=3)
        gutter, *rest = page.lines[at]
        lead = gutter._replace(text=gutter.text[:-2])
        digit = gutter._replace(text=f"{LAYER_DIGITS[layer]} ", style=page.ink(f"{layer} bold"))
        page.lines[at] = [lead, digit, *rest]
    if record.error and suggestion.reason != "system_error":
        page.prose(f"error: {record.error}", "bad", fold=3)
    if record.passed is not None or record.failure_reason:
        said = {True: "passed", False: "failed", None: "not said"}[record.passed]
        words = f"the runner: {said}" + (f", {record.failure_reason}" if record.failure_reason else "")
        if suggestion.reason != "runner_failed":
            page.prose(words, "bad" if record.passed is False else "muted", fold=3)
    sure, own = _share(suggestion.confidence), REASONS.get(suggestion.reason)
    page.row([("rule ", "faint"), (suggestion.reason, "muted"), (f"   sure {sure}", "faint")])
    if own is not None and own.confidence != suggestion.confidence:
        page.row([(f"     {sure} by your settings, {_share(own.confidence)} by itself", "faint")])
    if detail.problems:
        count = len(detail.problems)
        noun = "field" if count == 1 else "fields"
        page.row([(f"{count} {noun} of this record could not be read: see problems", "bad")])


def _share(confidence: float) -> str:
    return f"{confidence:.2f}".removeprefix("0")


def before(page: Page) -> None:
    """The same case in earlier runs, newest first, and whether this run broke or fixed it."""
    detail = page.detail
    past = detail.earlier
    if not past:
        return
    page.section("before")
    versions = [item.kb_version for item in past]
    by_version = None not in versions and len(set(versions)) == len(versions)
    shown = past if page.unfolded else past[:BEFORE_SHOWN]
    line: list[tuple[str, str, bool]] = []
    entries = [_earlier(item, by_version) for item in shown]
    turned = ""
    if detail.row.failing != past[0].failing:
        turned = "broke here" if detail.row.failing else "fixed here"
    entries += [[(turned, "bad bold" if detail.row.failing else "good bold", False)]] if turned else []
    used = 0
    for entry in entries:
        size = sum(len(text) for text, _, _ in entry)
        if line and used + 3 + size > page.text:
            _tinted(page, line)
            line, used = [], 0
        if line:
            line.append(("   ", "muted", False))
            used += 3
        line += entry
        used += size
    _tinted(page, line)
    if len(shown) < len(past):
        page.fold(f"+ {len(past) - len(shown)} before")


def _earlier(item: Earlier, by_version: bool) -> list[tuple[str, str, bool]]:
    name = short(item.kb_version if by_version and item.kb_version else item.run, 24)
    words: list[tuple[str, str, bool]] = [(f"{name} ", "muted", False)]
    if not item.failing:
        words.append(("passed", "text", False))
    elif item.failure_class is not None:
        words.append((f"{LAYER_WORDS[item.failure_class]}?", item.failure_class, False))
    else:
        words.append(("failed", "bad", False))
    if item.first_rank is not None:
        words.append((f", rank {item.first_rank}", "text", False))
    if item.review is not None and item.review.verdict is not None:
        words += [(" ", "muted", False), (f" {LAYER_WORDS[item.review.verdict]} ", item.review.verdict, True)]
    return words


def _tinted(page: Page, line: list[tuple[str, str, bool]]) -> None:
    page.parts([(text, page.ink.tint(role) if tint else page.ink(role)) for text, role, tint in line])


def local(at: str) -> str:
    """A stored UTC time as people here read it: `11-29 10:41`; as it stands where it is no time."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return short(at, 16)
    return moment.astimezone().strftime("%m-%d %H:%M")


def verdicts(page: Page) -> None:
    """What people said, newest first; what was undone is struck through and says so."""
    if page.hidden != "nothing" and not page.detail.events:
        return
    page.section("verdicts" if page.hidden == "nothing" else "yours")
    events = [event for event in reversed(page.detail.events) if event.kind not in ("undo", "redo")]
    if not events:
        page.row([("none yet", "faint")])
        return
    shown = events if page.unfolded else events[:EVENTS_SHOWN]
    for event in shown:
        _event(page, event)
    if len(shown) < len(events):
        page.fold(f"+ {len(events) - len(shown)} before")


def _event(page: Page, event: Event) -> None:
    ink = page.ink
    strike = " strike" if event.undone else ""
    if event.kind in ("verdict", "arbitration") and event.verdict is not None:
        word = f" {LAYER_WORDS[event.verdict]} "
        style = ink(f"muted{strike}") if event.undone else ink.tint(event.verdict)
    else:
        word = f" {_DONE.get(event.kind, event.kind)}"
        style = ink(f"muted{strike}")
    parts = [(word, style), (" " * max(12 - len(word), 1), ink("muted"))]
    parts.append((f"{short(event.reviewer, 16)}  {local(event.at)}", ink(f"muted{strike}")))
    if event.undone:
        parts.append(("  undone", ink("muted")))
    if event.labels and event.kind != "labels":
        parts.append((f"  {one_line(', '.join(event.labels))}", ink(f"muted{strike}")))
    if event.kind == "labels":
        listed = ", ".join(event.labels or ()) or "none"
        parts.append((f"  {one_line(listed)}", ink(f"text{strike}")))
    elif event.kind == "arbitration" or event.reason is not None:
        settles = "  settles it:" if event.kind == "arbitration" else ""
        parts += [
            (settles, ink(f"muted{strike}")),
            (f"{'' if settles else ' '} {one_line((event.reason or '')[:400])}", ink(f"text{strike}")),
        ]
    elif event.note is not None:
        parts.append((f"  {one_line(event.note[:400]) or 'removed'}", ink(f"text{strike}")))
    page.parts(parts)


def notes(page: Page) -> None:
    """The note and the labels as they stand."""
    review = page.detail.row.review
    if review is None or not (review.note or review.labels):
        return
    page.section("notes")
    if review.labels:
        page.one_line("labels: " + ", ".join(review.labels), "muted")
    if review.note:
        page.prose(review.note, "text", fold=12)


def facts(page: Page) -> None:
    """The record's small fields."""
    record = page.detail.record
    named = {
        "topic": record.topic, "type": record.query_type, "domain": record.domain,
        "difficulty": record.difficulty, "dependency": record.dependency, "source": record.source,
        "seed": record.seed_id, "rewrite": record.rewrite, "kb": record.kb_version,
        "test set": record.dataset_version,
    }  # fmt: skip
    pairs = [(name, short(value, 40), "muted") for name, value in named.items() if value]
    if record.tags:
        pairs.append(("tags", short(", ".join(record.tags), 40), "muted"))
    for name, number, unit in (
        ("took", record.latency_ms, " ms"), ("tokens", record.tokens, ""), ("cost", record.cost, ""),
    ):  # fmt: skip
        if number is not None:
            pairs.append((name, f"{number:g}{unit}" if number < 1e6 else f"{number:.0f}{unit}", "muted"))
    if page.detail.inferred:
        pairs.append(("inferred", short(", ".join(page.detail.inferred), 60), "muted"))
    if pairs:
        page.section("facts")
        page.pairs(pairs)


def other(page: Page) -> None:
    """The keys that the format does not know, as they came."""
    extra = page.detail.record.extra
    if not extra:
        return
    page.section("other")
    items = list(extra.items())
    shown = items if page.unfolded else items[:OTHER_SHOWN]
    name = min(max((len(short(key, 20)) for key, _ in shown), default=0) + 1, 21)
    for key, value in shown:
        text = value if isinstance(value, str) else compact(value)
        at = len(page.lines)
        page.one_line(text or "(empty)", "text", name)
        gutter, *rest = page.lines[at]
        lead = gutter._replace(text=gutter.text[:-name])
        page.lines[at] = [lead, gutter._replace(text=fit(short(key, name - 1), name)), *rest]
    if len(shown) < len(items):
        page.fold(f"+ {len(items) - len(shown)} more")


def problems(page: Page) -> None:
    """Fields of this record that count as not recorded, and why."""
    found = page.detail.problems
    if not found:
        return
    page.section("problems")
    for problem in found:
        page.prose(f"{problem.field or 'record'}: {problem.reason}", "text", fold=3)
