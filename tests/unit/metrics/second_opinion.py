"""Every metric of a run file once more, from the raw JSON records and the text of metrics.md.

Nothing of `triage` is used here: where the two differ, one of them has misread the definition. Sentences are
not split: records come with `_sentences`, (factual, cited, judged, unsupported) of the answer they were made
with, and `_markers`, the ids that its markers name.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb, log2
from typing import NamedTuple

from tests.unit.metrics.raw_values import Raw, calls, exact, ids_of, lev, matched, score, steps, tries, truth

FALLBACK = "I don't know."
DIMS = ("factual_correctness", "completeness", "groundedness", "clarity")


class Tally(NamedTuple):
    """What a case gives to a metric: part / whole, or missing where both are None."""

    part: float | None
    whole: float = 1


MISSING = Tally(None, 0)


class Run:
    """A run's header and records, after what reading fills in (run-format.md)."""

    def __init__(self, header: Raw, cases: list[Raw]) -> None:
        # Where the case says nothing, its last turn does.
        self.cases = cases
        for case in cases:
            if case.get("turns") and case.get("passed") is None:
                case["passed"] = case["turns"][-1].get("passed")
        self.k = header.get("k", 3)
        self.zero_one = header.get("score_scale") == "0-1"
        # A case with an attempt that nobody judged has no c, and so sets no n.
        lengths = [len(results) for case in cases if (results := tries(case)) and None not in results]
        self.pass_k = header.get("pass_k") or min(lengths, default=None)
        self.cites = any(case.get("citations") is not None or case["_markers"] for case in cases)

    def five(self, value: float) -> float:
        return 1 + 4 * value if self.zero_one else value

    def predicted(self, case: Raw) -> bool | None:
        # What can't be read is not recorded, so that the other name speaks.
        if (said := truth(case.get("predicted_answerable"))) is not None:
            return said
        if (said := truth(case.get("refused"))) is not None:
            return not said
        if "predicted_answerable" in case or "refused" in case:
            return None
        if case.get("answer") is None or case.get("error"):
            return None
        return bool(case["answer"].strip()) and case["answer"] != FALLBACK

    def citations(self, case: Raw) -> list[str] | None:
        field = ids_of(case.get("citations"))
        if field:
            return field
        if case["_markers"]:
            return list(case["_markers"])
        if field is not None:
            return field
        return [] if self.cites and case.get("answer") is not None else None

    def measures(self, case: Raw) -> dict[str, Tally]:
        """Metric key -> what the case gives; an absent key is out of scope."""
        out: dict[str, Tally] = {}
        for part in (
            self._retrieval,
            self._refusal,
            self._citation,
            self._judged,
            self._said,
            self._agent,
            self._turns,
        ):
            out.update(part(case))
        return out

    def _retrieval(self, case: Raw) -> dict[str, Tally]:
        keys = (
            "hit",
            "mrr",
            "recall",
            "precision",
            "precision_trec",
            "all_hit",
            "ndcg",
            "mrr_at_k",
            "ap",
            "f1",
        )
        label, expected = truth(case.get("answerable")), ids_of(case.get("expected_ids"))
        listed = ids_of(case.get("retrieved", case.get("retrieved_ids")))
        if label is False or expected == []:
            return {}
        if expected is None or listed is None:
            return dict.fromkeys(keys, MISSING)
        wanted, window = set(expected), listed[: self.k]
        firsts = [listed.index(one) + 1 for one in wanted if one in listed]
        near = [rank for rank in firsts if rank <= self.k]
        found, distinct = wanted & set(window), set(window)
        recall = len(found) / len(wanted)
        precision = len(found) / len(distinct) if distinct else 0.0
        ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(wanted), self.k) + 1))
        values = {
            "hit": float(bool(found)),
            "mrr": 1 / min(firsts) if firsts else 0.0,
            "recall": recall,
            "precision": precision,
            "precision_trec": len(found) / self.k,
            "all_hit": float(wanted <= distinct),
            "ndcg": sum(1 / log2(rank + 1) for rank in near) / ideal,
            "mrr_at_k": 1 / min(near) if near else 0.0,
            "ap": sum(sum(other <= rank for other in firsts) / rank for rank in firsts) / len(wanted),
            "f1": 2 * precision * recall / (precision + recall) if found else 0.0,
        }
        return {key: Tally(value) for key, value in values.items()}

    def _refusal(self, case: Raw) -> dict[str, Tally]:
        label, said = truth(case.get("answerable")), self.predicted(case)
        known = label is not None and said is not None
        out = {
            "refusal_accuracy": Tally(float(label == said)) if known else MISSING,
            "fallback_rate": MISSING if said is None else Tally(float(not said)),
        }
        if label is not False:
            out["over_refusal"] = Tally(float(not said)) if known else MISSING
        if label is not True:
            out["under_refusal"] = Tally(float(bool(said))) if known else MISSING
        return out

    def _citation(self, case: Raw) -> dict[str, Tally]:
        label, said, cited = truth(case.get("answerable")), self.predicted(case), self.citations(case)
        out: dict[str, Tally] = {}
        whole = said is not None and cited is not None
        if said is not False:
            one = Tally(float(bool(cited))) if whole else MISSING
            out["citation_coverage_answered"] = one
            if label is not False:
                out["citation_coverage"] = one if label else MISSING
        if label is not False:
            if said is False:
                out["citation_coverage_labelled"] = Tally(0.0) if label else MISSING
            else:
                out["citation_coverage_labelled"] = Tally(float(bool(cited))) if whole and label else MISSING
        listed = ids_of(case.get("retrieved", case.get("retrieved_ids")))
        proofs = ids_of(case.get("evidence"))
        if cited:
            distinct = list(dict.fromkeys(cited))
            if listed is None and proofs is None:
                out["citation_id_validity"] = out["citation_id_validity_micro"] = MISSING
            else:
                valid = sum(self._resolves(one, listed or [], proofs or []) is not None for one in distinct)
                out["citation_id_validity"] = Tally(float(valid == len(distinct)))
                out["citation_id_validity_micro"] = Tally(valid, len(distinct))
        elif cited is None and said is not False:
            out["citation_id_validity"] = out["citation_id_validity_micro"] = MISSING
        text = case.get("answer")
        there = bool(text.strip()) if text is not None else said is True
        if said is not False and there and cited is not None and text is not None:
            factual, marked, judged, wrong = case["_sentences"](case, cited)
            if factual:
                unclear = cited and not case["_markers"]
                out["sentence_citation_coverage"] = MISSING if unclear else Tally(marked, factual)
            if judged:
                out["citation_support"] = Tally(judged - wrong, judged)
        return out

    @staticmethod
    def _resolves(one: str, listed: list[str], proofs: list[str]) -> str | None:
        if one in listed or one in proofs:
            return one
        order = listed or proofs
        digits = one.removeprefix("S")
        if digits.isascii() and digits.isdigit() and 1 <= int(digits) <= len(order):
            return order[int(digits) - 1]
        return None

    def _judged(self, case: Raw) -> dict[str, Tally]:
        out: dict[str, Tally] = {}
        said = self.predicted(case)
        for name in ("faithfulness", "answer_relevancy", *DIMS):
            found = score(case, name)
            if found is not None:
                out[name] = Tally(found)
            elif said is not False:
                out[name] = MISSING
        faithful, correct = score(case, "faithfulness"), score(case, "answer_correctness")
        if said is not False:
            out["hallucination_rate"] = (
                MISSING if faithful is None else Tally(float(self.five(faithful) <= 2))
            )
        if correct is not None:
            out["answer_correctness"] = Tally(float(self.five(correct) >= 4))
        elif said is not False:
            out["answer_correctness"] = MISSING
        passed = truth(case.get("passed"))
        out["runner_pass_rate"] = MISSING if passed is None else Tally(float(passed))
        return out

    def _said(self, case: Raw) -> dict[str, Tally]:
        out: dict[str, Tally] = {}
        if case.get("feedback") is not None:
            thumb = case["feedback"].get("thumb")
            out["satisfaction"] = MISSING if thumb is None else Tally(float(thumb == "up"))
        golden = case.get("golden")
        if golden is not None:
            wanted = [*(golden.get("must") or []), *(golden.get("compare") or [])]
            hits = [fact.get("hit") if isinstance(fact, dict) else None for fact in wanted]
            if wanted:
                out["golden_coverage"] = MISSING if None in hits else Tally(sum(hits) / len(hits))
        conflict = case.get("conflict")
        if conflict is not None:
            named = truth(conflict.get("resolved"))
            out["conflict_resolution"] = MISSING if named is None else Tally(float(named))
        if results := tries(case):
            n, c, k = len(results), results.count(True), self.pass_k or len(results) + 1
            told = None not in results and n >= k
            out["pass_at_k"] = Tally(1 - comb(n - c, k) / comb(n, k)) if told else MISSING
            out["pass_hat_k"] = Tally(comb(c, k) / comb(n, k)) if told else MISSING
        return out

    def _agent(self, case: Raw) -> dict[str, Tally]:
        out: dict[str, Tally] = {}
        accepted, route = case.get("expected_route"), case.get("route")
        accepted = [accepted] if isinstance(accepted, str) else accepted
        match: bool | None = None
        if accepted and route is not None:
            match = any(set(one.split("+")) == set(route.split("+")) for one in accepted)
        if accepted is not None or route is not None:
            out["routing_accuracy"] = MISSING if match is None else Tally(float(match))
        due, taken = steps(case.get("expected_plan")), steps(case.get("plan"))
        if due is not None and taken is not None:
            out["plan_efficiency"] = Tally(min(1.0, due / taken) if taken else float(not due))
        elif due is not None or taken is not None:
            out["plan_efficiency"] = MISSING
        wanted, made = calls(case.get("expected_tools")), calls(case.get("tools"))
        success: float | None = None
        if wanted is not None and made is not None:
            longer = max(len(wanted[1]), len(made[1]))
            out["trajectory"] = Tally(1 - lev(wanted[1], made[1]) / longer if longer else 1.0)
            if wanted[0]:
                success = matched(wanted[0], made[0]) / len(wanted[0])
                out["tool_success"] = Tally(success)
        elif wanted is not None or made is not None:
            out["trajectory"] = MISSING
            if wanted is None or wanted[0]:
                out["tool_success"] = MISSING
        return {**out, **self._final(case, match, success, bool(accepted), bool(wanted and wanted[0]))}

    def _final(
        self, case: Raw, match: bool | None, success: float | None, routed: bool, called: bool
    ) -> dict[str, Tally]:
        """Row `final_pass`: every recorded thing right; missing where one is due and absent."""
        exclusions = (case.get("golden") or {}).get("exclude") or []
        hits = [fact.get("hit") if isinstance(fact, dict) else None for fact in exclusions]
        dims = [self.five(found) for name in DIMS if (found := score(case, name)) is not None]
        if not (routed or called or exclusions or dims):
            return {}
        if (
            match is False
            or (success is not None and success < 1)
            or True in hits
            or any(dim < 4 for dim in dims)
        ):
            return {"final_pass": Tally(0.0)}
        open_ = (called and success is None) or None in hits
        told = match is not None or success is not None or any(hit is not None for hit in hits) or dims
        return {"final_pass": Tally(1.0) if told and not open_ else MISSING}

    def _turns(self, case: Raw) -> dict[str, Tally]:
        turns = case.get("turns")
        if not turns:
            return {}
        joints: list[bool | None] = []
        whole: list[bool | None] = []
        labelled = judged = False
        for turn in turns:
            due, got = turn.get("expected_slots"), turn.get("slots")
            said = truth(turn.get("passed"))
            words: list[bool | None] = [] if said is None else [said]
            if due is not None or got is not None:
                labelled = True
                joint = None if due is None or got is None else exact(due, got)
                joints.append(joint)
                words.append(joint)
            judged = judged or bool(words)
            whole.append(False if False in words else None if None in words or not words else True)
        out: dict[str, Tally] = {}
        if labelled:
            known = [joint for joint in joints if joint is not None]
            out["slot_accuracy"] = Tally(sum(known) / len(known)) if known else MISSING
        if judged:
            right = False if False in whole else None if None in whole else True
            out["conversation_pass"] = MISSING if right is None else Tally(float(right))
        return out

    def report(self, cases: Iterable[Raw] | None = None) -> dict[str, tuple[float | None, float, float, int]]:
        """Metric key -> value, numerator, denominator, missing; metrics that no case has are absent."""
        sums: dict[str, list[float]] = {}
        for case in self.cases if cases is None else cases:
            for key, (part, whole) in self.measures(case).items():
                one = sums.setdefault(key, [0.0, 0.0, 0.0])
                if part is None:
                    one[2] += 1
                else:
                    one[0] += part
                    one[1] += whole
        return {
            key: (part / whole if whole else None, part, whole, int(missing))
            for key, (part, whole, missing) in sums.items()
        }
