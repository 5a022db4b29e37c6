"""`triage report`: the metrics of a run, and what fails in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from triage.cli.advice import advice_json, advice_lines
from triage.cli.beside import (
    Beside,
    beside_all,
    beside_json,
    beside_lines,
    gathered,
    repeats_json,
    repeats_option,
    tables_json,
)
from triage.cli.corrected import (
    corrected_beside,
    corrected_json,
    corrected_line,
    tell_unreviewed,
    unreviewed,
)
from triage.cli.health import health_json, health_lines
from triage.cli.options import db_option, filter_options, format_option, k_option, load_options
from triage.cli.output import emit, emit_json, say, sentence, table
from triage.cli.session import Session
from triage.cli.slices import Sliced, slice_options, sliced, slices_json, slices_lines
from triage.cli.words import basis, decimals, interval, scope_of, share_of
from triage.metrics.metric import PANELS, Metric
from triage.metrics.registry import METRICS, panel
from triage.models import shapes
from triage.models.advice import Counsel
from triage.models.case import RunView
from triage.models.health import Health
from triage.models.query import Scope
from triage.models.review_report import Corrected
from triage.models.run import RunSummary
from triage.models.slices import FAILING

CONDITION_HOLDS = 4
"""Exit code where a `--fail-on` condition holds."""
FEW = 5
"""Metrics without a case that are named; more are counted."""


def report_json(
    run: RunSummary,
    view: RunView,
    counsel: Counsel,
    beside: Beside,
    health: Health,
    by: Sliced | None = None,
    corrected: Corrected | None = None,
) -> dict[str, Any]:
    """The report as cli.md fixes it."""
    further = beside_json(view.metrics, beside)
    return {
        "run": shapes.run(run),
        "k": view.k,
        "cases": view.matching,
        "failing": view.failing,
        "reviewed": view.reviewed,
        "metrics": {
            metric.key: {
                **shapes.metric(
                    view.metrics[metric.key],
                    title=metric.titled(view.k),
                    higher_is_better=metric.higher_is_better,
                    tells=metric.tells,
                    does_not_tell=metric.does_not_tell,
                ),
                **further.get(metric.key, {}),
            }
            for metric in METRICS
        },
        "corrected": corrected_json(corrected, view.k),
        **({"slices": {}} if by is None else slices_json(by)),
        "classes": dict(view.classes),
        "verdicts": dict(view.verdicts),
        "advice": advice_json(counsel),
        "tables": tables_json(beside.tables),
        "health": health_json(health),
        "repeats": repeats_json(beside.repeats),
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


def report_lines(
    run: RunSummary, view: RunView, selection: str = "", corrected: Corrected | None = None
) -> list[str]:
    """The report for people: metrics by panel with what stands behind each, then what fails."""
    lines = _head(run, view, selection) + corrected_line(corrected)
    titles = {metric.key: metric.titled(view.k) for metric in METRICS}
    for name in PANELS:
        metrics = panel(name)
        shown = [metric for metric in metrics if view.metrics[metric.key].value is not None]
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
        keys = [metric.key for metric in shown]
        heads, rows, right = corrected_beside(rows, keys, corrected, frozenset({1, 4}))
        lines += table(heads, rows, right=right, indent="  ")
        empty = [metric for metric in metrics if metric not in shown]
        if empty:
            lines.append("  n/a: " + _empty(empty, view))
        lines += beside_lines(view.metrics, titles, [metric.key for metric in metrics])
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


def _empty(metrics: Sequence[Metric], view: RunView) -> str:
    """The metrics without a value: those that miss something by name, the rest too where they are few."""
    told = [f"{one.titled(view.k)} (missing {n})" for one in metrics if (n := view.metrics[one.key].missing)]
    rest = [one.titled(view.k) for one in metrics if not view.metrics[one.key].missing]
    if len(rest) > FEW:
        rest = [f"{len(rest)} {'more ' if told else ''}that no case has anything for"]
    return ", ".join(told + rest)


def print_report(
    session: Session,
    run: RunSummary,
    scope: Scope,
    format: str,
    dimensions: Sequence[str] = (),
    metric: str = FAILING,
    repeats: str | None = None,
) -> RunView:
    """Write the report of a scope to standard output, sliced by the dimensions that are asked for.

    `repeats` names the runs that repeat the run, as `--repeats` does.
    """
    session.check(run)
    if session.settings.confidence:
        rules = ", ".join(f"{name} {value:g}" for name, value in session.settings.confidence.items())
        say(f"judged by the confidences of your settings: {rules}")
    view = session.workspace.run_view(scope)
    by = sliced(session.workspace, scope, dimensions, metric, format)
    counsel = session.workspace.advising.of(scope)
    beside = gathered(session, scope, repeats)
    health = session.workspace.reporting.health(run.id, scope.k)
    corrected = session.workspace.reviewing.corrected(scope) if view.verdicts.get("test-set") else None
    if format == "json":
        emit_json(
            report_json(session.workspace.with_metrics(run), view, counsel, beside, health, by, corrected)
        )
    else:
        lines = report_lines(run, view, scope.text, corrected) + beside_all(beside)
        # A selection is no test set.
        lines += [] if scope.text else health_lines(health)
        for line in (*lines, *slices_lines(by), *advice_lines(counsel)):
            emit(line)
    return view


@click.command(
    "report",
    short_help="Metrics of a run, and what fails.",
    epilog="Example: triage report kb42 --filter 'topic:refund' --format json",
)
@click.argument("run", required=False)
@k_option
@slice_options
@filter_options
@repeats_option
@click.option(
    "--fail-on",
    "conditions",
    multiple=True,
    type=click.Choice(["unreviewed-high-risk"]),
    help="Exit with 4 where a case that the must_review rules select (default: high risk) has no verdict.",
)
@db_option
@load_options
@format_option("table", "json")
def report_command(
    run: str | None,
    k: int | None,
    query: str,
    text: str | None,
    dimensions: tuple[str, ...],
    metric: str,
    repeats: str | None,
    conditions: tuple[str, ...],
    format: str,
    **given: Any,
) -> int:
    """Print the metrics of RUN (default: the latest), and how many cases fail in which layer."""
    session = Session(given)
    chosen = session.run(run)
    scope = scope_of(chosen, query, text, k)
    session.check(chosen)
    # Asked first, because a rule that is no filter is an error of the call, and prints nothing.
    missing = unreviewed(session, scope) if conditions else []
    print_report(session, chosen, scope, format, dimensions, metric, repeats)
    tell_unreviewed(missing)
    return CONDITION_HOLDS if missing else session.exit_code
