"""`triage runs`, `baseline`, `remove`: the loaded runs."""

from __future__ import annotations

from typing import Any

import click

from triage.cli.options import db_option, format_option
from triage.cli.output import emit, emit_json, say, table
from triage.cli.session import Session
from triage.cli.words import decimals, share_of, when
from triage.metrics.registry import BY_KEY
from triage.models import shapes

HEADLINES = ("hit", "mrr", "refusal_accuracy", "citation_coverage", "faithfulness")
"""Metrics that stand in the table of runs."""


@click.command("runs", short_help="List the loaded runs.", epilog="Example: triage runs --format json")
@db_option
@format_option("table", "json")
def runs_command(format: str, **given: Any) -> int:
    """List the loaded runs, newest first."""
    runs = Session(given).workspace.runs(with_metrics=True)
    if format == "json":
        emit_json({"runs": [shapes.run(run) for run in runs]})
    elif runs:
        keys = [key for key in HEADLINES if any(_has(run.metrics.get(key)) for run in runs)]
        heads = ["run", "created", "test set", "kb", "k", "records", "rejected", "revision", "baseline"]
        rows = [
            [
                run.id,
                when(run.created_at),
                " v".join(part for part in (run.dataset, run.dataset_version) if part),
                run.kb_version or "",
                str(run.k),
                str(run.records),
                share_of(run.rejected, run.records + run.rejected),
                str(run.revision),
                run.baseline or "",
                *(decimals(run.metrics[key].value) if key in run.metrics else "" for key in keys),
            ]
            for run in runs
        ]
        titles = [BY_KEY[key].short.replace("@{k}", "@k") for key in keys]
        numbers = frozenset({4, 5, 6, 7, *range(len(heads), len(heads) + len(keys))})
        for line in table([*heads, *titles], rows, right=numbers):
            emit(line)
    if not runs:
        say("no runs: load one with triage ingest FILE")
        return 1
    return 0


def _has(metric: Any) -> bool:
    return metric is not None and metric.value is not None


@click.command(
    "baseline",
    short_help="Pin a run as the baseline of its test set.",
    epilog="Example: triage baseline kb41",
)
@click.argument("run")
@db_option
def baseline_command(run: str, **given: Any) -> int:
    """Pin RUN as the baseline of its test set: later runs are compared with it."""
    session = Session(given)
    chosen = session.run(run)
    session.workspace.pin_baseline(chosen.id)
    say(f"{chosen.id} is the baseline of {chosen.dataset or 'its test set'}")
    return session.exit_code


@click.command("remove", short_help="Take runs out of the database.", epilog="Example: triage remove kb41")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("--with-reviews", is_flag=True, help="Also delete the verdicts and notes on its cases.")
@db_option
def remove_command(runs: tuple[str, ...], with_reviews: bool, **given: Any) -> int:
    """Take runs out of the database. Verdicts and notes stay, and are there when the run is loaded again."""
    session = Session(given)
    # Every word is looked up before anything goes, so that a slip of the keyboard removes nothing.
    chosen = list(dict.fromkeys(session.loaded_run(word).id for word in runs))
    session.workspace.remove(chosen, with_reviews=with_reviews)
    for run in chosen:
        say(f"removed {run}" + (" with its reviews" if with_reviews else "; its reviews are kept"))
    return 0
