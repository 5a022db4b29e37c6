"""Many cases at once: marked ones by their keys, labels added and taken, cases put off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from triage.errors import TriageError
from triage.models.verdict import ReviewOutcome
from triage.store import Act
from triage.workspace import reviews
from triage.workspace.lasting import lasting

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store import Applied, Store, Who


class Labels(Struct, frozen=True):
    """A label, on how many of the cases asked about it stands, on how many of all, and what it means."""

    name: str
    here: int
    used: int
    definition: str = ""


class Bulk:
    """What is asked and written of many cases of a run; each write is one action and one undo step.

    Args:
        run_of: finds a run by its id, with a store of the calling thread.
        who: who acts, and when.
        known: labels that the settings offer.
    """

    def __init__(
        self,
        run_of: Callable[[str], tuple[Store, RunSummary]],
        who: Callable[[], Who],
        known: Sequence[str],
    ) -> None:
        self._run_of, self._who, self._known = run_of, who, known

    def ids_of(self, run_id: str, pks: Sequence[int]) -> list[str]:
        """The case ids of keys, in the order given, also of keys of the revision before.

        Raises:
            TriageError: no such run, or a case has gone.
        """
        store, run = self._run_of(run_id)
        found = store.ids_of(pks)
        gone = sum(pk not in found for pk in pks)
        if gone:
            raise TriageError(
                "marked cases have gone",
                f"{reviews.counted(gone)} of {run.id}",
                "mark them anew; nothing written",
            )
        return [found[pk] for pk in pks]

    def moved(self, run_id: str, pks: Sequence[int]) -> dict[int, int]:
        """Keys of an earlier revision to those of the same cases in the run as it is now; one that has gone
        is left out.
        """
        store, run = self._run_of(run_id)
        found = store.ids_of(pks)
        now = store.pks_of(run.pk, list(found.values()))
        return {pk: now[case_id] for pk, case_id in found.items() if case_id in now}

    def defer(self, run_id: str, case_ids: Sequence[str]) -> ReviewOutcome:
        """Put cases off until somebody's verdict; where nothing is left to put off, take that back.

        Raises:
            TriageError: no such run or case; nothing was written.
            Busy: another process held the database for too long; nothing was written.
        """
        done = self._write(run_id, [Act(case, "defer") for case in case_ids])
        if done.batch:
            left = len(case_ids) - len(done.reviews)
            aside = f"; {reviews.counted(left)} judged or deferred before" if left else ""
            return reviews.outcome(done, f"deferred{aside}")
        done = self._write(run_id, [Act(case, "undefer") for case in case_ids])
        nothing = f"{reviews.named(case_ids)}: judged already, nothing to put off"
        return reviews.outcome(done, "no longer deferred", nothing)

    def labels(self, run_id: str, case_ids: Sequence[str]) -> list[Labels]:
        """Every label that may be set: those of the cases first, then the most used, then the settings', then
        those that are only defined.
        """
        store, _ = self._run_of(run_id)
        here = store.codes.on_cases(run_id, case_ids)
        uses = store.codes.uses()
        used = {name: sum(runs.values()) for name, runs in uses.items()}
        names = [
            *sorted(here, key=lambda name: (-here[name], -uses.get(name, {}).get(run_id, 0), name)),
            *sorted(used, key=lambda name: (-used[name], name)),
            *self._known,
        ]
        means = {name: entry.definition for name, entry in store.codes.entries().items()}
        return [
            Labels(name, here.get(name, 0), used.get(name, 0), means.get(name, ""))
            for name in dict.fromkeys((*names, *means))
        ]

    def change_labels(
        self, run_id: str, case_ids: Sequence[str], add: Sequence[str], take: Sequence[str]
    ) -> ReviewOutcome:
        """Add labels to cases and take labels from them; the others that stand on a case stay.

        Raises:
            UsageError: a label is empty or holds the bar that joins labels in a CSV cell.
            TriageError: no such run or case; nothing was written.
            Busy: another process held the database for too long; nothing was written.
        """
        more, less = reviews.clean_labels(add), tuple(take)
        acts = [Act(case, "labels", add=more, take=less) for case in case_ids]
        said = " ".join([*(f"+{label}" for label in more), *(f"-{label}" for label in less)])
        nothing = f"{reviews.named(case_ids)}: labels stand so already"
        return reviews.outcome(self._write(run_id, acts), f"labelled {said}", nothing)

    def _write(self, run_id: str, acts: Sequence[Act]) -> Applied:
        who = self._who()
        return lasting(self._run_of, run_id, lambda store, run: store.add_events(run, acts, who))
