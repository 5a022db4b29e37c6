"""What the Disputes screen asks of the workspace, off the event loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from triage.models.query import Scope
from triage.ui.widgets.dispute_model import Dispute
from triage.ui.work.reads import Reads

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.models.run import RunSummary
    from triage.workspace import Workspace

MOST = 400
"""Most cases that are shown at once; who has more settles or narrows some first."""


class PoolRead(Message):
    """The run, its disputed and settled cases, how many there are of both in all, and how many this reader is
    to read before he is shown them.
    """

    def __init__(self, run: RunSummary, disputes: Sequence[Dispute], total: int, unread: int) -> None:
        super().__init__()
        self.run, self.disputes, self.total, self.unread = run, disputes, total, unread


class DetailRead(Message):
    """A case whole."""

    def __init__(self, case_id: str, detail: CaseDetail) -> None:
        super().__init__()
        self.case_id, self.detail = case_id, detail


class DisputesReading(Reads):
    """The pool, and the case under the cursor."""

    def pool(self, run_id: str, sample: str | None, k: int | None) -> None:
        """Every case that is or was disputed."""
        workspace = self._workspace
        self.start("disputes pool", lambda: pool_of(workspace, run_id, sample, k), "reading the disputes")

    def detail(self, run_id: str, k: int | None, case_id: str) -> None:
        """The case whole."""
        workspace = self._workspace
        scope = Scope(run_id, k=k)
        self.start(
            "disputes detail",
            lambda: DetailRead(case_id, workspace.case_detail(scope, case_id)),
            "reading the case",
        )


def pool_of(workspace: Workspace, run_id: str, sample: str | None, k: int | None) -> PoolRead:
    """The first `MOST` cases of the pool with their rows."""
    run = workspace.find_run(run_id)
    found = workspace.queue.disputes(run.id, sample, decided=True)
    unread = workspace.queue.unread(run.id, [one.case_id for one in found])
    found = [one for one in found if one.case_id not in unread]
    scope = Scope(run.id, k=k)
    # What is still to be settled is shown before what is.
    first = sorted(found, key=lambda one: one.arbitration is not None)[:MOST]
    keys = (workspace.case_key(scope, one.case_id) for one in first)
    rows = {row.id: row for row in workspace.case_rows(scope, [key for key in keys if key is not None])}
    disputes = [
        Dispute(rows[one.case_id], one.readings, one.arbitration) for one in found if one.case_id in rows
    ]
    return PoolRead(run, disputes, len(found), len(unread))
