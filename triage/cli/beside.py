"""What a report prints beside its metrics: companions, tables of two things, repeated samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from triage.cli.output import table
from triage.errors import UsageError
from triage.metrics.companions import companions
from triage.models.measure import MetricValue
from triage.models.tables import CountTable, CurvePoint, Repeats, Tables

if TYPE_CHECKING:
    from triage.cli.session import Session
    from triage.models.query import Scope

FLAKY_SHOWN = 10
"""Flaky cases that are named in the table."""


repeats_option = click.option(
    "--repeats",
    metavar="RUN,...",
    help="Runs of the same cases: pass@k and pass^k over all of them.",
)


class Beside(NamedTuple):
    """Tables, the curve of attempts with the k of its metrics, and runs taken as repeats, where asked for."""

    tables: Tables
    curve: tuple[CurvePoint, ...]
    pass_k: int | None
    repeats: Repeats | None


def gathered(session: Session, scope: Scope, repeats: str | None) -> Beside:
    """What stands beside a scope's metrics; `repeats` is what `--repeats` names, files are loaded first.

    Raises:
        UsageError: no run is named, or one twice.
        TriageError: no such run, or it is of another test set.
    """
    asked = session.workspace.reporting
    found = None
    if repeats is not None:
        named = [word.strip() for word in repeats.split(",") if word.strip()]
        if not named:
            raise UsageError("--repeats names no run", "", "--repeats RUN,RUN")
        found = asked.repeats(scope, [session.run(word).id for word in named])
    return Beside(asked.tables(scope), asked.curve(scope), asked.pass_k(scope), found)


def beside_all(beside: Beside) -> list[str]:
    """Curve, tables and repeats for people."""
    title = f"repeated attempts: the metrics' k is {beside.pass_k}"
    curve = curve_lines(beside.curve, title) if len(beside.curve) > 1 else []
    return curve + tables_lines(beside.tables) + (repeats_lines(beside.repeats) if beside.repeats else [])


def beside_json(metrics: Mapping[str, MetricValue], beside: Beside) -> dict[str, dict[str, Any]]:
    """Metric key -> what its entry in `metrics` has beyond a value; over repeated runs, the value too."""
    out: dict[str, dict[str, Any]] = {
        key: {"beside": {"text": companion.text, **companion.values}}
        for key, companion in companions(metrics).items()
    }
    found = beside.repeats
    shown = beside.curve if found is None else found.curve
    for key in ("pass_at_k", "pass_hat_k"):
        if shown or found is not None:
            out[key] = {
                "k": beside.pass_k if found is None else found.k,
                "curve": [{"k": one.k, "value": getattr(one, key), "cases": one.cases} for one in shown],
            }
        if found is not None:
            out[key] |= _over_runs(found, key)
    return out


def _over_runs(found: Repeats, key: str) -> dict[str, Any]:
    value = next((getattr(point, key) for point in found.curve if point.k == found.k), None)
    told = 0 if value is None else found.cases
    return {
        "value": value,
        "numerator": 0.0 if value is None else value * told,
        "denominator": float(told),
        # Fewer runs than k tell nothing of any case.
        "missing": found.unknown + found.cases - told,
        "inferred": 0,
        "interval": None,
    }


def tables_json(tables: Tables) -> dict[str, Any]:
    """The tables by name; one of which nothing is recorded is null."""
    routing, refusal, conflict = tables.routing, tables.refusal, tables.conflict
    return {
        "routing": None if routing is None else {
            **_table_json(routing.table),
            "recall": {
                one.route: {"value": one.right / one.cases, "numerator": one.right, "denominator": one.cases,
                            "few": one.few}
                for one in routing.recalls
            },
        },
        "refusal": None if refusal is None else {
            **_table_json(refusal.table),
            "precision": refusal.precision, "recall": refusal.recall, "f1": refusal.f1,
        },
        "conflict": None if conflict is None else _table_json(conflict),
    }  # fmt: skip


def _table_json(found: CountTable) -> dict[str, Any]:
    return {
        "down": found.down,
        "across": found.across,
        "rows": list(found.rows),
        "columns": list(found.columns),
        "counts": [list(row) for row in found.counts],
        "missing": found.missing,
    }


def repeats_json(found: Repeats | None) -> dict[str, Any] | None:
    """The repeated runs; null where none were asked for."""
    if found is None:
        return None
    return {
        "runs": list(found.runs),
        "k": found.k,
        "cases": found.cases,
        "dropped": found.dropped,
        "unknown": found.unknown,
        "always": found.always,
        "never": found.never,
        "flaky": len(found.flaky),
        "flaky_ids": list(found.flaky),
        "curve": [
            {"k": one.k, "pass_at_k": one.pass_at_k, "pass_hat_k": one.pass_hat_k} for one in found.curve
        ],
    }


def beside_lines(
    metrics: Mapping[str, MetricValue], titles: Mapping[str, str], keys: Sequence[str]
) -> list[str]:
    """The companions of some metrics, a line each."""
    found = companions(metrics)
    return [f"  {titles[key]}: {found[key].text}" for key in keys if key in found]


def tables_lines(tables: Tables) -> list[str]:
    """The tables for people."""
    lines: list[str] = []
    if tables.refusal is not None:
        lines += _lines(tables.refusal.table, ())
    if tables.routing is not None:
        recalls = [f"{one.right}/{one.cases}" + (" few" if one.few else "") for one in tables.routing.recalls]
        lines += _lines(tables.routing.table, recalls)
        if any(one.few for one in tables.routing.recalls):
            lines.append("  few: fewer than 20 cases, too few to tell")
    if tables.conflict is not None:
        lines += _lines(tables.conflict, ())
    return lines


def _lines(found: CountTable, recalls: Sequence[str]) -> list[str]:
    heads = [found.down, *found.columns, *(["right"] if recalls else [])]
    rows = [
        [name, *map(str, counts), *(recalls[at : at + 1])]
        for at, (name, counts) in enumerate(zip(found.rows, found.counts, strict=True))
    ]
    missing = f", {found.missing} not recorded" if found.missing else ""
    title = f"{found.name}: {found.across} across, {found.down} down{missing}"
    right = frozenset(range(1, len(found.columns) + 1))
    return ["", title, *table(heads, rows, right=right, indent="  ")]


def curve_lines(points: Sequence[CurvePoint], title: str) -> list[str]:
    """pass@k and pass^k for each k."""
    if not points:
        return []
    rows = [[str(p.k), f"{p.pass_at_k:.4f}", f"{p.pass_hat_k:.4f}", str(p.cases)] for p in points]
    heads = ["k", "pass@k", "pass^k", "cases"]
    return ["", title, *table(heads, rows, right=frozenset(range(4)), indent="  ")]


NO_OUTCOME = "  n/a: no case has an outcome in all; --map passed=PATH names where it is kept"


def repeats_lines(found: Repeats) -> list[str]:
    """The repeated runs for people: the curve, and how steady the cases are."""
    left = [f"{run} {cases}" for run, cases in found.dropped.items() if cases]
    lines = curve_lines(found.curve, f"repeated runs: {', '.join(found.runs)}")
    lines = lines or ["", f"repeated runs: {', '.join(found.runs)}", NO_OUTCOME]
    lines.append(f"  {found.always} always pass, {found.never} never, {len(found.flaky)} flaky")
    if found.flaky:
        more = len(found.flaky) - FLAKY_SHOWN
        shown = ", ".join(found.flaky[:FLAKY_SHOWN]) + (f" and {more} more" if more > 0 else "")
        lines.append(f"  flaky: {shown}")
    if found.unknown:
        lines.append(f"  left out: {found.unknown} without an outcome in some run")
    if left:
        lines.append(f"  dropped, not in all runs: {', '.join(left)}")
    return lines
