"""`triage runs`, `baseline`, `remove`: the loaded runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click
from msgspec.structs import replace

from triage.cli.options import db_option, format_option
from triage.cli.output import GAP, emit, emit_json, room, say, table
from triage.cli.session import Session
from triage.cli.words import decimals, share_of, when
from triage.metrics.registry import BY_KEY
from triage.models import shapes
from triage.models.run import configuration
from triage.models.run_list import RunEntry
from triage.plain import one_line, width
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


class _Column(NamedTuple):
    """A column of the table; on a narrow terminal those with the highest `rank` are left out."""

    head: str
    rank: int
    cells: list[str]
    right: bool = False


def _columns(entries: Sequence[RunEntry]) -> list[_Column]:
    runs = [entry.run for entry in entries]
    ks = {run.k for run in runs}
    k = str(ks.pop()) if len(ks) == 1 else "k"
    sets = [" v".join(part for part in (run.dataset, run.dataset_version) if part) for run in runs]
    rejected = [share_of(run.rejected, run.records + run.rejected) for run in runs]
    done = [share_of(one.figures.triaged, one.figures.failing) if one.figures else "" for one in entries]
    baselines = [(one.run.baseline or "") + (" pinned" if one.pinned else "") for one in entries]
    made = [
        _Column("run", 0, [run.id for run in runs]),
        _Column("created", 5, [when(run.created_at) for run in runs]),
        _Column("test set", 3, sets),
        _Column("kb", 2, [run.kb_version or "" for run in runs]),
        _Column("retrieval", 9, [configuration(run, run.k) for run in runs]),
        _Column("k", 8, [str(run.k) for run in runs], right=True),
        _Column("records", 1, [str(run.records) for run in runs], right=True),
        _Column("rejected", 4, rejected, right=True),
        _Column("size", 10, [file_size(run.size) for run in runs], right=True),
        _Column("revision", 10, [str(run.revision) for run in runs], right=True),
    ]
    for key in headlines(entries):
        values = [value_of(entry, key) for entry in entries]
        texts = ["" if value is None else decimals(value) for value in values]
        made.append(_Column(BY_KEY[key].short.replace("{k}", k), 2, texts, right=True))
    made += [
        _Column("failing", 1, [str(one.figures.failing) if one.figures else "" for one in entries], True),
        _Column("triaged", 6, done, right=True),
        _Column("baseline", 7, baselines),
    ]
    if any(entry.present is False for entry in entries):
        made.append(_Column("file", 4, ["gone" if entry.present is False else "" for entry in entries]))
    return made


def _table(entries: Sequence[RunEntry]) -> list[str]:
    columns = _columns(entries)
    space = room()
    while space is not None and len(columns) > 3 and _cells(columns) > space:
        columns.remove(max(columns, key=lambda column: column.rank))
    right = frozenset(at for at, column in enumerate(columns) if column.right)
    rows = list(zip(*(column.cells for column in columns), strict=True))
    return table([column.head for column in columns], rows, right=right)


def _cells(columns: Sequence[_Column]) -> int:
    # `table` gives its last column eight cells at least, and keeps one free.
    widths = (max(width(one_line(text)) for text in (one.head, *one.cells)) for one in columns)
    *firsts, last = widths
    return sum(firsts) + max(last, 8) + len(GAP) * len(firsts) + 1


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
