"""`triage report`: the metrics of a run, and what fails in it."""

from __future__ import annotations

from typing import Any

import click

from triage.cli.advice import advice_json, advice_lines
from triage.cli.options import db_option, filter_options, format_option, k_option, load_options
from triage.cli.output import emit, emit_json, say, sentence, table
from triage.cli.session import Session
from triage.cli.words import basis, decimals, interval, scope_of, share_of
from triage.metrics.metric import PANELS
from triage.metrics.registry import METRICS, panel
from triage.models import shapes
from triage.models.advice import Counsel
from triage.models.case import RunView
from triage.models.query import Scope
from triage.models.run import RunSummary

CONDITION_HOLDS = 4
"""Exit code where a `--fail-on` condition holds."""


def report_json(run: RunSummary, view: RunView, counsel: Counsel) -> dict[str, Any]:
    """The report as cli.md fixes it."""
    return {
        "run": shapes.run(run),
        "k": view.k,
        "cases": view.matching,
        "failing": view.failing,
        "reviewed": view.reviewed,
        "metrics": {
            metric.key: shapes.metric(
                view.metrics[metric.key],
                title=metric.titled(view.k),
                higher_is_better=metric.higher_is_better,
                tells=metric.tells,
                does_not_tell=metric.does_not_tell,
            )
            for metric in METRICS
        },
        "slices": {},
        "classes": dict(view.classes),
        "verdicts": dict(view.verdicts),
        "advice": advice_json(counsel),
    }


def _delta(view: RunView, key: str) -> str:
    base = view.base_metrics.get(key)
    now = view.metrics[key].value
    if base is None or base.value is None or now is None:
        return ""
    change = now - base.value
    return "=" if abs(change) < 5e-5 else f"{change:+.4f}"


def _head(run: RunSummary, view: RunView, selection: str) -> list[str]:
    top = [
        run.id,
        " v".join(part for part in (run.dataset, run.dataset_version) if part),
        run.kb_version or "",
    ]
    top += [f"k {view.k}", run.model or "", f"against {view.baseline}" if view.baseline else ""]
    counts = [
        f"{view.matching} of {view.cases} cases" if selection else f"{view.cases} cases",
        f"{view.failing} failing",
        f"{view.reviewed} reviewed",
    ]
    if run.rejected:
        counts.append(f"{share_of(run.rejected, run.records + run.rejected)} records rejected")
    if run.field_problems:
        counts.append(f"{run.field_problems} field problems")
    lines = [sentence(*top), sentence(*counts)]
    if selection:
        how = "selected on results:" if view.selected_on_results else "selected:"
        lines.append(sentence(how, view.text_said or selection))
    return lines


def report_lines(run: RunSummary, view: RunView, selection: str = "") -> list[str]:
    """The report for people: metrics by panel with what stands behind each, then what fails."""
    lines = _head(run, view, selection)
    for name in PANELS:
        built = [metric for metric in panel(name) if metric.built]
        shown = [metric for metric in built if view.metrics[metric.key].value is not None]
        lines += ["", name]
        rows = [
            [
                metric.titled(view.k),
                decimals(view.metrics[metric.key].value),
                basis(view.metrics[metric.key]),
                interval(view.metrics[metric.key]),
                _delta(view, metric.key),
            ]
            for metric in shown
        ]
        lines += table([""] * 5, rows, right=frozenset({1, 4}), indent="  ")
        empty = [metric for metric in built if metric not in shown]
        if empty:
            told = (_empty(metric.titled(view.k), view.metrics[metric.key].missing) for metric in empty)
            lines.append("  n/a: " + ", ".join(told))
    lines += ["", "failing by suggested class"]
    classes: list[list[str]] = [[name, str(number)] for name, number in view.classes.items()]
    if view.class_free:
        classes.append(["without a class", str(view.class_free)])
    lines += table(["", ""], classes, right=frozenset({1}), indent="  ")
    if view.verdicts:
        lines += ["", "verdicts"]
        rows = [[name, str(number)] for name, number in view.verdicts.items()]
        lines += table(["", ""], rows, right=frozenset({1}), indent="  ")
    return lines


def _empty(title: str, missing: int) -> str:
    return f"{title} (missing {missing})" if missing else title


def print_report(session: Session, run: RunSummary, scope: Scope, format: str) -> RunView:
    """Write the report of a scope to standard output."""
    view = session.workspace.run_view(scope)
    counsel = session.workspace.advising.of(scope)
    if format == "json":
        emit_json(report_json(session.workspace.with_metrics(run), view, counsel))
    else:
        for line in (*report_lines(run, view, scope.text), *advice_lines(counsel)):
            emit(line)
    return view


@click.command(
    "report",
    short_help="Metrics of a run, and what fails.",
    epilog="Example: triage report kb42 --filter 'topic:refund' --format json",
)
@click.argument("run", required=False)
@k_option
@filter_options
@click.option(
    "--fail-on",
    "conditions",
    multiple=True,
    type=click.Choice(["unreviewed-high-risk"]),
    help="Exit with 4 where this holds.",
)
@db_option
@load_options
@format_option("table", "json")
def report_command(
    run: str | None,
    k: int | None,
    query: str,
    text: str | None,
    conditions: tuple[str, ...],
    format: str,
    **given: Any,
) -> int:
    """Print the metrics of RUN (default: the latest), and how many cases fail in which layer."""
    session = Session(given)
    chosen = session.run(run)
    scope = scope_of(chosen, query, text, k)
    print_report(session, chosen, scope, format)
    if conditions:
        waiting = session.workspace.unreviewed_high_risk(scope)
        if waiting:
            say(f"{waiting} high-risk cases have no verdict")
            return CONDITION_HOLDS
    return session.exit_code
