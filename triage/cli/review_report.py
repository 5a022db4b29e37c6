"""What a run's review says in the end, printed: `triage review --report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.cli.output import emit, emit_json, sentence, table
from triage.cli.words import decimals
from triage.metrics.registry import BY_KEY
from triage.plain import one_line
from triage.review.telling import (
    NO_TOPIC,
    as_json,
    changed,
    read_of,
    read_said,
    rule_said,
    short_rate,
    spoken_for,
)
from triage.workspace.reviews import counted

if TYPE_CHECKING:
    from triage.cli.session import Session
    from triage.models.review_report import ReviewReport
    from triage.models.run import RunSummary

INDENT = "  "


def print_review_report(
    session: Session, run: RunSummary, sample: str | None = None, format: str = "table"
) -> ReviewReport:
    """Write the review report of a run to standard output.

    Args:
        session: whose workspace answers.
        run: the run.
        sample: one of its samples by name; None: the newest one, else all verdicts of the run.
        format: `table`, `markdown` or `json`.

    Raises:
        TriageError: the run has no such sample.
        UsageError: a must-review rule is no filter.
    """
    session.check(run)
    report = session.workspace.reviewing.report(run.id, sample)
    if format == "json":
        emit_json(as_json(report))
    elif format == "markdown":
        emit(session.workspace.reviewing.markdown(report).rstrip("\n"))
    else:
        for line in report_lines(report):
            emit(line)
    return report


def report_lines(report: ReviewReport) -> list[str]:
    """The report for people, line by line."""
    lines = _head(report)
    if report.must:
        # What is missing is named, so it is not cut as a table's last column would be.
        lines += ["", "must be reviewed", *(INDENT + one_line(rule_said(rule)) for rule in report.must)]
    if report.topics:
        rows = [
            [
                one.topic or NO_TOPIC,
                "high risk" if one.high_risk else "",
                read_of(one),
                str(one.failing),
                short_rate(one.rate) if report.rate is not None else "",
            ]
            for one in report.topics
        ]
        heads = ["by topic", "", "read", "failing", "failure rate (95 %)" if report.rate is not None else ""]
        lines += ["", *table(heads, rows, right=frozenset({2, 3}))]
    verdicts = [[name, str(len(ids))] for name, ids in report.verdicts.items()]
    if verdicts:
        lines += ["", "verdicts", *table(["", ""], verdicts, right=frozenset({1}), indent=INDENT)]
    found = report.saturation
    if found.read:
        lines += ["", "saturation", INDENT + sentence(found.said)]
        rows = [
            [
                f"{one.first} to {one.last}",
                ", ".join(one.labels) or "none",
                ", ".join(one.reasons) or "none",
            ]
            for one in found.windows
        ]
        lines += table(["read", "new labels", "new sub-reasons"], rows, indent=INDENT, whole=True)
    if report.mistakes:
        lines += ["", f"mistakes of the test set: {len(report.mistakes)}"]
        rows = [[one.case_id, ", ".join(one.labels), one.note or one.query] for one in report.mistakes]
        lines += table(["", "", ""], rows, indent=INDENT, whole=True)
    return lines + _corrected(report)


def _head(report: ReviewReport) -> list[str]:
    if report.sample is None:
        first = sentence(report.run, counted(report.cases), "no sample")
    else:
        drawn = f"drawn from {report.population} of {report.cases} cases"
        first = sentence(report.run, f"sample {report.sample}", drawn, f"seed {report.seed}")
    lines = [first]
    if report.text:
        lines.append(sentence(f"under the filter {report.text}"))
    readers = ", ".join(f"{name} {count}" for name, count in report.read.reviewers.items())
    pace = "" if report.read.seconds is None else f"median {report.read.seconds:.0f} s a reading"
    lines.append(sentence(read_said(report), f"by {readers}" if readers else "", pace))
    if report.rate is not None:
        lines += ["", sentence(report.rate.said, spoken_for(report.rate, report.population))]
    else:
        lines += ["", sentence(f"no failure rate: {report.why_none}")]
    lines += [INDENT + sentence(remark) for remark in report.remarks]
    if report.others:
        lines.append(INDENT + sentence(f"other samples of this run: {', '.join(report.others)}"))
    return lines


def _corrected(report: ReviewReport) -> list[str]:
    if report.corrected is None:
        return []
    rows = [
        [BY_KEY[key].titled(report.k), decimals(raw.value), decimals(fixed.value)]
        for key, raw, fixed in changed(report.raw, report.corrected)
    ]
    heads = [f"without {report.corrected.left_out} of the test set's mistakes", "raw", "corrected"]
    return ["", *table(heads, rows, right=frozenset({1, 2}))]
