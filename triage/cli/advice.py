"""The report's advice: what falls short going down the layers, and what to try first."""

from __future__ import annotations

import shlex
from typing import Any

from triage.models.advice import Advice, Counsel
from triage.plain import one_line

_TITLE = "what to try first, layer by layer (held against reference values, not pass marks)"
_LAYER = 16
"""Cells of the layer's column: the longest name and its gap."""


def advice_json(counsel: Counsel) -> list[dict[str, Any]]:
    """The lines as cli.md's `advice` has them; `first` marks where to begin."""
    return [
        {
            "signal": line.signal,
            "layer": line.layer,
            "value": line.value,
            "said": line.said,
            "try_first": line.try_first,
            "watch": line.watch,
            "first": line.first,
            "query": line.query,
            "cases": line.cases,
        }
        for line in counsel.lines
    ]


def advice_lines(counsel: Counsel) -> list[str]:
    """The lines for people; what nothing is recorded for is named, and never called fine."""
    out = ["", _TITLE]
    for line in counsel.lines:
        out += _lines(line)
    if not counsel.lines:
        out.append("  nothing that is recorded falls short of its reference")
    if counsel.untold:
        out.append(f"  not recorded, so nothing is told of: {', '.join(counsel.untold)}")
    return out


def _lines(line: Advice) -> list[str]:
    lead = "> " if line.first else "  "
    indent = "  " + " " * _LAYER
    query = one_line(shlex.quote(line.query))
    noun = "case" if line.cases == 1 else "cases"
    return [
        f"{lead}{line.layer.ljust(_LAYER)}{line.signal}: {line.said}",
        f"{indent}try first  {line.try_first}",
        f"{indent}watch      {line.watch}",
        f"{indent}{line.cases:,} {noun}, --filter {query}",
    ]
