"""What a report says of the test set behind a run: size, mix, routes, seeds."""

from __future__ import annotations

from typing import Any

from triage.metrics.health import COMPARE, DEPENDENCE, FEW_DEPENDENT, MATURE, START, UNANSWERABLE
from triage.metrics.tables import ENOUGH
from triage.models.health import Dependence, Health, Seeds
from triage.plain import one_line

NAMED = 10
"""Orphans and routes that are named; more are counted."""
_STAGES = {
    "too few": f"fewer than the {START} to start with",
    "to start": f"enough to start with, {COMPARE} to compare runs by",
    "to compare": f"enough to compare runs by, mature from {MATURE}",
    "mature": "a mature set",
}


def health_json(found: Health) -> dict[str, Any]:
    """The report's `health`; a part of which nothing is recorded is null."""
    share, dependence, seeds = found.unanswerable_share, found.dependence, found.seeds
    return {
        "cases": found.cases,
        "stage": found.stage,
        "unanswerable": None if share is None else {
            "value": share, "numerator": found.unanswerable, "denominator": found.labelled,
            "reference": list(UNANSWERABLE), "fits": found.share_fits,
        },
        "dependence": None if dependence is None else {
            **dependence.cases, "n": dependence.total, "off": list(dependence.off), "few": dependence.few,
        },
        "routes": {"cases": found.routes, "thin": list(found.thin_routes)} if found.routes else None,
        "seeds": None if seeds is None else {
            "seeds": seeds.seeds, "orphans": list(seeds.orphans), "first_failing": seeds.first_failing,
            "holding": seeds.holding,
        },
    }  # fmt: skip


def health_lines(found: Health) -> list[str]:
    """The same for people, a line a mark."""
    lines = ["", "test set (held against marks for a set, not pass marks)"]
    lines.append(f"  size          {found.cases:,} cases: {_STAGES[found.stage]}")
    if (share := found.unanswerable_share) is not None:
        low, high = UNANSWERABLE
        word = "within" if found.share_fits else "below" if share < low else "above"
        counts = f"{found.unanswerable:,}/{found.labelled:,}"
        lines.append(f"  unanswerable  {share:.4f} ({counts}), {word} {low:.2f}-{high:.2f}")
    if found.dependence is not None:
        lines.append(f"  dependence    {_dependence(found.dependence)}")
    if found.routes:
        thin = [f"{one_line(name)} {found.routes[name]}" for name in found.thin_routes]
        said = f"fewer than {ENOUGH} cases: {_named(thin)}" if thin else f"each has {ENOUGH} cases or more"
        lines.append(f"  routes        {said}")
    return lines + (_seeds(found.seeds) if found.seeds is not None else [])


def _dependence(found: Dependence) -> str:
    marks = ":".join(f"{mark * 10:.0f}" for mark in DEPENDENCE.values())
    counts = ", ".join(f"{name} {cases}" for name, cases in found.cases.items())
    off = f"; more than 10 points off: {', '.join(found.off)}" if found.off else ""
    few = f"; n < {FEW_DEPENDENT}, too few to tell" if found.few else ""
    return f"{counts} (mark {marks}){off}{few}"


def _seeds(found: Seeds) -> list[str]:
    parts = [f"{level} {seeds}" for level, seeds in found.first_failing.items()]
    first = f"first fail at {', '.join(parts)}; " if parts else ""
    lines = (
        [f"  seeds         {found.seeds:,}: {first}{found.holding:,} fail at no level"] if found.seeds else []
    )
    if found.orphans:
        named = _named([one_line(case) for case in found.orphans])
        lines.append(f"  orphans       rewrites without a seed_id, mistakes of the test set: {named}")
    return lines


def _named(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
