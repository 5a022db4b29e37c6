"""The reviewed cases of a run with what the rules suggest for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.models.agreement import SuggestedCase
from triage.store import selection
from triage.store.changed import changed

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store.connection import Connection
    from triage.store.filter import Where


class Suggested:
    """Suggestions beside verdicts, as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def cases(
        self, run: RunSummary, view: int, where: Where, sample: int | None = None
    ) -> list[SuggestedCase]:
        """The cases with a verdict that pass a filter, in file order; `sample`: those of it alone."""
        with self._connection.question() as sql:
            query = selection.base(sql, run, view, where)
            if sample is not None:
                query.also("c.case_id IN (SELECT case_id FROM sample_cases WHERE sample = ?)", "c", sample)
            text, params = selection.reviewed(query)
            rows = sql.execute(
                f"""SELECT c.case_id, m.reason, m.class, m.confidence, r.verdict, r.disputed, r.arbitrated,
                    {changed("r")} {text} ORDER BY c.pk""",
                params,
            ).fetchall()
        return [
            SuggestedCase(
                run.id,
                case_id,
                reason,
                failure_class,
                confidence,
                verdict,
                bool(disputed),
                bool(stale),
                bool(arbitrated),
            )
            for case_id, reason, failure_class, confidence, verdict, disputed, arbitrated, stale in rows
        ]
