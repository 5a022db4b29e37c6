"""What a run's review says in the end, and whether what must be reviewed was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from triage.errors import FilterError
from triage.export.markdown import escape
from triage.metrics.registry import combine_all
from triage.models.query import Scope
from triage.models.review_report import Cell, Corrected, Rate, Read, ReviewReport, RuleRead, StratumRead
from triage.models.sample import Sample
from triage.models.verdict import MISTAKE
from triage.review import reviewed
from triage.review.estimate import rate
from triage.review.reviewed import CaseRead, Strata
from triage.review.saturation import saturation
from triage.review.telling import as_markdown
from triage.store.filter.narrowed import judged, without_mistakes

if TYPE_CHECKING:
    from triage.models.measure import MetricValue
    from triage.settings import Settings
    from triage.workspace.cases import Place


class Reviewing:
    """Answers for the review report and `report --fail-on`; blocking, from any thread.

    Args:
        place: finds a scope in the calling thread's store.
        settings: the user's settings as they are now.
    """

    def __init__(self, place: Callable[[Scope], Place], settings: Callable[[], Settings]) -> None:
        self._place, self._settings = place, settings

    def _found(self, scope: Scope) -> Place:
        return self._place(replace(scope, drill=None, view="all", sort="file"))

    # the whole

    def report(self, run_id: str, sample: str | None = None) -> ReviewReport:
        """What the review of a run says.

        Args:
            run_id: the run.
            sample: the name of one of its samples; None: the newest one, or all verdicts of the run where it
                has none; "": all verdicts of the run, whatever samples it has.

        Raises:
            TriageError: no such run, or it has no such sample.
            UsageError: a must-review rule is no filter.
        """
        place = self._found(Scope(run_id))
        samples = place.store.samples.of_run(place.run.id)
        chosen = next((one for one in samples if sample in (None, one.name)), None)
        if chosen is None and sample:
            chosen = place.store.samples.named(place.run.id, sample)
        others = tuple(one.name for one in samples if one is not chosen)
        return self._plain(place, others) if chosen is None else self._sampled(chosen, others)

    def _sampled(self, sample: Sample, others: tuple[str, ...]) -> ReviewReport:
        drawn = sample.drawn
        rule = drawn.rule
        # Metrics and what must be reviewed are the run's, whatever filter the sample was drawn under.
        scope = Scope(sample.run, k=rule.k)
        place = self._found(scope)
        kept = place.store.samples.cases(sample.pk)
        strata = {case.case_id: (case.stratum, case.readings) for case in kept}
        cases = self._cases(place, [case.case_id for case in kept], strata)
        parts = Strata(drawn, cases)
        rows, found = parts.rows(), parts.rate()
        read = reviewed.how_much(cases, drawn.n, sampled=True)
        left_out = {one.rule: one.left_out for one in drawn.must}
        return self._report(
            place,
            cases,
            read,
            sample=sample.name,
            seed=rule.seed,
            population=drawn.population,
            text=rule.text,
            claim=drawn.claim,
            others=others,
            rate=found,
            why_none="",
            topics=parts.topics(),
            strata=rows,
            gone=len(kept) - len(cases),
            remarks=(
                *_spoken_for(drawn.population, place.run.records),
                *_remarks(read, rows, found, len(kept) - len(cases)),
            ),
            must=self.must_review(scope, also=rule.must, readers=rule.must_readings, left_out=left_out),
        )

    def _plain(self, place: Place, others: tuple[str, ...]) -> ReviewReport:
        keys = place.store.keys(place.run, place.view, place.scope, judged(place.where))
        ids = place.store.ids_of(keys)
        cases = self._cases(place, [ids[key] for key in keys], {})
        read = reviewed.how_much(cases, place.run.records, sampled=False)
        found, why = _counted(cases, place.run.records, others)
        return self._report(
            place,
            cases,
            read,
            sample=None,
            seed="",
            population=place.run.records,
            text="",
            claim="",
            others=others,
            rate=found,
            why_none=why,
            topics=reviewed.counted_topics(cases),
            strata=(),
            gone=0,
            remarks=(),
            must=self.must_review(place.scope),
        )

    def _report(self, place: Place, cases: Sequence[CaseRead], read: Read, **further: Any) -> ReviewReport:
        raw = self._metrics(place)
        return ReviewReport(
            run=place.run.id,
            k=place.scope.k or place.run.k,
            cases=place.run.records,
            read=read,
            verdicts=reviewed.by_verdict(cases),
            unsettled=tuple(case.case_id for case in cases if case.end == "unsettled"),
            saturation=saturation([reviewed.met(case) for case in reviewed.in_reading_order(cases)]),
            mistakes=reviewed.mistakes(cases),
            raw=raw,
            corrected=self._corrected(place),
            **further,
        )

    def _cases(
        self, place: Place, case_ids: Sequence[str], strata: dict[str, tuple[int, int]]
    ) -> list[CaseRead]:
        """The cases that the run has, in the order given, with what people say of them now."""
        store = place.store
        keys = store.pks_of(place.run.pk, case_ids)
        pks = [keys[case_id] for case_id in case_ids if case_id in keys]
        readings = store.readings.of_cases(place.run, case_ids)
        out = []
        for row in store.rows(place.run, place.view, pks):
            stratum, wanted = strata.get(row.id, (None, 1))
            out.append(
                CaseRead(
                    case_id=row.id,
                    query=row.query,
                    topic=row.topic,
                    high_risk=row.high_risk,
                    failure_class=row.failure_class,
                    reason=row.reason,
                    review=row.review,
                    readings=readings.get(row.id, ()),
                    stratum=stratum,
                    wanted=wanted,
                )
            )
        return out

    def markdown(self, report: ReviewReport) -> str:
        """A report as a Markdown page that ends in a line feed; text of records stays text in it."""
        return "\n".join(as_markdown(report, escape)) + "\n"

    # what must be reviewed

    def must_review(
        self,
        scope: Scope,
        *,
        also: Sequence[str] = (),
        readers: int | None = None,
        left_out: dict[str, int] | None = None,
    ) -> tuple[RuleRead, ...]:
        """Each must-review rule of the settings (and `also`) with the cases it selects that nobody has judged
        as their records are now.

        Args:
            scope: its run, k and filter text count; the cases are those that pass it.
            also: further rules.
            readers: how many are to judge such a case; default: the setting `must_readings`.
            left_out: cases that a sample's cap left out, by rule.

        Raises:
            UsageError: a rule is no filter.
            FilterError: the scope's filter text does not parse.
            TriageError: no such run.
        """
        settings = self._settings()
        wanted = settings.must_readings if readers is None else readers
        place = self._found(scope)
        inside = None
        if scope.text.strip():
            inside = set(place.store.keys(place.run, place.view, place.scope, place.where))
        since = self._found(Scope(scope.run, k=scope.k, text="is:stale"))
        stale = set(since.store.keys(since.run, since.view, since.scope, since.where))
        return tuple(
            self._rule_read(
                scope, rule, inside, stale, wanted, None if left_out is None else left_out.get(rule)
            )
            for rule in dict.fromkeys((*settings.must_review, *also))
        )

    def _rule_read(
        self,
        scope: Scope,
        rule: str,
        inside: set[int] | None,
        stale: set[int],
        wanted: int,
        left_out: int | None,
    ) -> RuleRead:
        """How much is read of what a rule selects, `inside` some cases (None: all of the run)."""
        try:
            asked = self._found(Scope(scope.run, k=scope.k, text=rule))
        except FilterError as error:
            # Imported here because only a rule that is wrong needs its file and line.
            from triage.settings.tell import wrong_rule

            raise wrong_rule(self._settings(), rule, error) from error
        store = asked.store
        chosen = store.keys(asked.run, asked.view, asked.scope, asked.where)
        waiting = replace(asked.scope, view="unreviewed")
        unread = set(store.keys(asked.run, asked.view, waiting, asked.where))
        kept = [key for key in chosen if inside is None or key in inside]
        ids = store.ids_of(kept)
        judged_once = [ids[key] for key in kept if key not in unread]
        readings = store.readings.of_cases(asked.run, judged_once)
        fresh = {case_id: sum(not one.stale for one in readings.get(case_id, ())) for case_id in judged_once}
        changed = {ids[key] for key in kept if key in stale and not fresh.get(ids[key])}
        read = [case_id for case_id in judged_once if case_id not in changed]
        return RuleRead(
            rule=rule,
            cases=len(kept),
            missing=tuple(ids[key] for key in kept if key in unread or ids[key] in changed),
            few=sum(fresh[case_id] < wanted for case_id in read),
            left_out=left_out,
            stale=len(changed),
        )

    # without the test set's mistakes

    def corrected(self, scope: Scope) -> Corrected | None:
        """The metrics of a scope's cases without those whose verdict is test-set; None where it is of none.

        A case that was mended since (another query, other labels) stays in them.

        Raises:
            FilterError: the filter text does not parse.
            TriageError: no such run.
        """
        return self._corrected(self._found(scope))

    def _corrected(self, place: Place) -> Corrected | None:
        found = place.store.summed(place.run, place.view, place.where).counts
        if not found.verdicts.get(MISTAKE):
            return None
        narrowed = replace(place, where=without_mistakes(place.where))
        rest = narrowed.store.summed(narrowed.run, narrowed.view, narrowed.where).counts
        left_out = found.matching - rest.matching
        return Corrected(left_out, self._metrics(narrowed)) if left_out else None

    def _metrics(self, place: Place) -> dict[str, MetricValue]:
        return combine_all(place.store.summed(place.run, place.view, place.where).aggregates)


def _counted(cases: Sequence[CaseRead], records: int, samples: Sequence[str]) -> tuple[Rate | None, str]:
    """The rate where every case of a run has its verdict; else why there is none."""
    ends = [case.end for case in cases]
    if cases and len(cases) == records and "unsettled" not in ends:
        failing, clean = ends.count("failing"), ends.count("clean")
        return rate([Cell(failing + clean, failing, clean)], ""), ""
    no_sample = "these are not of one sample" if samples else "no sample was drawn"
    if not cases:
        return None, f"nobody has given a verdict, and {no_sample}"
    if len(cases) == records:
        return None, f"{no_sample}, and some verdicts are not settled"
    return None, (
        f"{no_sample}: those who tagged the cases chose them, and nothing follows for the other "
        f"{records - len(cases)}"
    )


def _spoken_for(population: int, records: int) -> tuple[str, ...]:
    """Cases that a sample was not drawn from: those outside of its filter, and those that came later."""
    if population >= records:
        return ()
    return (f"nothing is said of {_cases(records - population)} that the sample was not drawn from",)


def _remarks(read: Read, strata: Sequence[StratumRead], found: Rate, gone: int) -> tuple[str, ...]:
    """What to keep in mind when reading a sample's rate."""
    # Of a stratum without any that counts nothing is taken to be like anything.
    unread = sum(len(one.ids) - one.read - one.test_set - one.unsettled for one in strata if one.read)
    unsettled = sum(one.unsettled for one in strata)
    test_set = sum(one.test_set for one in strata)
    out = []
    if unread > 0:
        out.append(f"{_cases(unread)} drawn and not read: taken to be like the read ones of their stratum")
    if read.deferred:
        out.append(f"{_cases(read.deferred)} put off: nobody left them out by chance")
    if unsettled:
        out.append(
            f"{_cases(unsettled)} in no rate: readers differ on whether they fail, or the record has changed"
        )
    if test_set:
        out.append(f"{_cases(test_set)} in no rate: the test set is wrong")
    if found.uncovered:
        empties = [one for one in strata if one.size > one.test_set and not one.read]
        empty, read_once = len(empties), any(one.unsettled or one.test_set for one in empties)
        out.append(
            f"nothing is said of {_cases(found.uncovered)} in {empty} strat{'um' if empty == 1 else 'a'} "
            f"of which none {'that was read counts' if read_once else 'was read'}"
        )
    if gone:
        out.append(f"{_cases(gone)} of the sample no longer in the run")
    return tuple(out)


def _cases(count: int) -> str:
    return f"{count} case{'' if count == 1 else 's'}"
