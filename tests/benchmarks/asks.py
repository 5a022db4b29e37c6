"""Run as a child: how long the first page of a filter, a sort and a search takes, printed as JSON.

`python asks.py DATABASE ROUNDS`: {kind: [milliseconds, ...]}
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from triage.models.query import Scope
from triage.settings import Settings
from triage.workspace import Workspace

PAGE = 128
KINDS: dict[str, list[dict[str, str]]] = {
    "filter": [
        {"text": text}
        for text in (
            "topic:refund", "is:failing", "suggestion:retrieval", "query_type:synonym",
            "is:unreviewed topic:points", "rank:>2", "faithfulness:<=2", "-topic:refund is:failing",
        )
    ],
    "sort": [
        {"sort": sort}
        for sort in ("", "file", "id", "topic", "rank", "-latency_ms", "mrr", "confidence")
    ],
    "search of two characters and more": [
        {"text": text}
        for text in ("退款", "审核", "客服", "地址", "年底清零", "订货", "refund", "warehouse", "kangaroo")
    ],
    "search of one character or a part of a word": [
        {"text": text} for text in ("退", "客", "鑫", "arehous", "efun", "xyzzy")
    ],
}  # fmt: skip


SLICES = ("topic", "query_type", "answerable", "reason", "latency_ms", "scores.faithfulness")
EVERY = "latency_ms:>=0"
"""A filter that all cases pass, so that the panels under it are counted over all of them."""


def first_page(workspace: Workspace, scope: Scope) -> float:
    """Milliseconds until the keys of a list and the rows of its first page are there."""
    start = time.perf_counter()
    keys = workspace.case_keys(scope)
    workspace.case_rows(scope, list(keys[:PAGE]))
    return (time.perf_counter() - start) * 1e3


def sliced(database: Path, run: str) -> dict[str, float]:
    """Milliseconds that six slicings with every metric take, the first time and again; and what the panels
    take where they have to be counted.
    """
    workspace = Workspace(database, Settings(), reviewer="bench")
    found: dict[str, float] = {}
    for kind, ask in (
        ("counted panels", lambda: workspace.run_view(Scope(run, text=EVERY))),
        ("slices", lambda: workspace.slicing.tables(Scope(run), SLICES)),
        ("slices again", lambda: workspace.slicing.tables(Scope(run), SLICES)),
        ("slices under a filter", lambda: workspace.slicing.tables(Scope(run, text=EVERY), SLICES)),
    ):
        start = time.perf_counter()
        ask()
        found[kind] = (time.perf_counter() - start) * 1e3
    workspace.close()
    return found


def main() -> None:
    """Measure and print."""
    workspace = Workspace(Path(sys.argv[1]), Settings(), reviewer="bench")
    run = workspace.find_run(None).id
    first_page(workspace, Scope(run))
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    found["panels"] = []
    for _ in range(int(sys.argv[2])):
        for kind, asked in KINDS.items():
            found[kind] += [first_page(workspace, Scope(run, **one)) for one in asked]  # type: ignore[arg-type]
        start = time.perf_counter()
        workspace.with_metrics(workspace.find_run(run))
        found["panels"].append((time.perf_counter() - start) * 1e3)
        for kind, milliseconds in sliced(Path(sys.argv[1]), run).items():
            found.setdefault(kind, []).append(milliseconds)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
