"""Is the suggestion right? One known fault is put into good cases, and the layer that is named is counted.

`python tests/benchmarks/injection.py [--seed 4] [--markdown] [--wrong 20]`

Good cases are those of `sample_runs/`, and of `mtrag_answers` where the shared test data is (next to the
project, or `$TRIAGE_SHARED`), that load as not failing: answered and all in order, or rightly refused. Each
fault is put in where it can be: an answer without a "usually" has none to change. Two cases with the same
answer to the same texts count once. The changed runs are loaded as a user loads them, and the class of the
suggestion is held against the layer of the fault.

`mtrag_answers` has no citations and retrieves nothing but what is expected. So each answer is given the field
`citations` with its expected documents, and distractors are documents of other cases. What the sentence check
speaks of before anything is changed is no good case, and its number is told.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from changes import chinese
from faults import FAULTS, Case, Fault, Raw

from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TRIAGE_SHARED") or ROOT.parent / "shared")
MTRAG = "realdata/mtrag_answers"
LAYERS = ("retrieval", "ranking", "refusal", "citation-semantic")
STRUCTURAL_FLOOR, SENTENCE_FLOOR = 0.95, 0.80
GOOD = ("ok", "cited_text_low_overlap")


@dataclass(frozen=True)
class Trial:
    """One fault in one case, and what was said of it."""

    fault: Fault
    run: str
    case: str
    suggested: str
    reason: str
    named: tuple[str, ...]
    kinds: tuple[str, ...]
    was: str
    now: str

    @property
    def right(self) -> bool:
        """Does the suggestion name the layer of the fault?"""
        return self.suggested == self.fault.layer

    @property
    def among(self) -> bool:
        """Do the suggestion or what is said beside it name it?"""
        return self.fault.layer in (self.suggested, *self.named)


Injected = tuple[Fault, str, dict[str, tuple[Case, Raw]]]
"""A fault, the source of the cases, and by case id the good case and the changed record."""


@dataclass
class Bench:
    """All trials, and how many cases of which source were good enough to take part."""

    trials: list[Trial] = field(default_factory=list)
    good: Counter[str] = field(default_factory=Counter)
    loaded: Counter[str] = field(default_factory=Counter)
    spoken: Counter[str] = field(default_factory=Counter)

    def share(self, sentence: bool) -> float:
        """The share of trials whose suggestion names the layer, 0..1."""
        mine = [trial.right for trial in self.trials if bool(trial.fault.sentence) is sentence]
        return sum(mine) / len(mine)


def _written(path: Path, header: Raw, records: list[Raw]) -> Path:
    with path.open("w", encoding="utf-8") as out:
        for each in ({"run": header}, *records):
            out.write(json.dumps(each, ensure_ascii=False) + "\n")
    return path


def mtrag_files(folder: Path, source: Path, chooser: random.Random, limit: int | None) -> list[Path]:
    """The runs of `mtrag_answers` with the expected documents in the field `citations`."""
    made = []
    for path in sorted(source.glob("*.jsonl")):
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        if limit is not None:
            records = chooser.sample(records, min(limit, len(records)))
        for each in records:
            if each.get("answerable") and not each.get("refused"):
                each["citations"] = each["expected_ids"]
        made.append(_written(folder / path.name, {"id": f"mtrag-{path.stem}"}, records))
    return made


MTRAG_OPTIONS = LoadOptions(
    {"scores.faithfulness": "scores.rl_f"}, {"score_scale": "0-1", "dataset.name": "mtrag"}
)


def good_cases(workspace: Workspace, run: str, bench: Bench, source: str) -> Iterator[tuple[str, Case]]:
    """(reason, case) of each case of a run in which nothing is wrong."""
    scope = Scope(run=run)
    rows = workspace.case_rows(scope, list(workspace.case_keys(scope)))
    records = {row.id: workspace.case_detail(scope, row.id).record for row in rows}
    k = workspace.find_run(run).k
    pool: dict[str, Raw] = {}
    for record in records.values():
        texts = {each.id: each.text for each in record.evidence or ()}
        for each in record.retrieved or ():
            text = each.text or texts.get(each.id)
            if text:
                pool.setdefault(each.id, {"id": each.id, "text": text})
    tongue = {id: chinese(each["text"]) for id, each in pool.items()}
    for row in rows:
        bench.loaded[source] += 1
        if row.failing or row.reason not in (*GOOD, "ok_refusal"):
            bench.spoken[source] += row.reason in ("cited_text_mismatch", "uncited_sentence")
            continue
        bench.good[source] += 1
        record = records[row.id]
        mine = {each.id for each in record.retrieved or ()} | set(record.expected_ids or ())
        zh = chinese(record.query or "")
        others = [each for id, each in pool.items() if id not in mine and tongue[id] == zh]
        yield row.reason, Case(record, k, others)


def _header(workspace: Workspace, run: str, fault: Fault) -> Raw:
    summary = workspace.find_run(run)
    return {
        "id": f"{run} / {fault.name}", "k": summary.k, "dataset": {"name": "injected"},
        "score_scale": "0-1" if run.startswith("mtrag") else "1-5",
    }  # fmt: skip


def _fits(fault: Fault, reason: str, case: Case) -> bool:
    """Is the good case of the kind that the fault is for?"""
    if fault.base == "ok_refusal" or reason == "ok_refusal":
        return fault.base == reason
    return bool(case.record.citations and case.expected and case.record.retrieved)


def _inject(
    workspace: Workspace, runs: dict[str, str], folder: Path, bench: Bench, seed: int, faults: Sequence[Fault]
) -> tuple[list[Path], dict[str, Injected]]:
    """The changed runs as files, and what was changed in them, by run id."""
    paths: list[Path] = []
    injected: dict[str, Injected] = {}
    seen: set[tuple[str, str, str]] = set()
    for run, source in runs.items():
        cases = list(good_cases(workspace, run, bench, source))
        for fault in faults:
            made: dict[str, tuple[Case, Raw]] = {}
            for reason, case in cases:
                same = (fault.name, case.record.answer or "", str(case.record.retrieved_ids))
                if same in seen or not _fits(fault, reason, case):
                    continue
                case.chooser = random.Random(f"{seed}/{fault.name}/{run}/{case.record.id}")
                raw = fault.apply(case)
                if raw is not None:
                    seen.add(same)
                    made[case.record.id] = (case, raw)
            if made:
                header = _header(workspace, run, fault)
                injected[header["id"]] = (fault, source, made)
                path = folder / f"injected-{len(paths)}.jsonl"
                paths.append(_written(path, header, [raw for _, raw in made.values()]))
    return paths, injected


def run_bench(
    folder: Path,
    seed: int = 4,
    samples: bool = True,
    mtrag: Path | None = None,
    limit: int | None = None,
    faults: Sequence[Fault] = FAULTS,
) -> Bench:
    """Put every fault into every good case it can be put into, load all of it, and see what is said.

    `limit`: at most so many records of each run of `mtrag`, drawn by the seed.
    """
    bench = Bench()
    workspace = Workspace(folder / "good.db", Settings(), reviewer="bench")
    runs: dict[str, str] = {}
    if samples:
        for report in workspace.ingest([ROOT / "sample_runs"]):
            runs[str(report.run)] = "sample runs"
    if mtrag is not None:
        for report in workspace.ingest(mtrag_files(folder, mtrag, random.Random(seed), limit), MTRAG_OPTIONS):
            runs[str(report.run)] = "mtrag_answers"
    paths, injected = _inject(workspace, runs, folder, bench, seed, faults)
    workspace.close()

    workspace = Workspace(folder / "injected.db", Settings(), reviewer="bench")
    workspace.ingest(paths)
    for run, (fault, source, made) in injected.items():
        measured_cases = {each.row.id: each for each in workspace.measured_cases(Scope(run=run))}
        # A case that is not read again would leave the denominator unseen; this fails instead.
        for id, (case, raw) in made.items():
            bench.trials.append(_trial(fault, source, case, raw, measured_cases[id]))
    workspace.close()
    return bench


def _trial(fault: Fault, source: str, case: Case, raw: Raw, measured: Any) -> Trial:
    said = measured.diagnosis.suggestion
    findings = (said, *measured.diagnosis.secondary)
    kinds = {kind for finding in findings for kind in finding.evidence.get("kinds", ())}
    return Trial(
        fault=fault,
        run=source,
        case=case.record.id,
        suggested=said.failure_class or "none",
        reason=said.reason,
        named=tuple(finding.failure_class or "none" for finding in findings),
        kinds=tuple(sorted(kinds)),
        was=case.record.answer or "",
        now=raw["answer"],
    )


def percent(part: int, whole: int) -> str:
    """`95.2 %`, or `-` of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def by_fault(bench: Bench) -> list[list[str]]:
    """Per fault: how many, and how often its layer is named first, at all, and its kind."""
    sources = list(bench.good)
    table = [
        [
            "fault",
            "layer",
            *(f"{s}: n" if h == 0 else s for s in sources for h in (0, 1)),
            "n",
            "layer named",
            "named at all",
            "kind named",
        ]
    ]
    rows: list[tuple[str, str, list[Trial]]] = [
        (fault.name, fault.layer, [trial for trial in bench.trials if trial.fault is fault])
        for fault in FAULTS
    ]
    for name, sentence in (("all structural faults", False), ("all sentence faults", True)):
        rows.append((name, "", [t for t in bench.trials if bool(t.fault.sentence) is sentence]))
    for name, layer, trials in rows:
        line = [name, layer]
        for source in sources:
            mine = [trial for trial in trials if trial.run == source]
            line += [str(len(mine)), percent(sum(trial.right for trial in mine), len(mine))]
        kind = "" if not trials or not trials[0].fault.sentence else percent(
            sum(trial.fault.sentence in trial.kinds for trial in trials), len(trials))  # fmt: skip
        right, among = sum(t.right for t in trials), sum(t.among for t in trials)
        table.append(
            [*line, str(len(trials)), percent(right, len(trials)), percent(among, len(trials)), kind]
        )
    return table


