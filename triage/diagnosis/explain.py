"""One plain sentence for each reason, naming the ids and ranks it rests on.

Ids and texts of the record are put in as they are; whoever prints the sentence makes it plain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from triage.diagnosis.reasons import REASONS
from triage.models.measure import Finding

if TYPE_CHECKING:
    from triage.models.record import Record

NAMED = 3
"""Most ids a sentence names before it counts the rest."""
_FIELDS = {
    "answerable": "whether it is answerable", "predicted_answerable": "whether it was answered",
    "expected_ids": "the list of expected documents", "retrieved": "the list of retrieved documents",
}  # fmt: skip
_SCORES = {
    "faithfulness": "faithfulness", "answer_relevancy": "relevancy", "answer_correctness": "correctness",
    "completeness": "completeness",
}  # fmt: skip

Shown = dict[str, Any]


def explain(finding: Finding, record: Record) -> str:
    """Why, in one sentence. A finding that came without its evidence gets what its reason means at all."""
    say = _SENTENCES.get(finding.reason)
    needs = _NEEDS.get(finding.reason, ())
    if say is None or any(key not in finding.evidence for key in needs):
        info = REASONS.get(finding.reason)
        meaning = info.meaning if info else finding.reason
        return f"{meaning[:1].upper()}{meaning[1:]}."
    return say(finding.evidence, record)


def listed(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`, `A, B, C and 4 more`."""
    shown = list(names[:NAMED])
    if len(names) > NAMED:
        return f"{', '.join(shown)} and {len(names) - NAMED} more"
    return " and ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else "".join(shown)


def _verb(names: Sequence[str], one: str, many: str) -> str:
    return one if len(names) == 1 else many


def _is(names: Sequence[str]) -> str:
    return _verb(names, "is", "are")


def _label_conflict(shown: Shown, record: Record) -> str:
    if shown["answerable"]:
        return "The test set calls this question answerable, but names no expected document."
    return f"The test set calls this question unanswerable, but expects {listed(shown['expected_ids'])}."


def _insufficient(shown: Shown, record: Record) -> str:
    names = [_FIELDS.get(name, name) for name in shown["not_recorded"]]
    return f"The case can't be judged: {listed(names)} {_is(names)} not recorded."


def _answered_though_unanswerable(shown: Shown, record: Record) -> str:
    cited = shown["citations"]
    how = "" if cited is None else f", citing {listed(list(dict.fromkeys(cited))) or 'nothing'}"
    return f"The knowledge base can't answer this question, yet the system answered{how}."


def _knowledge_gap(shown: Shown, record: Record) -> str:
    missing = shown["missing_ids"]
    version = f" {shown['kb_version']}" if shown.get("kb_version") else ""
    return f"{listed(missing)} {_is(missing)} expected, but not in the knowledge base{version} at all."


def _expecting(shown: Shown) -> str:
    expected = shown["expected_ids"]
    return f"; {listed(expected)} {_is(expected)} expected" if expected else ""


def _below(shown: Shown, record: Record) -> str:
    above = shown["above"]
    cut = f", below the cut at {shown['k']}" if shown["rank"] > shown["k"] else ""
    return (
        f"{shown['expected']['id']} is expected and stands at rank {shown['rank']}{cut}; "
        f"{listed(above)} {_verb(above, 'stands', 'stand')} above it."
    )


def _missing(shown: Shown) -> str:
    expected = shown["expected_ids"]
    return f"{listed(expected)} {_is(expected)} expected, but {_verb(expected, 'was', 'were')} not retrieved"


def _missing_refused(shown: Shown, record: Record) -> str:
    return f"{_missing(shown)}, so the system refused."


def _missing_answered(shown: Shown, record: Record) -> str:
    top = list(dict.fromkeys(shown["top_k"]))
    if shown.get("answered"):
        return f"{_missing(shown)}; the answer had {'only ' + listed(top) if top else 'nothing'} to rest on."
    return f"{_missing(shown)}; {listed(top) or 'nothing'} {_verb(top or [''], 'was', 'were')}."


def _refused_with_evidence(shown: Shown, record: Record) -> str:
    expected = shown["expected"]
    return f"{expected['id']} is expected and stands at rank {expected['rank']}, yet the system refused."


def _refused(shown: Shown, record: Record) -> str:
    names = [_FIELDS.get(name, name) for name in shown["not_recorded"]]
    return f"The question is answerable, yet the system refused; {listed(names)} {_is(names)} not recorded."


def _unresolved(shown: Shown, record: Record) -> str:
    unknown, there = shown["unresolved"], len(shown["evidence_ids"])
    if not there:
        return f"The answer cites {listed(unknown)}, but this turn had no documents."
    documents = "the one document" if there == 1 else f"any of the {there} documents"
    return f"The answer cites {listed(unknown)}, which {_is(unknown)} not {documents} of this turn."


