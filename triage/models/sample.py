"""A sample of a run's cases for people to read: how it was drawn, what is in it, what it can claim."""

from __future__ import annotations

from msgspec import Struct

DEFAULT_BY = ("class", "topic")
"""Strata where none are asked for: suggested class x topic."""
DEFAULT_SIZE = 59
"""Cases where no number is asked for: 59 clean ones bound the failure rate at 5 % (metrics.md section 7)."""

DEFAULT_SEED = "1"
"""The seed where none is given: the same cases and rule give the same sample until another is wanted."""


class SampleRule(Struct, frozen=True):
    """How a sample is drawn; with the same cases it draws the same again, on any machine.

    Args:
        seed: a text; it decides the picks and the order of the queue.
        n: most cases in all, >= 1; cases that must be reviewed count among them and are taken even beyond it.
        by: dimensions of the strata, as on the Slices screen; `class` is the suggested class.
        per_topic: instead of `n`: so many of each topic, >= 1; None = not.
        most: beside `per_topic`: most cases in all, >= 1; None = as many as the topics give.
        topics: cases of these topics alone; () = of all.
        must: filter texts; the cases that any of them selects are taken first. () = none.
        must_cap: most cases that `must` takes, the uncertain ones first; 0 = all.
        text, literal: the filter text of the population, as in `Scope`; "" = the whole run.
        k: the K of measures and suggestions.
        readings, must_readings: how many people read a case, and one that must be reviewed, >= 1.
    """

    seed: str
    n: int
    by: tuple[str, ...] = DEFAULT_BY
    per_topic: int | None = None
    topics: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    must_cap: int = 0
    text: str = ""
    literal: bool = False
    k: int | None = None
    readings: int = 1
    must_readings: int = 2
    most: int | None = None


class Stratum(Struct, frozen=True):
    """Cases that are alike: `key` is dimension -> value as shown, `ids` those that were drawn, sorted.

    `must`: these are cases that must be reviewed; they are a stratum of their own, so that the weight of each
    drawn case is `size` / `allocated`.
    """

    key: dict[str, str]
    size: int
    allocated: int
    ids: tuple[str, ...]
    must: bool = False


class LeftOut(Struct, frozen=True):
    """A rule of must-review: how many cases it selects, and how many of them the cap left out."""

    rule: str
    cases: int
    left_out: int


class Drawn(Struct, frozen=True):
    """What a rule draws. `shortages` are sentences: a stratum or topic with fewer cases than wanted.

    `claim` is what so many cases can say, such as `59 clean cases: failure rate at most 5 % (95 %)`;
    `further` what they say where one or two of them fail, and of these cases themselves.
    """

    rule: SampleRule
    population: int
    strata: tuple[Stratum, ...]
    must: tuple[LeftOut, ...] = ()
    shortages: tuple[str, ...] = ()
    claim: str = ""
    further: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """How many cases were drawn."""
        return sum(stratum.allocated for stratum in self.strata)


class SampleCase(Struct, frozen=True):
    """A case of a sample: its 0-based place in the queue, its stratum's index, how many are to read it."""

    case_id: str
    place: int
    stratum: int
    must: bool
    readings: int


class Sample(Struct, frozen=True):
    """A sample that is kept by its name, unique within its run. `pk` is the store's key.

    `revision` is that of the run when it was drawn; `at` is UTC ISO 8601.
    """

    pk: int
    run: str
    name: str
    revision: int
    drawn: Drawn
    readings: int
    reviewer: str
    at: str
