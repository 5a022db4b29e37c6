"""Words of the command line as scopes and cases, and numbers and times as its tables show them."""

from __future__ import annotations

from datetime import datetime

from triage.errors import UsageError
from triage.models.measure import MetricValue
from triage.models.query import Scope
from triage.models.run import RunSummary


def decimals(value: float | None) -> str:
    """A metric's value with 4 decimals, `n/a` where there is none (metrics.md section 0)."""
    return "n/a" if value is None else f"{value:.4f}"


def count(number: float) -> str:
    """A count or a sum, without decimals it does not need."""
    return f"{number:.4f}".rstrip("0").rstrip(".")


def share_of(part: int, whole: int) -> str:
    """`2 of 120`, or nothing where nothing was rejected."""
    return f"{part} of {whole}" if part else ""


def basis(metric: MetricValue) -> str:
    """What stands behind a value: `(7/8, missing 0, inferred 2)`."""
    parts = []
    if metric.numerator is not None and metric.denominator is not None:
        parts.append(f"{count(metric.numerator)}/{count(metric.denominator)}")
    parts.append(f"missing {metric.missing}")
    if metric.inferred:
        parts.append(f"inferred {metric.inferred}")
    return f"({', '.join(parts)})"


def interval(metric: MetricValue) -> str:
    """The 95 % interval of a share."""
    return "" if metric.interval is None else f"[{metric.interval[0]:.4f}, {metric.interval[1]:.4f}]"


def when(stamp: str) -> str:
    """A UTC time as local `2026-11-28 10:41`."""
    try:
        time = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    return time.astimezone().strftime("%Y-%m-%d %H:%M")


def run_and_case(words: tuple[str, ...], usage: str, beyond: int = 0) -> tuple[str | None, str, list[str]]:
    """Split `[RUN] CASE WORD...` by the count of words: RUN, CASE, and the `beyond` words that follow them.

    Raises:
        UsageError: too few or too many words.
    """
    if len(words) == beyond + 1:
        return None, words[0], list(words[1:])
    if len(words) == beyond + 2:
        return words[0], words[1], list(words[2:])
    raise UsageError("wrong number of words", f"triage {usage}", f"triage {usage.split()[0]} --help")


def scope_of(
    run: RunSummary, query: str, text: str | None, k: int | None = None, sort: str = "file"
) -> Scope:
    """The scope that `--filter`, `--text`, `--k` and `--sort` name; every case, in file order, by default."""
    literal = text is not None
    return Scope(run.id, k=k, text=text if text is not None else query, literal=literal, sort=sort)
