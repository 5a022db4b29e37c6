"""`triage runs`, `baseline`, `remove`: the loaded runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from msgspec.structs import replace

from triage.cli.options import db_option, format_option
from triage.cli.output import emit, emit_json, say, table
from triage.cli.session import Session
from triage.cli.words import decimals, share_of, when
from triage.metrics.registry import BY_KEY
from triage.models import shapes
from triage.models.run import configuration
from triage.models.run_list import RunEntry
from triage.workspace.run_list import file_size, headlines, value_of


@click.command("runs", short_help="List the loaded runs.", epilog="Example: triage runs --format json")
@db_option
@format_option("table", "json")
def runs_command(format: str, **given: Any) -> int:
    """List the loaded runs, newest first, with the first recorded metric of each panel."""
    entries = Session(given).workspace.run_list.all_measured()
    if format == "json":
        emit_json({"runs": [_as_json(entry) for entry in entries]})
    elif entries:
        for line in _table(entries):
            emit(line)
    if not entries:
        say("no runs: load one with triage ingest FILE")
        return 1
    return 0


def _as_json(entry: RunEntry) -> dict[str, Any]:
    run, figures = entry.run, entry.figures
    metrics = figures.metrics if figures is not None else {}
    return {
        **shapes.run(replace(run, metrics=metrics)),
        "dataset_version": run.dataset_version,
        "loaded_at": run.loaded_at,
        "size": run.size,
        "file_present": entry.present,
        "field_problems": run.field_problems,
        "pinned": entry.pinned,
        "notes": run.notes,
        "failing": figures.failing if figures is not None else None,
        "triaged": figures.triaged if figures is not None else None,
        "reviewed": figures.reviewed if figures is not None else None,
        "verdicts": figures.verdicts if figures is not None else {},
    }


def _table(entries: Sequence[RunEntry]) -> list[str]:
    keys = headlines(entries)
    ks = {entry.run.k for entry in entries}
    k = str(ks.pop()) if len(ks) == 1 else "k"
    heads = ["run", "created", "test set", "kb", "retrieval", "k", "records", "rejected", "size", "revision"]
    titles = [BY_KEY[key].short.replace("{k}", k) for key in keys]
    ends = ["failing", "triaged", "baseline", "file"]
    rows = []
    for entry in entries:
        run, figures = entry.run, entry.figures
        values = [value_of(entry, key) for key in keys]
        rows.append(
            [
                run.id,
                when(run.created_at),
                " v".join(part for part in (run.dataset, run.dataset_version) if part),
                run.kb_version or "",
                configuration(run, run.k),
                str(run.k),
                str(run.records),
                share_of(run.rejected, run.records + run.rejected),
                file_size(run.size),
                str(run.revision),
                *("" if value is None else decimals(value) for value in values),
                str(figures.failing) if figures is not None else "",
                share_of(figures.triaged, figures.failing) if figures is not None else "",
                (run.baseline or "") + (" pinned" if entry.pinned else ""),
                "gone" if entry.present is False else "",
            ]
        )
    count = len(heads) + len(keys)
    numbers = frozenset({5, 6, 7, 8, 9, *range(len(heads), count + 2)})
    if all(entry.present is not False for entry in entries):
        ends, rows = ends[:-1], [row[:-1] for row in rows]
    return table([*heads, *titles, *ends], rows, right=numbers)


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
