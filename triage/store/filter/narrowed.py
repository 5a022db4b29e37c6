"""A compiled filter narrowed by what people said of the cases, whatever its text is."""

from __future__ import annotations

from msgspec.structs import replace

from triage.models.verdict import MISTAKE
from triage.store.filter.where import Where


def without_mistakes(where: Where) -> Where:
    """The cases that a filter selects, without the test set's mistakes: those whose verdict is test-set, as
    long as neither their query nor their labels have changed since.
    """
    return _also(where, "r.verdict IS NOT ? OR r.hash_case IS NOT c.hash_case", MISTAKE)


def judged(where: Where) -> Where:
    """The cases that a filter selects and that have a verdict."""
    return _also(where, "r.verdict IS NOT NULL")


def _also(where: Where, condition: str, *params: object) -> Where:
    return replace(
        where,
        sql=f"({where.sql}) AND ({condition})",
        params=(*where.params, *params),
        needs_reviews=True,
        on_results=True,
    )
