"""One plain sentence for each reason, naming the ids and ranks it rests on.

Ids and texts of the record are put in as they are; whoever prints the sentence makes it plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.diagnosis.reasons import REASONS
from triage.models.measure import Finding

if TYPE_CHECKING:
    from triage.models.record import Record


def explain(finding: Finding, record: Record) -> str:
    """Why, in one sentence. A finding that came without its evidence gets what its reason means at all."""
    reason = REASONS.get(finding.reason)
    if reason is None:
        return f"{finding.reason[:1].upper()}{finding.reason[1:]}."
    if reason.says is None or any(key not in finding.evidence for key in reason.needs):
        return f"{reason.meaning[:1].upper()}{reason.meaning[1:]}."
    return reason.says(finding.evidence, record)
