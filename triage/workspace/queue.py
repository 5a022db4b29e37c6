"""The queue of a sample: the next case, a reader's verdict on it, how far it all is, and what readers differ
on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.errors import TriageError
from triage.models.query import Scope
from triage.models.reading import Arbitration, Disputed, Ended, Handed, Progress, Reading
from triage.models.verdict import Hashes, ReviewOutcome, Verdict
from triage.store import Act
from triage.workspace import reviews
from triage.workspace.lasting import lasting

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.models.sample import Sample
    from triage.settings import Settings
    from triage.store import Applied, Store, Who
    from triage.store.handing import Queued
    from triage.store.slots import Said
    from triage.workspace.cases import Place

PACE = 20
"""So many of a reader's last readings tell how long the next will take."""
ENOUGH = 3
"""Timed readings from which on the time that is left is told."""
_NOBODY: frozenset[int] = frozenset()


class Queue:
    """The readings of a run's samples, for the reviewer at this terminal.

    In every call `run` is a run's id, `sample` the name of one of its samples, `case_id` a case's id. A call
    raises TriageError where there is no such run, sample or case, and Busy where another process held the
    database for too long; then nothing was written.

    Args:
        run_of: finds a run by its id, with a store of the calling thread.
        place: finds a scope, with the keys that `is:marked` stands for.
        who: who acts, and when.
        settings: gives the settings as they are.
    """

    def __init__(
        self,
        run_of: Callable[[str], tuple[Store, RunSummary]],
        place: Callable[[Scope, frozenset[int]], Place],
        who: Callable[[], Who],
        settings: Callable[[], Settings],
    ) -> None:
        self._run_of, self._place, self._who, self._settings = run_of, place, who, settings

    def next(
        self,
        run: str,
        sample: str,
        text: str = "",
        *,
        literal: bool = False,
        marked: frozenset[int] = _NOBODY,
    ) -> Handed | Ended:
        """Hand this reader his next case; it is his until he gives a verdict, defers it or lets go.

        Whoever comes back gets what he had in hand. Cases that another has had in hand for longer than the
        setting `hold_minutes` are taken over, and readings of a record that has changed since are read anew;
        cases that the reader put off come last.

        Args:
            text, literal, marked: the filter text, as in `Scope`; only cases within it are handed out.

        Raises:
            FilterError: the filter text does not parse.
        """
        return self.go_on(run, sample, text, literal=literal, marked=marked)[0]

    def go_on(
        self,
        run: str,
        sample: str,
        text: str = "",
        *,
        literal: bool = False,
        marked: frozenset[int] = _NOBODY,
    ) -> tuple[Handed | Ended, Progress]:
        """The `next` case with the `progress` beside it, for hardly more than one of them takes."""
        narrowed = Scope(run, text=text, literal=literal)
        return lasting(
            self._run_of,
            run,
            lambda store, found: self._go_on(store, found, sample, narrowed, marked),
            asks=True,
        )

    def _go_on(
        self, store: Store, found: RunSummary, sample: str, scope: Scope, marked: frozenset[int]
    ) -> tuple[Handed | Ended, Progress]:
        kept, who, handing = self._kept(store, found, sample), self._who(), store.handing
        inside = handing.queued(found, kept, who)
        within = self._within(kept, inside, scope, marked)
        handed = handing.hand(found, kept, who, inside, within, self._settings().hold_minutes)
        if isinstance(handed, Handed) and not any(case.to_adopt(who) for case in inside):
            now = {case.case_id: case for case in handing.queued(found, kept, who, [handed.case_id])}
            inside = [now.get(case.case_id, case) for case in inside]
        else:
            inside = handing.queued(found, kept, who)
        return handed, self._progress(store, found, kept, inside, within)

    def open(self, run: str, sample: str, case_id: str) -> Handed:
        """Hand this reader this very case; one that he has read comes with his verdict (`mine`).

        Raises:
            TriageError: others have all its readings.
        """
        minutes = self._settings().hold_minutes

        def opened(store: Store, found: RunSummary) -> Handed:
            kept = self._kept(store, found, sample)
            return store.handing.open(found, kept, case_id, self._who(), minutes)

        return lasting(self._run_of, run, opened)

    def give(
        self,
        run: str,
        sample: str,
        case_id: str,
        verdict: Verdict,
        *,
        labels: Sequence[str] = (),
        note: str = "",
        seconds: float | None = None,
        seen: Hashes | None = None,
    ) -> ReviewOutcome:
        """Give this reader's verdict on a case, with its labels and note; one action, one undo step.

        It is kept whatever happens: where no reading is left for it to be, or the sample has been removed
        meanwhile, the outcome says so.

        Args:
            seconds: how long the reading took, >= 0; None where that is not known.
            seen: the record as it was handed out (`Handed.seen`); None: as it now is.

        Raises:
            UsageError: a label can't be used.
            TriageError: the record has changed since it was `seen`; nothing was written.
        """
        codes, who = reviews.clean_labels(labels), self._who()
        act = Act(
            case_id, "verdict",
            verdict=verdict, labels=codes or None, note=note if note.strip() else None,
            sample=sample, seconds=seconds,
        )  # fmt: skip
        return lasting(
            self._run_of, run, lambda store, found: self._give(store, found, sample, act, seen, who)
        )

    def _give(
        self, store: Store, found: RunSummary, sample: str, act: Act, seen: Hashes | None, who: Who
    ) -> ReviewOutcome:
        case_id, kept = act.case_id, store.samples.load(found.id, sample)
        if seen is not None and store.handing.hashes(found, case_id) not in (seen, None):
            raise TriageError("the record has changed", f"{case_id}, while you read it", "read it again")
        if kept is not None:
            store.handing.reserve(kept, case_id, who, self._settings().hold_minutes)
        done = store.add_events(found, [act], who)
        # The verdict is on disk: labels that stay beside the case must not have it given a second time.
        with contextlib.suppress(TriageError):
            store.beside.keep(found.id, who.reviewer, case_id, ())
        aside = ""
        if kept is None:
            aside = f"; the sample {sample} was removed, the verdict is kept"
        elif not store.handing.holds(kept, case_id, who):
            aside = "; an extra reading, no reading of it was left"
        return reviews.outcome(done, f"read: {act.verdict}{aside}")

    def defer(self, run: str, sample: str, case_id: str, reason: str) -> ReviewOutcome:
        """Put a case off: others may read it, and it comes back to this reader at the end of his queue."""
        who = self._who()

        def deferred(store: Store, found: RunSummary) -> ReviewOutcome:
            kept = self._kept(store, found, sample)
            act = Act(case_id, "defer", sample=kept.name, reason=reason.strip() or None)
            return reviews.outcome(store.add_events(found, [act], who), "deferred")

        return lasting(self._run_of, run, deferred)

    def beside(self, run: str, case_id: str) -> tuple[str, ...]:
        """The labels that this reader has set for a case and not given yet."""
        store, found = self._run_of(run)
        return store.beside.of(found.id, self._who().reviewer, case_id)

    def set_beside(self, run: str, case_id: str, labels: Sequence[str]) -> None:
        """Keep the labels that are to go with this reader's verdict, over a pause too.

        Raises:
            UsageError: a label can't be used.
        """
        store, found = self._run_of(run)
        store.beside.keep(found.id, self._who().reviewer, case_id, reviews.clean_labels(labels))

    def undo(self, run: str) -> ReviewOutcome:
        """Take back this reviewer's last action of this sitting on the run; a reading is in hand again.

        Raises:
            TriageError: there is none, or somebody has changed one of its cases since; nothing was written.
        """
        store, found = self._run_of(run)
        done = store.undo(found, self._who())
        # What the case is now may be another reader's word, which is not to be told before one's own.
        if done.kind in ("verdict", "defer"):
            return reviews.outcome(done, "yours to read again")
        return reviews.outcome(done, f"as before: {done.kind} undone")

    def let_go(self, run: str, sample: str) -> int:
        """Leave the queue: what this sitting has in hand without a verdict others may have. Returns how many.

        A sample that was removed meanwhile has nothing in hand.
        """
        store, found = self._run_of(run)
        kept = store.samples.load(found.id, sample)
        return 0 if kept is None else store.handing.let_go(kept, self._who())

    def progress(
        self,
        run: str,
        sample: str,
        text: str = "",
        *,
        literal: bool = False,
        marked: frozenset[int] = _NOBODY,
    ) -> Progress:
        """How far the reading of a sample is, for this reader; the filter text as in `next`."""

        def told(store: Store, found: RunSummary) -> Progress:
            kept = self._kept(store, found, sample)
            inside = store.handing.queued(found, kept, self._who())
            within = self._within(kept, inside, Scope(found.id, text=text, literal=literal), marked)
            return self._progress(store, found, kept, inside, within)

        return lasting(self._run_of, run, told, asks=True)

    def _progress(
        self,
        store: Store,
        run: RunSummary,
        sample: Sample,
        inside: Sequence[Queued],
        within: frozenset[str] | None,
    ) -> Progress:
        who, minutes = self._who(), self._settings().hold_minutes
        cases = [case for case in inside if within is None or case.case_id in within]
        mine = [case for case in cases if case.fresh]
        left = [case for case in cases if case.to_be_had(who, minutes)]
        return Progress(
            cases=len(cases),
            outside=len(inside) - len(cases),
            mine=len(mine),
            open=len(left),
            deferred=sum(case.said.deferred is not None for case in left),
            others=sum(case.in_hand_of_others(who, minutes) for case in cases),
            # With his own that were given outside of the queue, which he takes into it when he enters.
            readings=sum(slot.batch is not None and not slot.stale for case in inside for slot in case.taken)
            + sum(case.to_adopt(who) and len(case.taken) < case.readings for case in inside),
            wanted=sum(case.readings for case in inside),
            disputed=store.readings.in_dispute(run, sample),
            seconds=_pace(sample.name, [case.said for case in inside]),
            stale=sum(case.said.batch is not None for case in left),
        )

    def ended_words(self, ended: Ended, sample: str, text: str = "") -> str:
        """Why no case is handed out, as a sentence; it names the filter where that is the reason."""
        return {
            "empty": f"none of the cases of {sample} is in the run any more",
            "filtered": f"no case of {sample} passes the filter: {text}",
            "done": f"{sample}: nothing is left for you to read",
            "others": f"{sample}: others have the rest in hand; look again later",
        }[ended] + (f", within the filter: {text}" if text.strip() and ended in ("done", "others") else "")

    # what was said

    def readings(self, run: str, case_ids: Sequence[str]) -> dict[str, tuple[Reading, ...]]:
        """The reviewers' verdicts that stand on cases, oldest first; a case without one is left out.

        Whoever reads blind is not to be shown them before his own is given.
        """
        store, found = self._run_of(run)
        return store.readings.of_cases(found, case_ids)

    def arbitrations(self, run: str, case_ids: Sequence[str]) -> dict[str, Arbitration]:
        """What was decided over the readings of those cases that have an arbitration."""
        store, found = self._run_of(run)
        return store.readings.arbitrations(found, case_ids)

    def disputes(self, run: str, sample: str | None = None, *, decided: bool = False) -> list[Disputed]:
        """The cases of a run, or of one of its samples, whose readers differ, in the order of file or queue.

        `decided`: those too that an arbitration has settled.
        """
        store, found = self._run_of(run)
        kept = None if sample is None else self._kept(store, found, sample)
        return store.readings.disputes(found, kept, decided=decided)

    def unread(self, run: str, case_ids: Sequence[str]) -> frozenset[str]:
        """Those of some cases that a sample has still to hand to this reader, who has not judged them: what
        others say of them he is not to be shown.
        """
        store, found = self._run_of(run)
        who, minutes, open_ = self._who(), self._settings().hold_minutes, dict[str, int]()
        for sample in store.samples.of_run(found.id):
            for case in store.handing.queued(found, sample, who, case_ids):
                if case.said.batch is None and case.to_be_had(who, minutes):
                    open_[case.case_id] = max(case.readings, open_.get(case.case_id, 0))
        # Verdicts that were given outside of the queue fill its readings when their readers come to it.
        given = store.readings.of_cases(found, list(open_))
        return frozenset(one for one, wanted in open_.items() if len(given.get(one, ())) < wanted)

    def arbitrate(
        self,
        run: str,
        case_id: str,
        verdict: Verdict,
        reason: str,
        *,
        labels: Sequence[str] | None = None,
        seen: int | None = None,
    ) -> ReviewOutcome:
        """Decide over a case's readings, which all stay; `labels` in place of those that stand, None: as is.

        Args:
            seen: the event of the arbitration that one knows of, 0 = of none; None = whatever stands.

        Raises:
            TriageError: the reason is blank, or another has decided since what was `seen`; nothing was
                written.
            UsageError: a label can't be used.
        """
        codes, who = None if labels is None else reviews.clean_labels(labels), self._who()
        act = Act(case_id, "arbitration", verdict=verdict, labels=codes, reason=reason.strip())

        def decided(store: Store, found: RunSummary) -> Applied:
            stands = store.readings.arbitrations(found, [case_id]).get(case_id)
            if seen is not None and stands is not None and stands.event != seen:
                said = f"{case_id} by {stands.reviewer} as {stands.verdict}: {stands.reason}"
                raise TriageError("settled meanwhile", said, "decide again to settle it otherwise")
            return store.add_events(found, [act], who)

        return reviews.outcome(lasting(self._run_of, run, decided), f"arbitrated: {verdict}")

    @staticmethod
    def _kept(store: Store, run: RunSummary, name: str) -> Sample:
        return store.samples.named(run.id, name)

    def _within(
        self, sample: Sample, inside: Sequence[Queued], scope: Scope, marked: frozenset[int]
    ) -> frozenset[str] | None:
        """The cases of a sample that pass a scope's filter text, None for all of them.

        Where the filter asks for verdicts, those that the reader has read in this queue stay within it.
        """
        if not scope.text.strip():
            return None
        place = self._place(replace(scope, k=sample.drawn.rule.k, view="all"), marked)
        passing = place.store.handing.passing(place.run, place.view, place.where, sample)
        if place.where.needs_reviews or "reviews_now" in place.where.sql:
            passing |= {case.case_id for case in inside if case.fresh and case.said.sample == sample.name}
        return frozenset(passing)


def _pace(sample: str, said: Sequence[Said]) -> float | None:
    """The median of the reader's last times a case in a sample's queue, in seconds; None: too few."""
    # Imported here because it loads fractions and decimals.
    from statistics import median

    timed = sorted(
        (one.event, one.seconds) for one in said if one.seconds is not None and one.sample == sample
    )
    return median(seconds for _, seconds in timed[-PACE:]) if len(timed) >= ENOUGH else None