def _distractor(shown: Shown, record: Record) -> str:
    cited, expected = shown["cited"], shown["expected"]
    names = [f"{item['id']} at rank {item['rank']}" if item["rank"] else item["id"] for item in cited]
    where = f"which is expected and stands at rank {shown['rank']}"
    return f"The answer cites {listed(names)}, not {expected['id']}, {where}."


def _no_citation(shown: Shown, record: Record) -> str:
    expected = shown["expected"]
    at_hand = f", though {expected['id']} was at hand at rank {expected['rank']}" if expected else ""
    return f"The answer cites no document{at_hand}."


def _partial(shown: Shown, record: Record) -> str:
    missing = shown["missing_ids"]
    scores = listed([f"{_SCORES.get(name, name)} {value:g}" for name, value in shown["scores"].items()])
    where = f"not among the first {shown['k']}"
    return f"{listed(missing)} {_is(missing)} expected too, but {where}; the judge gives {scores}."


def _judged(tail: str) -> Callable[[Shown, Record], str]:
    def say(shown: Shown, record: Record) -> str:
        expected = shown["expected"]
        reasons = shown.get("judge_reasons") or ()
        text = f": {reasons[0]}" if reasons else "."
        score = f"{_SCORES.get(shown['score'], shown['score'])} {shown['value']:g}"
        return f"{expected['id']} was at hand at rank {expected['rank']}, yet {tail} ({score}){text}"

    return say


def _error(shown: Shown, record: Record) -> str:
    return f"The system failed on this case: {shown['error']}"


def _runner(shown: Shown, record: Record) -> str:
    reason = shown["failure_reason"]
    return f"The runner calls this case failed{f': {reason}' if reason else ', without a reason.'}"


def _ok(shown: Shown, record: Record) -> str:
    return "No rule finds fault with this case."


_SENTENCES: dict[str, Callable[[Shown, Record], str]] = {
    "label_conflict": _label_conflict,
    "insufficient_record": _insufficient,
    "answered_though_unanswerable": _answered_though_unanswerable,
    "ok_refusal": lambda shown, record: (
        "The knowledge base can't answer this question, and the system refused it."
    ),
    "knowledge_gap": _knowledge_gap,
    "fallback_nothing_retrieved": lambda shown, record: (
        f"Nothing was retrieved, so the system refused{_expecting(shown)}."
    ),
    "answered_without_evidence": lambda shown, record: (
        f"Nothing was retrieved, yet the system answered{_expecting(shown)}."
    ),
    "expected_below_cutoff": _below,
    "expected_missing_then_refused": _missing_refused,
    "expected_missing_from_topk": _missing_answered,
    "refused_though_evidence_retrieved": _refused_with_evidence,
    "refused_though_answerable": _refused,
    "citation_id_not_in_evidence": _unresolved,
    "distractor_first_and_cited": _distractor,
    "no_citation": _no_citation,
    "partial_recall_incomplete": _partial,
    "low_faithfulness_good_evidence": _judged("the judge finds the answer unfaithful"),
    "answer_off_topic": _judged("the judge finds the answer off topic"),
    "answer_incorrect_good_evidence": _judged("the judge finds the answer incorrect"),
    "expected_below_rank1": _below,
    "system_error": _error,
    "runner_failed": _runner,
    "ok": _ok,
}
_NEEDS: dict[str, tuple[str, ...]] = {
    "label_conflict": ("answerable", "expected_ids"),
    "insufficient_record": ("not_recorded",),
    "answered_though_unanswerable": ("citations",),
    "knowledge_gap": ("missing_ids",),
    "fallback_nothing_retrieved": ("expected_ids",),
    "answered_without_evidence": ("expected_ids",),
    "expected_below_cutoff": ("rank", "k", "expected", "above"),
    "expected_missing_then_refused": ("expected_ids",),
    "expected_missing_from_topk": ("expected_ids", "top_k"),
    "refused_though_evidence_retrieved": ("expected",),
    "refused_though_answerable": ("not_recorded",),
    "citation_id_not_in_evidence": ("unresolved", "evidence_ids"),
    "distractor_first_and_cited": ("rank", "cited", "expected"),
    "no_citation": ("expected",),
    "partial_recall_incomplete": ("missing_ids", "k", "scores"),
    "low_faithfulness_good_evidence": ("score", "value", "expected"),
    "answer_off_topic": ("score", "value", "expected"),
    "answer_incorrect_good_evidence": ("score", "value", "expected"),
    "expected_below_rank1": ("rank", "k", "expected", "above"),
    "system_error": ("error",),
    "runner_failed": ("failure_reason",),
}
