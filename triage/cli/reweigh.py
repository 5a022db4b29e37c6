"""`triage reweigh`: the rules' confidence by people's verdicts, proposed, and written where asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from triage.cli.options import db_option, format_option, load_options
from triage.cli.output import emit, emit_json, say, sentence, table
from triage.cli.session import Session
from triage.cli.words import decimals
from triage.errors import UsageError
from triage.models.reweigh import LEAST_VERDICTS, PRIOR, Reweigh, Weight
from triage.settings.kinds import toml, toml_key

_HERE = "."
_HOW = (
    f"proposed: (agree + {PRIOR} x fixed) / (n + {PRIOR}), from {LEAST_VERDICTS} verdicts on; "
    "it says how often the rule is right where it speaks, not what it misses"
)
_WHY = {"disputed": "disputed", "stale": "changed since the verdict", "silent": "with nothing suggested"}


@click.command(
    "reweigh",
    short_help="Weigh the rules' confidence by people's verdicts.",
    epilog="Example: triage reweigh --write ./triage.toml",
)
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--write",
    "target",
    is_flag=False,
    flag_value=_HERE,
    metavar="[FILE]",
    help="Write the proposals into the nearest triage.toml, or into FILE.",
)
@db_option
@load_options
@format_option("table", "json")
def reweigh_command(runs: tuple[str, ...], target: str | None, format: str, **given: Any) -> int:
    """Hold each rule's confidence against the verdicts on its suggestions, of RUN... (default: all runs).

    Prints what would hold, and the lines for a settings file; nothing is changed without --write.
    """
    from triage.workspace.reweighing import in_effect, settings_file, table_in, write

    if target is not None and target != _HERE and Path(target).suffix != ".toml":
        raise UsageError("--write takes a settings file", target, "its name ends with .toml")
    path = settings_file() if target in (None, _HERE) else Path(target)
    session = Session(given)
    found = session.workspace.reweighing.proposal([session.run(run).id for run in runs])
    if format == "json":
        emit_json(reweigh_json(found))
    else:
        for line in reweigh_lines(found, table_in(path)):
            emit(line)
    if target is None:
        return session.exit_code
    if not found.proposed:
        kept = "stays as it is" if path.exists() else "is not made"
        say(f"{path} {kept}: nothing is proposed that would change anything")
        return session.exit_code
    write(found, path)
    say(f"wrote {path}: {', '.join(_change(each) for each in found.weights if each.changes)}")
    for one in found.turned:
        say(f"{one.run}: {_turned(one.no_longer, one.newly)}")
    if not in_effect(path):
        say(f"{path} does not hold here: triage reads {settings_file()}")
        return session.exit_code
    say("cases are judged anew when a run is next opened; an app that is open takes it at once")
    return session.exit_code


def reweigh_json(found: Reweigh) -> dict[str, Any]:
    """The proposal as JSON."""
    return {
        "runs": list(found.runs),
        "failing_confidence": found.least,
        "rules": {
            each.reason: {
                "n": each.n,
                "agree": each.agree,
                "interval": None if each.interval is None else list(each.interval),
                "fixed": each.fixed,
                "holds": each.holds,
                "proposed": each.proposed,
            }
            for each in found.weights
        },
        "left_out": found.left_out,
        "turned": [
            {"run": one.run, "no_longer_failing": one.no_longer, "newly_failing": one.newly}
            for one in found.turned
        ],
        "confidence": found.proposed,
    }


def reweigh_lines(found: Reweigh, name: Sequence[str] = ("confidence",)) -> list[str]:
    """The table, what it would turn, and the lines of TOML under the `name` of their table."""
    runs = "1 run" if len(found.runs) == 1 else f"{len(found.runs)} runs"
    verdicts = sum(each.n for each in found.weights)
    out = [f"left out: {count} {_WHY[why]}" for why, count in found.left_out.items()]
    lines = [sentence(f"{verdicts} verdicts on suggestions of {runs}", *out)]
    if not found.weights:
        return [*lines, "nothing to weigh: no suggestion has a verdict yet"]
    heads = ["rule", "n", "agree", "share", "interval", "fixed", "holds", "proposed", ""]
    lines += [
        "",
        *table(
            heads,
            [_row(each, found.least) for each in found.weights],
            right=frozenset(range(1, 8)),
            spare=(3, 4, 5),
        ),
    ]
    lines += ["", _HOW]
    for one in found.turned:
        lines.append(f"{one.run}: {_turned(one.no_longer, one.newly)}")
    if not found.proposed:
        return [*lines, "nothing is proposed that would change anything"]
    lines += ["", f"[{'.'.join(name)}]"]
    return lines + [f"{toml_key(reason)} = {toml(value)}" for reason, value in found.proposed.items()]


def _row(each: Weight, least: float) -> list[str]:
    interval = "" if each.interval is None else f"[{each.interval[0]:.2f}, {each.interval[1]:.2f}]"
    if each.proposed is None:
        word = "too few"
    elif not each.changes:
        word = "as it is"
    elif (each.proposed >= least) is not (each.holds >= least):
        word = f"crosses {least:g}"
    else:
        word = ""
    proposed = "" if each.proposed is None else f"{each.proposed:.2f}"
    return [
        each.reason, str(each.n), str(each.agree), decimals(each.agree / each.n), interval,
        f"{each.fixed:.2f}", f"{each.holds:.2f}", proposed, word,
    ]  # fmt: skip


def _change(each: Weight) -> str:
    return f"{each.reason} {each.holds:.2f} to {each.proposed:.2f}"


def _turned(no_longer: int, newly: int) -> str:
    parts = []
    if no_longer:
        parts.append(f"{no_longer} {'case' if no_longer == 1 else 'cases'} would fail no longer")
    if newly:
        parts.append(f"{newly} {'case' if newly == 1 else 'cases'} would fail newly")
    return ", ".join(parts)
