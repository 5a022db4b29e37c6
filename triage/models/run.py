"""Runs, what loading them told, and how far it is."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from triage.models.measure import MetricValue


class Problem(Struct, frozen=True):
    """Something in a run file that could not be used.

    `level` "record" = the record was rejected, "field" = one field counts as not recorded. `line` is the
    physical line in JSONL, the 1-based record number in JSON; None for the file as a whole.
    """

    level: Literal["record", "field"]
    line: int | None
    case: str | None
    field: str | None
    reason: str


class LoadOptions(Struct, frozen=True):
    """How files are to be read: `--map FIELD=PATH`, `--set KEY=VALUE`, `--dedup-docs`."""

    mapping: dict[str, str] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=dict)
    dedup_docs: bool = False


Stage = Literal["reading", "measuring", "indexing", "checking", "done"]


class Progress(Struct, frozen=True):
    """How far the loading of a file is. Bytes of `total` bytes (of the file as stored), records, seconds.

    Of a search index and of a sentence check `path` is the run's id, and cases are counted for bytes.
    """

    path: str
    records: int
    rejected: int
    done_bytes: int
    total_bytes: int
    seconds: float
    stage: Stage = "reading"


class FileReport(Struct, frozen=True):
    """What became of one file (cli.md `ingest`). `records` counts the accepted ones. `grown`: the file only
    got longer, so its run has more cases and no further revision.
    """

    path: str
    format: str | None
    run: str | None
    status: Literal["loaded", "updated", "unchanged", "failed"]
    records: int = 0
    rejected: int = 0
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    revision: int | None = None
    grown: bool = False


class RunSummary(Struct, frozen=True):
    """A loaded run at its newest finished revision.

    `pk` is the store's key of that revision. `size` is the file's size in bytes. `baseline` is the id of the
    run it is compared with, chosen or by default. `metrics` is filled only where asked for.
    """

    pk: int
    id: str
    path: str
    format: str
    created_at: str
    loaded_at: str
    dataset: str | None
    dataset_version: str | None
    kb_version: str | None
    retrieval: dict[str, Any] | None
    model: str | None
    k: int
    score_scale: str
    records: int
    rejected: int
    revision: int
    size: int
    baseline: str | None
    notes: str | None = None
    field_problems: int = 0
    metrics: dict[str, MetricValue] = field(default_factory=dict)


def configuration(run: RunSummary, k: int) -> str:
    """The retrieval configuration in a few words, as recorded: `top3 bge-m3`."""
    retrieval = run.retrieval or {}
    words = [f"top{retrieval.get('top_k', k)}"]
    for key, value in retrieval.items():
        if key != "top_k" and isinstance(value, (str, int, float)) and not isinstance(value, bool):
            words.append(str(value))
    return " ".join(words)
