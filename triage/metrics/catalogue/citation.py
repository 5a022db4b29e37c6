"""Citations as structure (metrics.md section 2): are there any, and do they name documents of this turn?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import MISSING, Metric, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts
    from triage.models.sentences import SentenceSummary

PLACE = 30
ASKS = "labels"
METRICS: tuple[Metric, ...] = (
    share(
        "citation_coverage", "Citation coverage", "coverage", "citation", "4",
        "share of answerable, answered cases whose answer cites something",
        "whether the citation supports anything; a wrong refusal is counted under refusal",
    ),
    share(
        "citation_id_validity", "Citation id validity", "ids ok", "citation", "4",
        "share of cases with citations whose every cited id is a document of this turn",
        "whether the document supports the sentence: only ids that do not exist are caught",
    ),
    Metric(
        "citation_support", "Rule-checked support", "supports", "citation", "4",
        "share of cited sentences, over all cases, in which the rules find no clash with the cited text",
        "whether the text entails the sentence: rules see numbers, dates, modality, negation and scope",
        scale="share", micro=True,
    ),
    share(
        "citation_coverage_labelled", "Citation coverage, all answerable", "labelled", "citation", "4",
        "share of answerable cases whose answer cites something; a wrong refusal counts as uncited",
        "whether the citation supports anything",
    ),
    share(
        "citation_coverage_answered", "Citation coverage, all answered", "answered", "citation", "4",
        "share of answered cases, unanswerable ones among them, whose answer cites something",
        "whether the citation supports anything",
    ),
    Metric(
        "citation_id_validity_micro", "Citation id validity, per id", "per id", "citation", "4",
        "share of distinct cited ids, over all cases, that are documents of their turn",
        "how many cases are touched",
        scale="share", micro=True,
    ),
    Metric(
        "sentence_citation_coverage", "Sentence citation coverage", "sentence", "citation", "4",
        "share of factual sentences, over all cases, that carry a citation, or are a clause of one that does",
        "whether the citation supports the sentence",
        scale="share", micro=True,
    ),
)  # fmt: skip


def measure(facts: Facts) -> dict[str, Measure]:
    """The citation measures of a case."""
    out: dict[str, Measure] = {}
    citations, answerable = facts.citations, facts.answerable
    predicted_inferred = "predicted_answerable" in facts.record.inferred
    citations_inferred = "citations" in facts.record.inferred
    inferred = predicted_inferred or citations_inferred
    if facts.refused:
        if answerable is None:
            out["citation_coverage_labelled"] = MISSING
        elif answerable:
            out["citation_coverage_labelled"] = value(0.0, predicted_inferred)
    else:
        recorded = citations is not None and facts.answered
        covered = value(1.0 if citations else 0.0, inferred) if recorded else MISSING
        out["citation_coverage_answered"] = covered
        if answerable is not False:
            labelled = covered if answerable else MISSING
            out["citation_coverage"] = labelled
            out["citation_coverage_labelled"] = labelled
    _valid(facts, citations_inferred, out)
    if facts.sentences is not None and facts.has_answer and citations is not None:
        _sentences(facts, facts.sentences, inferred, out)
    return out


def _valid(facts: Facts, inferred: bool, out: dict[str, Measure]) -> None:
    cited = facts.cited
    if cited:
        good = sum(target is not None for target in cited.values())
        whole = len(cited)
        out["citation_id_validity"] = value(1.0 if good == whole else 0.0, inferred)
        out["citation_id_validity_micro"] = Measure(
            value=good / whole, inferred=inferred, numerator=float(good), denominator=float(whole)
        )
    elif cited is None and (facts.citations or not facts.refused):
        out["citation_id_validity"] = out["citation_id_validity_micro"] = MISSING


def _sentences(facts: Facts, found: SentenceSummary, inferred: bool, out: dict[str, Measure]) -> None:
    if found.factual:
        # The field cites and no sentence does: which of them it speaks of can't be told.
        apart = found.cited or not facts.citations
        out["sentence_citation_coverage"] = _part(found.cited, found.factual, inferred) if apart else MISSING
    if found.judged:
        out["citation_support"] = _part(found.judged - found.unsupported, found.judged, inferred)


def _part(part: int, whole: int, inferred: bool) -> Measure:
    return Measure(part / whole, inferred=inferred, numerator=float(part), denominator=float(whole))
