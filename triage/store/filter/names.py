"""What a name before `:` stands for in a run: a field, a metric, one of the record's own keys, or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property

from triage.store.filter import conditions
from triage.store.filter.conditions import Clause, never_null, refuse
from triage.store.filter.fields import BY_NAME, LATER_STATES, RECORDED, STATES, Field, metric_fields
from triage.store.filter.match import spec
from triage.store.filter.syntax import Span, Term, Value, Word
from triage.store.filter.where import FilterContext


class Names:
    """The names of one filter text; `on_results` tells whether one that speaks of results has been used."""

    def __init__(self, context: FilterContext) -> None:
        self.context = context
        self.on_results = False

    def known(self, name: str) -> bool:
        """Is `name` a field, a metric or a key of the run?"""
        return self._find(name) is not None

    def condition(self, term: Term) -> Clause:
        """The condition of one term.

        Raises:
            FilterError: its field can't take the value.
        """
        clause = self._condition(term)
        return clause if self.context.run is None else conditions.looked_up(clause, *self.context.run)

    def _condition(self, term: Term) -> Clause:
        value = term.value
        if term.name is None:
            search = self.context.search
            return conditions.anywhere(value.text, search) if isinstance(value, Word) else conditions.NEVER
        found = self._find(term.name)
        if found is None:
            return conditions.NEVER
        self.on_results = self.on_results or found.on_results
        if found.kind == "state":
            return self._state(value)
        if found.kind == "missing":
            return self._missing(value)
        if found.kind == "metric":
            return self._metric(found, value)
        if found.name in ("check", "mismatch") and found.on_results:
            # Imported here because few filters speak of it.
            from triage.store.filter.checked import on_check

            return on_check(found, value, None if self.context.run is None else self.context.run[0])
        if found.name == "sample" and found.kind == "list":
            # Imported here because few filters speak of it.
            from triage.store.filter.sampled import in_sample

            return in_sample(value, self.context.run)
        if found.kind == "key":
            return Clause("triage_key(p.extra, ?, ?)", (found.name, spec(value)))
        if isinstance(value, Word) and value.pattern is None:
            if found.name == "topic":
                words = topic_words(value.text, self.context.topic_aliases)
                return conditions.any_of([conditions.equals(found.column, word) for word in words])
            if found.name == "reviewer" and value.text == "@me" and self.context.reviewer:
                return conditions.equals(found.column, self.context.reviewer)
        return conditions.on_field(found, value, self.context.search)

    def _find(self, name: str) -> Field | None:
        own = BY_NAME.get(name) or self._metrics.get(name)
        if own is not None:
            return own
        prefix, dot, rest = name.partition(".")
        if prefix == "record" and dot and rest:
            if self._is_key(rest):
                return _key(rest)
            if rest in RECORDED:
                return BY_NAME[rest]
        return _key(name) if self._is_key(name) else None

    @cached_property
    def _metrics(self) -> dict[str, Field]:
        return {metric.name: metric for metric in metric_fields()}

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(self.context.known_keys())

    def _is_key(self, name: str) -> bool:
        return name in self._keys

    def _state(self, value: Value) -> Clause:
        name = "" if isinstance(value, Span) else value.text.casefold().replace("_", "-")
        if name == "marked":
            chosen = json.dumps(sorted(self.context.marked))
            return Clause("(c.pk IN (SELECT value FROM json_each(?)))", (chosen,))
        if name == "uncertain":
            # Imported here because few filters speak of it.
            from triage.store.filter.sampled import uncertain

            known = self.context
            judged = "m.m_faithfulness" if "faithfulness" in known.metric_bits else None
            return uncertain(known.at_odds(), judged, known.score_scale)
        if name in LATER_STATES:
            refuse(f"is:{name} is not here yet", value.column, "it comes with the comparison of runs")
        if name not in STATES:
            refuse("no such state", value.column, f"is: takes {', '.join(STATES)}")
        return never_null(f"({STATES[name][0]})")

    def _missing(self, value: Value) -> Clause:
        if isinstance(value, Word) and value.is_star:
            return never_null("m.missing <> 0")
        metric = None if isinstance(value, Span) else self._metrics.get(value.text.casefold())
        if metric is None:
            refuse("no such metric", value.column, "missing: takes a metric's key, as missing:faithfulness")
        bit = self._bit(metric)
        return conditions.NEVER if bit is None else never_null(f"((m.missing >> {int(bit)}) & 1)")

    def _metric(self, metric: Field, value: Value) -> Clause:
        # Compiled even where the metric was never measured, so that a wrong value is told all the same.
        clause = conditions.on_field(metric, value)
        return conditions.NEVER if self._bit(metric) is None else clause

    def _bit(self, metric: Field) -> int | None:
        return self.context.metric_bits.get(metric.column.removeprefix("m.m_"))


def _key(name: str) -> Field:
    return Field(name, "key", "a key of the record", f"{name}:*")


def topic_words(typed: str, topic_aliases: Mapping[str, str]) -> list[str]:
    """All words for the topic that `typed` names (`FilterContext.topic_aliases`)."""
    aliases = {alias.casefold(): topic for alias, topic in topic_aliases.items()}
    topic = aliases.get(typed.casefold(), typed)
    words = {topic.casefold(): topic, typed.casefold(): typed}
    words.update({alias: alias for alias, meant in aliases.items() if meant.casefold() in words})
    return list(words.values())
