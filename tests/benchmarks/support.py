"""The sentence check against people: where it says "does not support", do they say so too?

`python tests/benchmarks/support.py [--markdown] [--wrong 20]`

Positive = the check finds a clash; right = people say that the cited text does not support the sentence.

- `citation_pairs`: labelled pairs of the shared vectors; `our pairs`: those beside the check's own tests, of
  the same making: `tuned` while the rules were written, the others afterwards; `policy pairs`: by somebody
  who had not read the rules. All were learnt from since: the first look at each stands in its file.
- `expertqa`: a claim of an expert's list and the sentence of the answer it is. "Incomplete" and "Partial"
  count as not supported, "Complete" as supported; "Missing" (nothing cited) and "N/A" (not to be judged) are
  left out, and so are claims without a text to compare. One row more takes "Partial" for supported.
- `mtrag_answers`: a whole answer against all of its passages. People's median faithfulness of 1 to 4: below 3
  is "not supported", 4 is "supported", between is left out. An answer is positive with one clashing sentence.

The last three have long sentences, of which most that people reject say something the text does not speak of,
with no figure, date or word that clashes: rules can't see that, and recall shows it.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from injection import laid_out

from triage.citations.check import check
from triage.models.record import Record

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TRIAGE_SHARED") or ROOT.parent / "shared")
OWN = ROOT / "tests" / "unit" / "citations" / "own_pairs.json"
POLICIES = OWN.with_name("policy_pairs.json")


@dataclass(frozen=True)
class Judged:
    """One thing that both judged: does the check find a clash, do people find it unsupported?"""

    clash: bool
    unsupported: bool
    kinds: tuple[str, ...]
    kind: str | None
    text: str


@dataclass
class Source:
    """All of one source, and what was left out of it, by the reason."""

    name: str
    judged: list[Judged] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """True and false positives, false and true negatives."""
        both = Counter((one.clash, one.unsupported) for one in self.judged)
        return both[True, True], both[True, False], both[False, True], both[False, False]

    @property
    def precision(self) -> float | None:
        """Of the clashes found, the share that people find unsupported, 0..1."""
        tp, fp, _, _ = self.counts
        return tp / (tp + fp) if tp + fp else None

    @property
    def recall(self) -> float | None:
        """Of what people find unsupported, the share in which a clash is found, 0..1."""
        tp, _, fn, _ = self.counts
        return tp / (tp + fn) if tp + fn else None


def pairs(labelled: list[dict[str, Any]], name: str) -> Source:
    """Labelled pairs of a sentence and its evidence."""
    source = Source(name)
    for pair in labelled:
        record = Record(
            id=pair["id"],
            query="?",
            retrieved=[{"id": "KB-1", "text": pair["evidence"]}],
            answer=f"{pair['sentence']}[S1]",
            citations=["S1"],
            predicted_answerable=True,
        )
        found = [each for each in check(record) if each.supported is not None]
        if not found:
            source.left_out["no sentence judged"] += 1
        kinds = tuple(dict.fromkeys(kind for each in found for kind in each.mismatches))
        source.judged.append(
            Judged(bool(kinds), not pair["supported"], kinds, pair["mismatch"], pair["sentence"])
        )
    return source


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


SUPPORT = {"Complete": False, "Incomplete": True, "Partial": True}


def expertqa(folder: Path, name: str, support: dict[str, bool] = SUPPORT) -> Source:
    """Claims that experts judged, each with the sentences of the answer it is made of."""
    source = Source(name)
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            raw = json.loads(line)
            record = Record(
                id=raw["id"], query=raw["query"], retrieved=raw["retrieved"], answer=raw["answer"],
                citations=raw["citations"], predicted_answerable=True,
            )  # fmt: skip
            sentences = [(each, _plain(each.text)) for each in check(record) if each.factual]
            for claim in raw["labels"]["claims"]:
                label = support.get(claim["support"] or "")
                if label is None:
                    source.left_out[f"labelled {claim['support']}"] += 1
                    continue
                words = _plain(claim["text"])
                mine = [each for each, plain in sentences if plain and (plain in words or words in plain)]
                mine = [each for each in mine if each.supported is not None]
                if not mine:
                    source.left_out["no cited text or no sentence to compare"] += 1
                    continue
                kinds = tuple(dict.fromkeys(kind for each in mine for kind in each.mismatches))
                source.judged.append(Judged(bool(kinds), label, kinds, None, claim["text"]))
    return source


def answers(folder: Path) -> Source:
    """Whole answers of mtrag, by people's median faithfulness."""
    source = Source("mtrag_answers, per answer")
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            raw = json.loads(line)
            median = (raw["labels"].get("human_median") or {}).get("faithfulness")
            if median is None or 3 <= median < 4:
                source.left_out["no median" if median is None else "median of 3 to 3.5"] += 1
                continue
            record = Record(
                id=raw["id"], query=raw["query"], retrieved=raw["retrieved"], answer=raw["answer"],
                citations=raw["expected_ids"], predicted_answerable=True,
            )  # fmt: skip
            judged = [each for each in check(record) if each.supported is not None]
            if raw["refused"] or not judged:
                source.left_out["refused, or nothing to judge"] += 1
                continue
            kinds = tuple(dict.fromkeys(kind for each in judged for kind in each.mismatches))
            source.judged.append(Judged(bool(kinds), median < 3, kinds, None, raw["answer"]))
    return source


