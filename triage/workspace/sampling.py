"""Samples of a run's cases: what a rule would draw, drawing and keeping it, drawing it again."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from triage.errors import FilterError, TriageError, UsageError
from triage.models.query import Scope
from triage.models.sample import Drawn, Sample, SampleCase, SampleRule
from triage.plain import plain
from triage.review.sampling import Population, draw, queue
from triage.store.filter.names import topic_words

if TYPE_CHECKING:
    from array import array

    from triage.settings import Settings
    from triage.store import Who
    from triage.store.slice_values import Values
    from triage.workspace.cases import Place
    from triage.workspace.slicing import Slicing

CLASS = "class"
"""The name of the suggested class among the dimensions of strata; a record's own key is `record.class`."""
_DIMENSIONS = {CLASS: "suggestion"}
UNCERTAIN = "is:uncertain"
MOST_STRATA = 2000
"""Strata beyond which a sample would tell nothing of any of them."""
LARGEST = 2**31 - 1
"""The largest number that a rule may have."""
LONGEST_NAME = 60
"""Characters of a sample's name."""


class Again(Struct, frozen=True):
    """A kept sample drawn anew by its rule and seed on the run as it is now.

    Args:
        sample: as it was kept.
        drawn: what is drawn now.
        gone, new: ids of cases of the sample that are not drawn any more, and of those that it has not;
            both empty: the same cases.
    """

    sample: Sample
    drawn: Drawn
    gone: tuple[str, ...]
    new: tuple[str, ...]


class Sampling:
    """What `triage sample` and its dialog ask; blocking, from any thread.

    Args:
        place: finds a scope in the store of the calling thread.
        slicing: tells cases apart, by the very dimensions of the Slices screen.
        settings: the user's settings as they are now.
        who: who acts now.
    """

    def __init__(
        self,
        place: Callable[[Scope], Place],
        slicing: Slicing,
        settings: Callable[[], Settings],
        who: Callable[[], Who],
    ) -> None:
        self._place, self._slicing, self._settings, self._who = place, slicing, settings, who
        self._lock = threading.Lock()
        self._known: tuple[tuple[object, ...], Population] | None = None

    # drawing

    def preview(self, run: str, rule: SampleRule) -> Drawn:
        """What a rule draws of a run now; nothing is kept.

        Raises:
            UsageError: no such dimension, too many strata, a number below 1, or a must-review rule of the
                settings that is no filter.
            FilterError: the rule's own filter text does not parse.
            TriageError: no such run.
        """
        rule = _checked(rule)
        place = self._place(Scope(run, k=rule.k, text=rule.text, literal=rule.literal))
        return draw(rule, self._population(place, rule))

    def draw(self, run: str, rule: SampleRule, name: str = "") -> Sample:
        """Draw a sample and keep it by its name; without one it gets the next free of `sample-1`, ...

        A sample of this name that has the same rule and the same cases is kept as it is, and comes back.

        Raises:
            UsageError, FilterError, TriageError: as `preview`; a name that is taken or can't be typed, or a
                rule that draws nothing.
            Busy: another process held the database for too long; nothing was written.
        """
        if name:
            name = clean_name(name)
        drawn = self.preview(run, rule)
        if not drawn.n:
            raise TriageError(
                "nothing to draw", f"no case of {run} is in the selection", "choose another filter or topic"
            )
        place = self._place(Scope(run))
        if (
            name
            and (kept := place.store.samples.load(place.run.id, name)) is not None
            # What it is said to claim is worded anew from time to time.
            and (kept.drawn.rule, kept.drawn.strata) == (drawn.rule, drawn.strata)
        ):
            return kept
        return place.store.samples.keep(place.run, name, drawn, queue(drawn), self._who())

    def again(self, run: str, name: str) -> Again:
        """Draw a kept sample anew, and say what differs; nothing is kept. Raises as `preview`, `sample`."""
        sample = self.sample(run, name)
        drawn = self.preview(run, sample.drawn.rule)
        before, now = (
            {case_id for stratum in one.strata for case_id in stratum.ids} for one in (sample.drawn, drawn)
        )
        return Again(sample, drawn, tuple(sorted(before - now)), tuple(sorted(now - before)))

    # what is kept

    def samples(self, run: str) -> list[Sample]:
        """The samples of a run, newest first.

        Raises:
            TriageError: no such run.
        """
        place = self._place(Scope(run))
        return place.store.samples.of_run(place.run.id)

    def sample(self, run: str, name: str) -> Sample:
        """A kept sample.

        Raises:
            TriageError: no such run, or it has no such sample.
        """
        place = self._place(Scope(run))
        return place.store.samples.named(place.run.id, name)

    def cases(self, run: str, name: str) -> list[SampleCase]:
        """A sample's cases in the order in which they are handed out; raises as `sample`."""
        sample = self.sample(run, name)
        return self._place(Scope(run)).store.samples.cases(sample.pk)

    def free_name(self, run: str) -> str:
        """The next name of `sample-1`, `sample-2`, ... that no sample of the run has."""
        place = self._place(Scope(run))
        return place.store.samples.free_name(place.run.id)

    def remove(self, run: str, name: str) -> int:
        """Let go of a sample and its queue; verdicts given in it stay. Returns how many cases it had.

        Raises:
            TriageError: no such run, or it has no such sample.
        """
        place = self._place(Scope(run))
        if name not in place.store.samples.names(place.run.id):
            self.sample(run, name)
        # One that can't be read any more can be let go of too.
        return place.store.samples.remove(place.run.id, name)

    # the cases that a rule speaks of

    def _population(self, place: Place, rule: SampleRule) -> Population:
        """The cases of a rule's filter by their strata; what was read last is kept, as `n` is typed."""
        names = tuple(_DIMENSIONS.get(name, name) for name in rule.by)
        key = (
            place.store.slices.stamp(place.view), place.store.slices.checked(place.view),
            place.store.lookups.stamp(), place.run.pk, place.run.records, place.where, names, rule.topics,
            rule.must, bool(rule.must_cap), tuple(sorted(self._settings().topic_aliases.items())),
        )  # fmt: skip
        with self._lock:
            if self._known is not None and self._known[0] == key:
                return self._known[1]
        found = self._read(place, rule, names)
        with self._lock:
            self._known = (key, found)
        return found

    def _read(self, place: Place, rule: SampleRule, names: Sequence[str]) -> Population:
        scope = place.scope
        wanted = [*names, *(("topic",) if rule.topics and "topic" not in names else ())]
        apart = self._slicing.told_apart(scope, wanted)
        kept = list(range(len(apart.keys)))
        lacking: tuple[str, ...] = ()
        if rule.topics:
            topics = apart.values[wanted.index("topic")]
            forms = {topic: self._of_topic(topic, topics) for topic in rule.topics}
            lacking = tuple(topic for topic, found in forms.items() if not found)
            every = set().union(*forms.values())
            kept = [at for at in kept if topics.forms[at] in every]
        values = apart.values[: len(names)]
        columns = [[one.forms[at] for at in kept] for one in values]
        numbers: dict[tuple[int, ...], int] = {}
        strata = [numbers.setdefault(form, len(numbers)) for form in zip(*columns, strict=True)]
        if not values:
            strata, numbers = [0] * len(kept), {(): 0}
        if len(numbers) > MOST_STRATA:
            raise UsageError(
                "too many strata",
                f"{' x '.join(rule.by)}: {len(numbers)}",
                "choose dimensions with few values",
            )
        words = [[_value(one, codes) for codes in one.members] for one in values]
        keys = [tuple(texts[form] for texts, form in zip(words, one, strict=True)) for one in numbers]
        pks = [apart.keys[at] for at in kept]
        ids = place.store.ids_of(pks)
        places = {pk: at for at, pk in enumerate(pks)}
        must = tuple(self._selected(scope, text, places) for text in rule.must)
        uncertain = self._selected(scope, UNCERTAIN, places) if rule.must_cap and any(must) else frozenset()
        return Population([ids[pk] for pk in pks], strata, keys, must, uncertain, lacking)

    def _of_topic(self, topic: str, values: Values) -> set[int]:
        """The forms that have a topic, by any of its names."""
        words = {word.casefold() for word in topic_words(topic, self._settings().topic_aliases)}
        codes = {code for code, held in enumerate(values.held) if held.shown.casefold() in words}
        return {form for form, members in enumerate(values.members) if not codes.isdisjoint(members)}

    def _selected(self, scope: Scope, text: str, places: dict[int, int]) -> frozenset[int]:
        """The places of the cases that a must-review rule selects."""
        try:
            place = self._place(Scope(scope.run, k=scope.k, text=text))
        except FilterError as error:
            # Imported here because only a rule that is wrong needs its file and line.
            from triage.settings.tell import wrong_rule

            raise wrong_rule(self._settings(), text, error) from error
        keys: array[int] = place.store.keys(place.run, place.view, place.scope, place.where)
        return frozenset(places[key] for key in keys if key in places)


