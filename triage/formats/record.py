"""From a record's JSON object to a `Record`: what can be read is read, what cannot is told field by field."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from triage.formats import parts
from triage.formats.parts import TOP_SCORES, Note
from triage.formats.values import NOT_FINITE, Unreadable, flag, ident, idents, number, said, shown, text
from triage.models.record import Record
from triage.models.run import Problem

TEXTS = (
    "query", "raw_query", "answer", "refusal_reason", "reference_answer", "query_type", "topic", "domain",
    "difficulty", "dependency", "seed_id", "rewrite", "source", "route", "failure_reason", "kb_version",
    "dataset_version",
)  # fmt: skip


_VALUES: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(TEXTS, text),
    **dict.fromkeys(("answerable", "passed", "predicted_answerable", "refused"), flag),
    **dict.fromkeys(("latency_ms", "tokens", "cost"), number),
    **dict.fromkeys(("expected_ids", "citations", "tags"), idents),
    "error": said,
}
_PARTS: dict[str, Callable[[Any, Note], Any]] = {
    **dict.fromkeys(("retrieved", "retrieved_ids"), parts.documents),
    **dict.fromkeys(("expected_plan", "plan"), parts.plan),
    **dict.fromkeys(("expected_tools", "tools"), parts.tools),
    "evidence": parts.evidence,
    "golden": parts.golden,
    "golden_facts": parts.facts,
    "expected_route": parts.routes,
    "conflict": parts.conflict,
    "scores": parts.scores,
    "judges": parts.judges,
    "attempts": parts.attempts,
    "history": parts.history,
    "turns": parts.turns,
    "feedback": parts.feedback,
}
_NOT_FIELDS = frozenset({"id", *TOP_SCORES})
RECORD_KEYS: frozenset[str] = frozenset({*_VALUES, *_PARTS, *_NOT_FIELDS})
"""Every key that the format knows, aliases included."""
GROUPS: dict[str, tuple[str, ...]] = {
    "predicted_answerable": ("refused",), "refused": ("predicted_answerable",),
    "retrieved": ("retrieved_ids",), "retrieved_ids": ("retrieved",),
    "golden": ("golden_facts",), "golden_facts": ("golden",),
    "correctness": ("answer_correctness",), "answer_correctness": ("correctness",),
    "relevancy": ("answer_relevancy",), "answer_relevancy": ("relevancy",),
}  # fmt: skip
"""Keys that say the same thing in other words."""
_EXPORT_KEYS = {"run", "case_id", "record"}
# Keys of a turn that are the turn's own, not the case's.
_TURN_ONLY = frozenset({"id", "turns", "history", "user", "task", "slots", "expected_slots"})


class Rejected(Exception):
    """A record that can't be kept; `case` is its id where it has one."""

    def __init__(self, reason: str, case: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.case = case


def case_id(data: Mapping[str, Any]) -> str:
    """The record's id as text.

    Raises:
        Rejected: there is no usable one.
    """
    value = data.get("id")
    if value is None:
        raise Rejected("no usable id: it is " + ("null" if "id" in data else "absent"))
    try:
        read = ident(value)
    except Unreadable as error:
        raise Rejected(f"no usable id: {error}") from None
    if not read.strip():
        raise Rejected("no usable id: it is blank")
    return read


def record_from(data: Mapping[str, Any], line: int | None = None) -> tuple[Record, list[Problem]]:
    """A record's JSON object as a `Record`, and the fields that could not be read.

    Nothing is inferred here (`formats/infer.py` does that). `predicted_answerable` is among the record's set
    fields wherever the file has it, by whatever name, null and unreadable included.

    Args:
        data: the object; fields already mapped.
        line: where it stands, for the problems.

    Raises:
        Rejected: no usable id, or neither `query` nor `turns`.
    """
    return _Reading(case_id(data), line).read(dict(data))


class _Reading:
    """One record on its way in."""

    def __init__(self, case: str, line: int | None) -> None:
        self._case = case
        self._line = line
        self._problems: list[Problem] = []
        self._clean: dict[str, Any] = {"id": case}
        self._extra: dict[str, Any] = {}

    def _note(self, field: str, reason: str) -> None:
        self._problems.append(Problem("field", self._line, self._case, field, reason))

    def read(self, data: dict[str, Any]) -> tuple[Record, list[Problem]]:
        if data.get("turns") is not None:
            self._turns(data)
        clean = self._clean
        for key, value in data.items():
            if key in _VALUES:
                if value is not None:
                    try:
                        clean[key] = _VALUES[key](value)
                    except Unreadable as error:
                        self._note(key, str(error))
            elif key in _PARTS:
                if value is not None:
                    self._part(key, value)
            elif key not in _NOT_FIELDS:
                self._extra[key] = value
        self._answered(data)
        self._retrieved(clean)
        self._golden(clean)
        self._scores(data)
        if self._extra:
            self._extra = self._finite(self._extra, "")
            clean["extra"] = self._extra
        if clean.get("query") is None and clean.get("turns") is None:
            raise Rejected(self._no_query(data), self._case)
        return Record.model_validate(clean), self._problems

    def _no_query(self, data: dict[str, Any]) -> str:
        given = [key for key in ("query", "turns") if data.get(key) is not None]
        reason = "neither query nor turns"
        return f"{reason} can be read: {given[0]} is {shown(data[given[0]])}" if given else reason

    def _part(self, key: str, value: Any) -> None:
        try:
            self._clean[key] = _PARTS[key](value, lambda place, reason: self._note(key + place, reason))
        except Unreadable as error:
            self._note(key, str(error))

    def _turns(self, data: dict[str, Any]) -> None:
        """Chat-shaped turns are history; of judged turns the last one speaks where the case is silent."""
        turns = data["turns"]
        if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
            return
        if any("role" in turn for turn in turns):
            del data["turns"]
            if data.get("history") is None:
                data["history"] = turns
            else:
                self._extra["turns"] = turns
            if data.get("query") is None:
                data["query"] = _last_words(turns)
            return
        if not turns:
            del data["turns"]
            return
        last = turns[-1]
        for key in RECORD_KEYS - _TURN_ONLY:
            if last.get(key) is not None and data.get(key) is None and not self._told(key, data):
                data[key] = last[key]
        if data.get("query") is None and isinstance(last.get("user"), str):
            data["query"] = last["user"]

    @staticmethod
    def _told(key: str, data: dict[str, Any]) -> bool:
        """Does the case itself speak of `key`, by that name or another?"""
        others = GROUPS.get(key, ())
        if key in ("predicted_answerable", "refused"):
            return key in data or any(other in data for other in others)
        return any(data.get(other) is not None for other in others)

    def _answered(self, data: dict[str, Any]) -> None:
        """`predicted_answerable` or its negation; told but unknown stays unknown."""
        refused = self._clean.pop("refused", None)
        if "predicted_answerable" in self._clean:
            if refused is not None and refused is self._clean["predicted_answerable"]:
                self._note("refused", "contradicts predicted_answerable, which is used")
        elif refused is not None:
            self._clean["predicted_answerable"] = not refused
        elif "predicted_answerable" in data or "refused" in data:
            self._clean["predicted_answerable"] = None

    def _retrieved(self, clean: dict[str, Any]) -> None:
        ids = clean.pop("retrieved_ids", None)
        if ids is None:
            return
        if "retrieved" not in clean:
            clean["retrieved"] = ids
        elif [document["id"] for document in ids] != [document["id"] for document in clean["retrieved"]]:
            self._note("retrieved_ids", "differs from retrieved, which is used")

    def _golden(self, clean: dict[str, Any]) -> None:
        facts = clean.pop("golden_facts", None)
        if facts is None:
            return
        if clean.get("golden", {}).get("must") is None:
            clean["golden"] = {**clean.get("golden", {}), "must": facts}
        else:
            self._note("golden_facts", "golden.must is recorded too and is used")

    def _scores(self, data: dict[str, Any]) -> None:
        """Scores from `scores`, from known names at the top, and as the mean of several judges."""
        scores: dict[str, float] | None = self._clean.get("scores")
        given = data.get("scores")
        if isinstance(given, dict):
            nested = {name: item for name, item in given.items() if isinstance(item, dict | list)}
            if nested:
                # Judges' details are no scores, yet worth reading and filtering by.
                self._extra["scores"] = nested
        for key, name in TOP_SCORES.items():
            value = data.get(key)
            if value is None:
                continue
            try:
                read = number(value)
            except Unreadable as error:
                self._note(key, str(error))
                if isinstance(value, str | dict | list):
                    self._extra[key] = value
                continue
            scores = {} if scores is None else scores
            scores.setdefault(name, read)
        if "judges" in self._clean and (mean := parts.judges_mean(self._clean["judges"])):
            scores = {} if scores is None else scores
            for name, value in mean.items():
                if name in scores and not math.isclose(scores[name], value, rel_tol=1e-3, abs_tol=1e-3):
                    reason = f"{scores[name]:g} is not the judges' mean {value:g}, which is used"
                    self._note(f"scores.{name}", reason)
                scores[name] = value
        if scores is not None:
            self._clean["scores"] = scores

    def _finite(self, value: Any, place: str) -> Any:
        """`value` with NaN and infinite numbers as None, each noted."""
        if isinstance(value, dict):
            dot = f"{place}." if place else ""
            return {key: self._finite(item, dot + key) for key, item in value.items()}
        if isinstance(value, list):
            return [self._finite(item, f"{place}[{index}]") for index, item in enumerate(value, 1)]
        if isinstance(value, float) and not math.isfinite(value):
            self._note(place, f"{shown(value)} {NOT_FINITE}")
            return None
        return value


def _last_words(messages: list[dict[str, Any]]) -> str | None:
    """What the user said last in a chat."""
    for message in reversed(messages):
        words = message.get("content") if message.get("content") is not None else message.get("text")
        if message.get("role") == "user" and words is not None:
            return parts.content(words)
    return None


def is_export(data: Mapping[str, Any]) -> bool:
    """Is this a line of our own JSONL export, with the record inside?"""
    return "id" not in data and data.keys() >= _EXPORT_KEYS and isinstance(data["record"], dict)
