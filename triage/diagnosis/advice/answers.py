"""The lower rows: what was made of the documents, refusals, citations, and the agent around it."""

from __future__ import annotations

from collections.abc import Iterator

from triage.diagnosis.advice.seen import Seen, basis, mark, number, part, short
from triage.models.advice import Advice
from triage.models.measure import MetricValue

_PROMPT = "restrict the prompt to the evidence, strengthen the fallback wording"
_STRICT = "fallback rate and over-refusal: a stricter prompt refuses more"


def hallucinations(seen: Seen) -> Iterator[Advice]:
    """Any hallucination on a high-risk topic, the evidence at hand."""
    if not seen.with_evidence().metrics["hallucination_rate"].worst:
        return
    risky = f"{seen.at_hand}is:high-risk hallucination_rate:"
    count = seen.count(f"{risky}1")
    if count:
        yield seen.line(
            "hallucinations on high-risk topics",
            "generation",
            count,
            part(count, seen.count(f"{risky}*"), "judged answers of high-risk topics"),
            query=f"{risky}1",
            cases=count,
            try_first=_PROMPT,
            watch=_STRICT,
        )


def scores(seen: Seen) -> Iterator[Advice]:
    """Faithfulness low; where it isn't, relevancy low."""
    found = seen.with_evidence().metrics
    where = ", the evidence at hand" if seen.labelled else ""
    for key, name, try_first, watch in (
        ("faithfulness", "faithfulness", _PROMPT, _STRICT),
        (
            "answer_relevancy",
            "relevancy",
            "the prompt, and how the intent is told: does it answer what was asked?",
            "faithfulness",
        ),
    ):
        value, reference = found[key].value, seen.score(name)
        if value is not None and value < reference:
            yield seen.line(
                f"{name} low{where}",
                "generation",
                value,
                number(found[key], reference),
                query=f"{seen.at_hand}{key}:<{reference:g}",
                try_first=try_first,
                watch=watch,
            )
            return


def incorrect(seen: Seen) -> Iterator[Advice]:
    """Correctness low on cases where retrieval and generation did well."""
    if seen.value("answer_correctness") is None:
        return
    faithful = "hallucination_rate:0 " if seen.value("hallucination_rate") is not None else ""
    good = seen.at_hand + faithful
    found = (seen.look(good.strip()) if good else seen.whole).metrics["answer_correctness"]
    reference = seen.reference["correctness"]
    if found.value is not None and found.value < reference:
        yield seen.line(
            "correctness is low, nothing above is" if good else "correctness is low",
            "labels",
            found.value,
            number(found, reference),
            query=f"{good}answer_correctness:0",
            try_first="look for stale reference answers, and for versions of a document that conflict",
            watch="the test set's version: runs compare only under the same labels",
        )


def answered(seen: Seen) -> Iterator[Advice]:
    """Under-refusal high."""
    found, reference = seen.whole.metrics["under_refusal"], seen.reference["under_refusal"]
    if found.value is not None and found.value > reference:
        yield seen.line(
            "answers what it can't answer",
            "refusal",
            found.value,
            f"under-refusal {number(found, reference)}",
            query="under_refusal:1",
            cases=found.worst,
            try_first="a threshold on retrieval scores, negative cases, the fallback instruction",
            watch="over-refusal: a stricter system refuses answerable questions too",
        )


def refused(seen: Seen) -> Iterator[Advice]:
    """Over-refusal high with the evidence at hand."""
    found, reference = seen.with_evidence().metrics["over_refusal"], seen.reference["over_refusal"]
    if found.value is not None and found.value > reference:
        yield seen.line(
            "refuses with the evidence at hand" if seen.labelled else "refuses answerable questions",
            "refusal",
            found.value,
            f"over-refusal {number(found, reference)}",
            query=f"{seen.at_hand}over_refusal:1",
            cases=found.worst,
            try_first="the threshold is too strict: lower it, or soften the fallback instruction",
            watch="under-refusal and hallucination rate",
        )


def fallback(seen: Seen) -> Iterator[Advice]:
    """More refusals than unanswerable questions, Hit@K low; without labels, outside the usual band."""
    found = seen.whole.metrics["fallback_rate"]
    if found.value is None:
        return
    if seen.value("refusal_accuracy") is None:
        yield from _fallback_band(seen, found)
        return
    unanswerable = seen.whole.metrics["under_refusal"].denominator or 0.0
    share = unanswerable / (unanswerable + (seen.whole.metrics["over_refusal"].denominator or 0.0))
    if found.value > share and seen.low("hit", "hit"):
        yield seen.line(
            "refuses more than can't be answered",
            "knowledge base",
            found.value - share,
            f"fallback rate {short(found.value)}{basis(found)}, unanswerable {short(share)}",
            query="fallback_rate:1 -answerable:false",
            try_first="coverage: are the documents there for what is asked? then retrieval",
            watch="under-refusal and faithfulness: fewer refusals, more answers from weak evidence",
        )


