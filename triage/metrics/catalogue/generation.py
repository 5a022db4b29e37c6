"""What judges and the runner say of the answer (metrics.md section 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import LOW_SCORE, MISSING, Metric, judged, on_five, share, value
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

CORRECT_SCORE = 4.0
"""An answer with this correctness or more (of 1-5) is correct."""

PLACE = 40
ASKS = "scores"
METRICS: tuple[Metric, ...] = (
    judged(
        "faithfulness", "Faithfulness", "faithful",
        "mean of the judge's scores for how far the answer keeps to what was retrieved",
        "whether what was retrieved is right; judges of different tools differ, so keep the source",
    ),
    share(
        "hallucination_rate", "Hallucination rate", "halluc.", "generation", "5",
        "share of answered, judged cases with faithfulness of 2 or less (of 1-5; .25 of 0-1)",
        "what was made up; refusals are left out, because judges give them about 0",
        higher_is_better=False,
    ),
    share(
        "answer_correctness", "Answer correctness", "correct", "generation", "5",
        "share of judged answers that score 4 or more (of 1-5; .75 of 0-1) against the reference",
        "whether the reference is up to date",
    ),
    judged(
        "answer_relevancy", "Answer relevancy", "relevant",
        "mean of the judge's scores for how far the answer speaks to the question",
        "whether it is true; some judges give a refusal 0",
    ),
    judged(
        "factual_correctness", "Factual correctness", "factual",
        "mean of the judge's scores for facts that are right", "whether anything is left out",
    ),
    judged(
        "completeness", "Completeness", "complete",
        "mean of the judge's scores for covering all that was asked", "whether what is there is right",
    ),
    judged(
        "groundedness", "Groundedness", "grounded",
        "mean of the judge's scores for resting on the sources", "whether the sources are right",
    ),
    judged(
        "clarity", "Clarity", "clarity",
        "mean of the judge's scores for being understood", "whether it is true",
    ),
    share(
        "runner_pass_rate", "Runner's pass rate", "passed", "generation", "5",
        "share of cases that the evaluation runner itself calls passed",
        "why: its own words stand in the case",
    ),
)  # fmt: skip
_JUDGED = tuple(metric.key for metric in METRICS if metric.scale == "judge" and metric.key != "faithfulness")


def measure(facts: Facts) -> dict[str, Measure]:
    """The judges' measures of a case, and the runner's.

    A refusal without a score has nothing to be judged, so it is out of scope rather than missing.
    """
    out: dict[str, Measure] = {}
    score, scoring, refused = facts.score, facts.scoring, facts.refused
    faithfulness = score("faithfulness") if facts.scores else None
    if faithfulness is not None:
        out["faithfulness"] = value(faithfulness)
        if not refused:
            low = on_five(faithfulness, scoring) <= LOW_SCORE
            inferred = "predicted_answerable" in facts.record.inferred
            out["hallucination_rate"] = value(1.0 if low else 0.0, inferred)
    elif not refused:
        out["faithfulness"] = out["hallucination_rate"] = MISSING

    correctness = score("answer_correctness") if facts.scores else None
    if correctness is not None:
        out["answer_correctness"] = value(1.0 if on_five(correctness, scoring) >= CORRECT_SCORE else 0.0)
    elif not refused:
        out["answer_correctness"] = MISSING

    for key in _JUDGED:
        judgement = score(key) if facts.scores else None
        if judgement is not None:
            out[key] = value(judgement)
        elif not refused:
            out[key] = MISSING

    passed = facts.record.passed
    out["runner_pass_rate"] = MISSING if passed is None else value(1.0 if passed else 0.0)
    return out
