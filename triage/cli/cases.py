"""`triage cases` and `triage case`: the rows of a run, and one of them whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

import click
from msgspec.structs import replace

from triage.citations.differ import disagreement
from triage.cli.options import db_option, filter_options, format_option, k_option, load_options
from triage.cli.output import broken, emit, emit_json, emit_jsonl, room, sentence, table
from triage.cli.session import Session
from triage.cli.words import run_and_case, scope_of, when
from triage.diagnosis import explain
from triage.metrics.registry import METRICS
from triage.models import shapes
from triage.models.case import CaseDetail, CaseRow
from triage.models.measure import CLASSES, FailureClass, LayerState
from triage.models.query import Drill, Scope
from triage.models.reading import Arbitration, Reading
from triage.models.verdict import Event
from triage.plain import plain

_STRIP_ROOM = 6
PAGE = 500
"""Cases read at a time."""


def strip(layers: dict[FailureClass, LayerState | None]) -> str:
    """The four layers as the list draws them: `.` fine, blank out of scope, its digit where one fails."""
    signs = {None: " ", "ok": "."}
    return "".join(signs.get(layers.get(name), str(digit)) for digit, name in enumerate(CLASSES, 1))


def why(row: CaseRow) -> str:
    """The verdict of a person, else the suggestion with a `?`."""
    if row.review and row.review.verdict:
        settled = " (arbitrated)" if row.review.arbitrated else ""
        return row.review.verdict + (" (disputed)" if row.review.disputed else settled)
    return f"{row.failure_class}?" if row.failure_class else ""


def case_lines(rows: list[CaseRow]) -> list[str]:
    """A table of cases for people."""
    cells = [
        [
            strip(row.layers),
            row.id,
            why(row),
            row.reason,
            f"{row.confidence:.2f}",
            "" if row.first_rank is None else str(row.first_rank),
            "!" if row.high_risk else "",
            row.query,
        ]
        for row in rows
    ]
    # The strip is drawn by itself: its blanks mean something.
    heads = ["case", "why", "rule", "sure", "rank", "", "query"]
    if any(row.likeness is not None for row in rows):
        heads.insert(6, "like")
        for line, row in zip(cells, rows, strict=True):
            line.insert(7, "" if row.likeness is None else f"{row.likeness:.2f}")
    lines = table(heads, [line[1:] for line in cells], right=frozenset({3, 4}), indent=" " * _STRIP_ROOM)
    strips = ["1234", *(line[0] for line in cells)]
    return [f"{head:<{_STRIP_ROOM}}{line[_STRIP_ROOM:]}" for head, line in zip(strips, lines, strict=True)]


@click.command(
    "cases",
    short_help="List the cases of a run.",
    epilog="Example: triage cases kb42 --filter 'is:failing topic:refund' --format jsonl",
)
@click.argument("run", required=False)
@k_option
@filter_options
@click.option("--sort", default="file", metavar="KEY|-KEY", help="A field or metric; - first: descending.")
@click.option(
    "--similar", metavar="CASE", help="Those whose query is like that of CASE, the most alike first."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most N cases.")
@db_option
@load_options
@format_option("table", "json", "jsonl")
def cases_command(
    run: str | None,
    k: int | None,
    query: str,
    text: str | None,
    sort: str,
    similar: str | None,
    limit: int | None,
    format: str,
    **given: Any,
) -> int:
    """List the cases of RUN (default: the latest), passing ones too, in the order of the file."""
    session = Session(given)
    chosen = session.run(run)
    session.check(chosen)
    scope = scope_of(chosen, query, text, k, sort)
    workspace = session.workspace
    scores: dict[int, float] = {}
    if similar is not None:
        # Asked for here too, because an unknown case is an error of the command and no empty list.
        alike = workspace.finding.similar(scope, similar)
        scores = dict(zip(alike.keys, alike.scores, strict=True)) if alike is not None else {}
        scope = replace(scope, drill=Drill(similar=similar))
    if format == "table":
        keys = workspace.case_keys(scope)[:limit]
        parts = (keys[start : start + PAGE] for start in range(0, len(keys), PAGE))
        rows = [row for part in parts for row in workspace.case_rows(scope, part)]
        for line in case_lines(rows):
            emit(line)
        return session.exit_code
    found = (
        shapes.case(one.row, one.diagnosis, _all_measures(one.measures), one.inferred)
        | _similarity(scores.get(one.row.pk))
        for one in islice(workspace.measured_cases(scope), limit)
    )
    if format == "jsonl":
        for case in found:
            emit_jsonl(case)
    else:
        emit_json({"run": chosen.id, "k": scope.k or chosen.k, "cases": list(found)})
    return session.exit_code


def _similarity(score: float | None) -> dict[str, float]:
    return {} if score is None else {"similarity": score}


def _all_measures(measures: dict[str, float | None]) -> dict[str, float | None]:
    return {metric.key: measures.get(metric.key) for metric in METRICS}


@click.command("case", short_help="One case whole.", epilog="Example: triage case kb42 E06 --format json")
@click.argument("words", metavar="[RUN] CASE", nargs=-1, required=True)
@k_option
@db_option
@load_options
@format_option("table", "json")
def case_command(words: tuple[str, ...], k: int | None, format: str, **given: Any) -> int:
    """Show one case whole: its record, the suggestion with its evidence, and every verdict."""
    run, case, _ = run_and_case(words, "case [RUN] CASE")
    session = Session(given)
    chosen = session.run(run)
    print_case(session, Scope(chosen.id, k=k), case, format)
    return session.exit_code


def print_case(session: Session, scope: Scope, case: str, format: str) -> None:
    """Write a case to standard output."""
    session.check(session.workspace.find_run(scope.run))
    detail = session.workspace.case_detail(scope, case)
    queue = session.workspace.queue
    readings = queue.readings(detail.run, [detail.row.id]).get(detail.row.id, ())
    decided = queue.arbitrations(detail.run, [detail.row.id]).get(detail.row.id)
    if format == "json":
        body = shapes.detail(detail)
        body["measures"] = _all_measures(detail.measures)
        differ = disagreement(detail.record)
        body["citations_differ"] = None if differ is None else differ._asdict()
        body["readings"] = [shapes.reading(one) for one in readings]
        body["arbitration"] = shapes.arbitration(decided)
        emit_json(body)
        return
    for line in detail_lines(detail, readings, decided):
        emit(line)


def detail_lines(
    detail: CaseDetail, readings: Sequence[Reading] = (), decided: Arbitration | None = None
) -> list[str]:
    """A case for people: labels in a gutter, record text beside them; readings where there are several."""
    row, record, found = detail.row, detail.record, detail.diagnosis.suggestion
    risk = "high risk: a person reads it" if row.high_risk else ""
    lines = [sentence(row.id, why(row) or row.reason, detail.run, risk)]
    lines += _section("layers", [f"{name} {row.layers.get(name) or 'out of scope'}" for name in CLASSES])
    lines += _section("asked", [record.query or row.query])
    if record.answer is not None:
        lines += _section("answered", [record.answer])
    lines += _section("evidence", _evidence(detail))
    lines += _section("sources", [str(differ)] if (differ := disagreement(record)) else [])
    measures = [f"{key} {value:.4f}" for key, value in detail.measures.items() if value is not None]
    lines += _section("measures", ["   ".join(measures)] if measures else [])
    if detail.missing:
        lines += _section("missing", [", ".join(detail.missing)])
    rule = f"rule {found.reason}   sure {found.confidence:.2f}"
    found_in = [shapes.dump(found.evidence)] if found.evidence else []
    lines += _section("why", [explain(found, record), rule, *found_in])
    others = [f"{one.failure_class or 'no class'}: {one.reason}" for one in detail.diagnosis.secondary]
    lines += _section("also", others)
    lines += _section("problems", [f"{one.field or 'record'}: {one.reason}" for one in detail.problems])
    before = [
        f"{one.run}: {'failing' if one.failing else 'passed'}, {one.failure_class or one.reason}"
        for one in detail.earlier
    ]
    lines += _section("before", before)
    if len(readings) > 1 or decided is not None:
        lines += _section("readings", [_reading(one) for one in readings])
    if decided is not None:
        said = f"{decided.verdict}  {decided.reviewer}  {when(decided.at)}  {decided.reason}"
        lines += _section("settled", [said])
    return lines + _section("verdicts", [_event(one) for one in reversed(detail.events)] or ["none yet"])


def _evidence(detail: CaseDetail) -> list[str]:
    record = detail.record
    expected = set(record.expected_ids or ())
    cited = {one.id for one in detail.citations if one.valid}
    texts = {one.id: one.text for one in record.evidence or () if one.text}
    lines = []
    for rank, document in enumerate(record.retrieved or (), 1):
        score = "" if document.score is None else f"{document.score:g}"
        marks = ("expected" if document.id in expected else "", "cited" if document.id in cited else "")
        head = "  ".join(part for part in (str(rank), document.id, score, *marks) if part)
        text = document.text or texts.get(document.id)
        lines.append(f"{head}  {text}" if text else head)
    retrieved = set(record.retrieved_ids or ())
    missing = [one for one in dict.fromkeys(record.expected_ids or ()) if one not in retrieved]
    how = "expected, not retrieved" if record.retrieved is not None else "expected, retrieved not recorded"
    return lines + [f"-  {one}  {how}" for one in missing]


def _reading(reading: Reading) -> str:
    stale = "the record has changed since" if reading.stale else ""
    parts = [
        reading.verdict,
        reading.reviewer,
        when(reading.at),
        ", ".join(reading.labels),
        reading.note,
        stale,
    ]
    return "  ".join(part for part in parts if part)


def _event(event: Event) -> str:
    said = [event.verdict or "", ", ".join(event.labels or ()), event.note or "", event.reason or ""]
    where = f"in {event.sample}" if event.sample is not None else ""
    took = "" if event.seconds is None else f"{event.seconds:.0f} s"
    head = f"{event.kind} {'; '.join(part for part in said if part)}"
    parts = [head, event.reviewer, when(event.at), where, took, "undone" if event.undone else ""]
    return "  ".join(part for part in parts if part)


def _section(label: str, texts: list[str]) -> list[str]:
    """Texts behind a label, each on lines of its own, long ones broken at the terminal's edge."""
    lines: list[str] = []
    space = room()
    for text in texts:
        for line in plain(text).split("\n"):
            lines += [line] if space is None else broken(line, max(20, space - 12))
    return [f"{label if not index else '':<10}{line}".rstrip() for index, line in enumerate(lines)]