def sources() -> Iterator[Source]:
    """Every source that is here."""
    open_pairs = SHARED / "vectors" / "citation_pairs.json"
    if open_pairs.exists():
        yield pairs(json.loads(open_pairs.read_text("utf-8"))["pairs"], "citation_pairs")
    for file, who in ((OWN, "our pairs"), (POLICIES, "policy pairs")):
        for name, value in json.loads(file.read_text("utf-8")).items():
            if isinstance(value, list):
                yield pairs(value, f"{who}, {name}")
    if (SHARED / "realdata").is_dir():
        folder = SHARED / "realdata" / "expertqa"
        yield expertqa(folder, "expertqa, per claim")
        yield expertqa(folder, "expertqa, Partial as supported", {**SUPPORT, "Partial": False})
        yield answers(SHARED / "realdata" / "mtrag_answers")


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def against_people(found: Iterable[Source]) -> list[list[str]]:
    """Per source: counts, precision, recall, and what flagging all of it would be."""
    heads = ["source", "n", "unsupported by people", "flagged", "right", "wrong", "missed"]
    table = [[*heads, "precision", "recall", "precision of flagging all"]]
    for source in found:
        tp, fp, fn, tn = source.counts
        n = tp + fp + fn + tn
        numbers = [n, tp + fn, tp + fp, tp, fp, fn]
        base = (tp + fn) / n if n else None
        shares = [_share(source.precision), _share(source.recall), _share(base)]
        table.append([source.name, *map(str, numbers), *shares])
    return table


def by_kind(found: Iterable[Source]) -> list[list[str]]:
    """Per source and kind of mismatch: how often it is said, and rightly (people find it unsupported)."""
    table = [["source", "kind", "said", "right", "precision", "labelled so", "of them flagged"]]
    for source in found:
        said: dict[str, list[Judged]] = {}
        for one in source.judged:
            for kind in one.kinds:
                said.setdefault(kind, []).append(one)
        labelled: Counter[str] = Counter(one.kind for one in source.judged if one.kind)
        caught: Counter[str] = Counter(one.kind for one in source.judged if one.kind and one.clash)
        for kind in sorted({*said, *labelled}):
            mine = said.get(kind, [])
            right = sum(one.unsupported for one in mine)
            share = _share(right / len(mine) if mine else None)
            labels = [str(labelled[kind]), str(caught[kind])] if labelled else ["", ""]
            table.append([source.name, kind, str(len(mine)), str(right), share, *labels])
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--markdown", action="store_true", help="tables as Markdown")
    parser.add_argument(
        "--wrong", type=int, default=0, help="print so many of those flagged wrongly, a source"
    )
    chosen = parser.parse_args()
    found = list(sources())
    print(laid_out(against_people(found), markdown=chosen.markdown), end="\n\n")
    print(laid_out(by_kind(found), markdown=chosen.markdown))
    for source in found:
        if source.left_out:
            print(f"\n{source.name}: left out {dict(source.left_out)}")
        for one in [one for one in source.judged if one.clash and not one.unsupported][: chosen.wrong]:
            print(f"  {one.kinds} {one.text[:300]!r}")


if __name__ == "__main__":
    main()