def _fallback_band(seen: Seen, found: MetricValue) -> Iterator[Advice]:
    """Of traffic without labels there is a usual band alone (metrics.md section 3)."""
    low, high = seen.reference["fallback_low"], seen.reference["fallback_high"]
    value = found.value or 0.0
    said = f"fallback rate {short(value)}{basis(found)}, reference {mark(low)}-{mark(high)}"
    watch = "a narrow knowledge base refuses more by nature"
    if value > high:
        yield seen.line(
            "refuses often",
            "knowledge base",
            value,
            said,
            query="fallback_rate:1",
            try_first="coverage of the knowledge base, then the retrieval configuration",
            watch=watch,
        )
    elif value < low:
        yield seen.line(
            "hardly ever refuses",
            "refusal",
            value,
            said,
            query="fallback_rate:0",
            try_first="read some answers: does it answer what it can't?",
            watch=watch,
        )


def uncited(seen: Seen) -> Iterator[Advice]:
    """Citation coverage low: without usable evidence it is retrieval's, with it the output's."""
    if not seen.low("citation_coverage", "citation_coverage"):
        return
    found = seen.whole.metrics["citation_coverage"]
    said = f"coverage {number(found, seen.reference['citation_coverage'])}"
    unfounded = seen.count("citation_coverage:0 hit:0") if seen.labelled else 0
    if unfounded:
        yield seen.line(
            "no citation, and no usable evidence",
            "retrieval",
            found.value or 0.0,
            said,
            query="citation_coverage:0 hit:0",
            cases=unfounded,
            try_first="retrieval first: there is nothing there to cite",
            watch="under-refusal: should it have answered?",
        )
    query = "citation_coverage:0 -hit:0" if seen.labelled else "citation_coverage:0"
    count = seen.count(query)
    if count:
        yield seen.line(
            "no citation, the evidence at hand" if seen.labelled else "answers without a citation",
            "citation",
            found.value or 0.0,
            said,
            query=query,
            cases=count,
            try_first="constrain the output: every factual sentence names its source",
            watch="whether the cited ids exist, and whether the cited text says so",
        )


def unknown_ids(seen: Seen) -> Iterator[Advice]:
    """Citation ids that name nothing."""
    if seen.low("citation_id_validity", "citation_id_validity"):
        found = seen.whole.metrics["citation_id_validity"]
        yield seen.line(
            "cites ids that are not in the evidence",
            "citation",
            found.value or 0.0,
            f"ids {number(found, seen.reference['citation_id_validity'])}",
            query="citation_id_validity:0",
            cases=found.worst,
            try_first="constrain citations to the ids in the prompt, and validate them afterwards",
            watch="citation coverage: dropped ids leave answers uncited",
        )


def unsupported(seen: Seen) -> Iterator[Advice]:
    """Sentences that the rules find to say something else than what they cite."""
    if seen.low("citation_support", "citation_support"):
        found = seen.whole.metrics["citation_support"]
        yield seen.line(
            "sentences differ from what they cite",
            "citation",
            found.value or 0.0,
            f"rule-checked {number(found, seen.reference['citation_support'])}",
            query="citation_support:<1",
            try_first="read the flagged sentences; then have numbers and conditions kept as they are written",
            watch="rules err: a person decides",
        )


def agent(seen: Seen) -> Iterator[Advice]:
    """Routing or tool calls low."""
    for key, name, signal, query, try_first, watch in (
        (
            "routing_accuracy",
            "routing",
            "takes wrong routes",
            "routing_accuracy:0",
            "examples for the router, of the routes that are mixed up",
            "the routes that were right",
        ),
        (
            "tool_success",
            "tools",
            "expected tool calls fail or are not made",
            "tool_success:<1",
            "the tool's parameter schema and description",
            "plan efficiency: retries hide calls that fail",
        ),
    ):
        if seen.low(key, name):
            found = seen.whole.metrics[key]
            said = number(found, seen.reference[name])
            yield seen.line(
                signal, "agent", found.value or 0.0, said, query=query, try_first=try_first, watch=watch
            )