def _value(values: Values, codes: Sequence[int]) -> str:
    return ", ".join(sorted(values.held[code].shown for code in codes))


def _checked(rule: SampleRule) -> SampleRule:
    """The rule in a form that can be kept; with a quota by topic the topic is among its dimensions."""
    for name, number in (
        ("n", rule.n), ("n", 1 if rule.most is None else rule.most),
        ("per topic", 1 if rule.per_topic is None else rule.per_topic),
        ("readings", rule.readings), ("must readings", rule.must_readings),
    ):  # fmt: skip
        if number < 1:
            raise UsageError(f"{name} is at least 1", str(number))
        if number > LARGEST:
            raise UsageError(f"{name} is too large", str(number), f"at most {LARGEST}")
    by = tuple(dict.fromkeys(rule.by))
    if rule.per_topic is not None and "topic" not in by:
        by = (*by, "topic")
    return replace(rule, by=by, seed=_safe(rule.seed), text=_safe(rule.text))


def _safe(text: str) -> str:
    """`text` with lone surrogates written out, as the database does."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def clean_name(name: str) -> str:
    """A sample's name as it is kept: one line, printable, no spaces at its ends.

    Raises:
        UsageError: nothing of it is left, or it is too long.
    """
    found = re.sub(r"\s+", " ", plain(_safe(name))).strip()
    if not found:
        raise UsageError("a sample's name is empty", repr(name), "give it a name, such as refunds-1")
    if len(found) > LONGEST_NAME:
        raise UsageError("a sample's name is too long", f"{len(found)} characters, at most {LONGEST_NAME}")
    return found
