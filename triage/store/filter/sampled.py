"""Conditions of the review: samples that a case is in, and cases of which judges or rules are not sure."""

from __future__ import annotations

import json
from collections.abc import Collection

from triage.metrics.metric import LOW_SCORE
from triage.metrics.outcome import GOOD_SCORE
from triage.store.filter.conditions import Clause, any_of, never_null
from triage.store.filter.match import spec
from triage.store.filter.syntax import Value, Word


def in_sample(value: Value, run: tuple[int, str] | None) -> Clause:
    """`sample:name`: the cases of the run's samples of that name; `run` as in `FilterContext`."""
    every = isinstance(value, Word) and value.is_star
    test, params = ("1", []) if every else ("triage_test(s.name, ?)", [spec(value)])
    if run is None:
        return never_null(
            f"""EXISTS (SELECT 1 FROM revisions v JOIN runs n ON n.pk = v.run_pk
                JOIN samples s ON s.run_id = n.run_id
                JOIN sample_cases x ON x.sample = s.pk AND x.case_id = c.case_id
                WHERE v.pk = c.rev AND {test})""",
            *params,
        )
    rev, run_id = run
    return Clause(
        f"""(m.case_pk IN (SELECT n.pk FROM samples s CROSS JOIN sample_cases x ON x.sample = s.pk
            CROSS JOIN cases n ON n.rev = ? AND n.case_id = x.case_id WHERE s.run_id = ? AND {test}))""",
        (rev, run_id, *params),
    )


def uncertain(at_odds: Collection[int], faithfulness: str | None, score_scale: str) -> Clause:
    """`is:uncertain`: two judges need an arbitration, or the sentence check and a judge are at odds.

    They do where a sentence is unsupported and faithfulness is 4 or more (of 1-5), or all that was judged is
    supported and faithfulness is 2 or less.

    Args:
        at_odds: keys of the cases whose judges need an arbitration.
        faithfulness: the column of the judges' score, None where no case has one.
        score_scale: "1-5" or "0-1", as the run's.
    """
    clauses = []
    if at_odds:
        clauses.append(
            Clause("(m.case_pk IN (SELECT value FROM json_each(?)))", (json.dumps(sorted(at_odds)),))
        )
    if faithfulness is not None:
        good, low = GOOD_SCORE, LOW_SCORE
        if score_scale == "0-1":
            good, low = ((score - 1) / 4 for score in (good, low))
        clauses.append(
            never_null(
                f"""(SELECT (k.unsupported > 0 AND {faithfulness} >= ?)
                    OR (k.state = 'supported' AND {faithfulness} <= ?)
                    FROM checks k WHERE k.case_pk = m.case_pk)""",
                good, low,
            )
        )  # fmt: skip
    return any_of(clauses)
