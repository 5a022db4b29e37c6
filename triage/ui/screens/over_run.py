"""What the screens share that tell of a run's review, or of one sample of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from triage.models.query import Scope
from triage.ui.screens.over import OverScreen

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace


class RunOverScreen(OverScreen):
    """Esc leaves the screen under it as it was.

    Args:
        triage: the Triage screen.
        workspace: everything it shows and writes.
        keymap: the user's keys by action id.
        run_id: whose review it is.
        sample_name: of this sample alone, None = of all of the run.
    """

    def __init__(
        self,
        triage: TriageScreen,
        workspace: Workspace,
        keymap: Mapping[str, str],
        run_id: str,
        sample_name: str | None = None,
    ) -> None:
        super().__init__(triage, workspace, keymap)
        self.run_id, self.sample_name = run_id, sample_name
        self.sample: str | None = sample_name
        """Whose cases count now: the sample's, or None, all of the run."""
        scope = triage.selection.scope
        self.under = scope if scope is not None and scope.run == run_id else Scope(run_id)
        """The Triage screen's scope as it was at the start; the run whole where that shows another one."""
        self._run: RunSummary | None = None

    def action_whole(self) -> None:
        """The sample alone, or the whole run."""
        if self.sample_name is None:
            self.say("this is the whole run: the Review screen opens this for the sample under its cursor")
            return
        self.sample = self.sample_name if self.sample is None else None
        self.ask()
        self.settle()
