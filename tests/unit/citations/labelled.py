"""Labelled pairs of a sentence and its source, and what the rules say of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triage.citations.check import check
from triage.models.record import Record
from triage.models.sentences import Sentence

OWN = Path(__file__).with_name("own_pairs.json")
POLICIES = Path(__file__).with_name("policy_pairs.json")
OUTSIDE = Path(__file__).with_name("outside_pairs.json")
Labelled = dict[str, Any]


def own(*names: str, file: Path = OWN) -> list[Labelled]:
    lists = json.loads(file.read_text("utf-8"))
    return [pair for name in names for pair in lists[name]]


def judged(pair: Labelled) -> Sentence:
    """The pair's sentence after the check, as the answer of a record that cites the pair's text."""
    retrieved = [{"id": "KB-1", "text": pair["evidence"]}]
    record = Record.model_validate({"id": "1", "answer": f"{pair['sentence']}[S1]", "retrieved": retrieved})
    (sentence,) = check(record)
    return sentence


def rates(pairs: Iterable[Labelled]) -> tuple[float, float]:
    """(precision, recall) of "unsupported"."""
    said = [(judged(pair).supported is False, not pair["supported"]) for pair in pairs]
    hits = sum(flagged and wrong for flagged, wrong in said)
    return hits / sum(flagged for flagged, _ in said), hits / sum(wrong for _, wrong in said)