def confusion(bench: Bench) -> list[list[str]]:
    """Injected layer by suggested class, in cases."""
    columns = (*LAYERS, "none")
    table = [["fault in", *(f"suggested {column}" for column in columns), "n"]]
    for layer in LAYERS:
        said = Counter(trial.suggested for trial in bench.trials if trial.fault.layer == layer)
        table.append([layer, *(str(said[column]) for column in columns), str(said.total())])
    return table


def laid_out(table: list[list[str]], *, markdown: bool) -> str:
    """The table, plain or as Markdown."""
    if markdown:
        lines = [table[0], ["---"] * len(table[0]), *table[1:]]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(size) for cell, size in zip(line, widths, strict=True)).rstrip()
        for line in table
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--markdown", action="store_true", help="tables as Markdown")
    parser.add_argument("--wrong", type=int, default=0, help="print so many of those named wrong, a fault")
    parser.add_argument("--only", choices=("samples", "mtrag"), help="one source alone")
    chosen = parser.parse_args()
    mtrag = SHARED / MTRAG
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        bench = run_bench(
            Path(folder), chosen.seed, chosen.only != "mtrag",
            mtrag if mtrag.is_dir() and chosen.only != "samples" else None,
        )  # fmt: skip
    if not mtrag.is_dir():
        print("mtrag_answers is not here: the sample runs alone", file=sys.stderr)
    for source, count in bench.good.items():
        told = f"{source}: {count} good cases of {bench.loaded[source]}"
        print(f"{told}; of {bench.spoken[source]} more the sentence check speaks as they are")
    print()
    print(laid_out(by_fault(bench), markdown=chosen.markdown), end="\n\n")
    print(laid_out(confusion(bench), markdown=chosen.markdown))
    left = Counter[str]()
    for trial in bench.trials:
        if not trial.right and left[trial.fault.name] < chosen.wrong:
            left[trial.fault.name] += 1
            said = f"{trial.suggested} {trial.reason} {trial.kinds}"
            print(f"\n{trial.fault.name}: {trial.run} {trial.case}: {said}")
            print(f"  was {trial.was[:400]!r}\n  now {trial.now[:400]!r}")


if __name__ == "__main__":
    main()
