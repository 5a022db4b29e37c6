"""`triage db check`, `backup`, `compact`: the database file itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from triage.cli.options import db_option, format_option
from triage.cli.output import emit, emit_json, say, table
from triage.cli.session import Session
from triage.errors import UsageError

FAULTY = 1
"""Exit code where the database has faults."""


def size(count: int) -> str:
    """Bytes as people say them: `512 bytes`, `1.5 MB`."""
    if count < 1000:
        return f"{count} bytes"
    value = float(count)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.95:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"


@click.group(
    "db",
    invoke_without_command=True,
    short_help="Check, back up or compact the database.",
    epilog="Example: triage db check",
)
@db_option
@click.pass_context
def db_command(ctx: click.Context, /, **given: Any) -> None:
    """Look after the database file: is it whole, a copy of it, its size."""
    if ctx.invoked_subcommand is None:
        raise UsageError("which?", "triage db", "check, backup or compact")
    root = ctx.find_root()
    root.obj = {**(root.obj or {}), **{key: value for key, value in given.items() if value is not None}}


@db_command.command("check", epilog="Example: triage db check --repair")
@click.option("--repair", is_flag=True, help="Mend what can be derived from the rest; no verdict is touched.")
@db_option
@format_option("table", "json")
def check_command(repair: bool, format: str, **given: Any) -> int:
    """Is the database whole? Exit code 1 where something is wrong with it.

    Looks at the file as SQLite does, and at what triage knows: every verdict, label and note is what its
    history adds up to, every run has all its records and measures, nothing is left over.
    """
    found = Session(given).workspace.upkeep.check(repair=repair)
    if format == "json":
        emit_json(msgspec.to_builtins(found) | {"ok": not found.faults})
    else:
        counts = ((found.runs, "runs"), (found.cases, "cases"), (found.events, "review events"))
        emit(
            f"{found.database}  schema {found.schema}  {size(found.size)}  "
            + ", ".join(f"{'?' if count is None else count} {what}" for count, what in counts)
        )
        for line in table(("", ""), [("mended", said) for said in found.mended]):
            emit(line)
        rows = [("error", fault.says, fault.hint) for fault in found.faults]
        for line in table(("", "", ""), rows):
            emit(line)
        for remark in found.remarks:
            emit(f"note   {remark}")
        emit("nothing is wrong" if not found.faults else f"{len(found.faults)} wrong")
    return FAULTY if found.faults else 0


@db_command.command("backup", epilog="Example: triage db backup ~/triage-before-the-review.db")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@db_option
@format_option("table", "json")
def backup_command(file: Path | None, force: bool, format: str, **given: Any) -> int:
    """Copy the database to FILE while others may write; default: beside it, dated."""
    made = Session(given).workspace.upkeep.backup(file, overwrite=force)
    if format == "json":
        emit_json(msgspec.to_builtins(made))
    else:
        emit(made.path)
        say(f"{size(made.size)}; open it with --db")
    return 0


@db_command.command("compact", epilog="Example: triage db compact")
@db_option
@format_option("table", "json")
def compact_command(format: str, **given: Any) -> int:
    """Remove what was left behind, and give the room of removed runs back to the disk."""
    made = Session(given).workspace.upkeep.compact()
    if format == "json":
        emit_json(msgspec.to_builtins(made))
    else:
        left = f"; {made.removed} unfinished loads removed" if made.removed else ""
        emit(f"{size(made.before)} before, {size(made.after)} now{left}")
    return 0
