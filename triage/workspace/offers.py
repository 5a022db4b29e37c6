"""What may be typed next in a filter: names, values with their counts, filters by name, ready examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from triage.models.measure import CLASSES
from triage.models.offer import Named, Offer
from triage.models.verdict import VERDICTS
from triage.store.filter.fields import BY_NAME, FIELDS, RECORDED, STATES, metric_fields
from triage.store.suggest import Spot, name_text, spot, taken, value_text

if TYPE_CHECKING:
    from triage.workspace.cases import Place

MOST = 60
"""Most things that are offered at once."""
EXAMPLES = 6
"""Whole filters that are offered while nothing is typed."""
_FIRST = ("is", "topic", "suggestion", "reason", "verdict", "query_type", "rank", "label", "note", "id")
"""Names that are offered first while none is typed."""
_BARE = (
    "topic",
    "query_type",
    "domain",
    "difficulty",
    "source",
    "kb_version",
    "route",
    "suggestion",
    "reason",
)
"""Fields whose values are offered for a word without a name."""
_REVIEWS = frozenset(("verdict", "label", "reviewer", "is", "sample"))
_LONG_ENOUGH = 2
"""Characters of an ASCII word from which on values, filters and meanings are looked through for it."""

_Entry = tuple[str, str, int | None, str]
"""What it says, what it means, how many cases, and what is written."""


class Offers:
    """Offers for one run.

    Args:
        place: the run.
        aliases: other words for a topic.
        named: filters by name.
        kept: answers a question once for a key.
        count: how many cases a filter text finds.
    """

    def __init__(
        self,
        place: Place,
        aliases: Mapping[str, str],
        named: Sequence[Named],
        kept: Callable[[tuple[object, ...], Callable[[], Any]], Any],
        count: Callable[[str], int],
    ) -> None:
        self._place = place
        self._lookups = place.store.lookups
        self._aliases = {alias.casefold(): topic.casefold() for alias, topic in aliases.items()}
        self._named = named
        self._kept = kept
        self._count = count
        self._of = (place.run.pk, place.run.records, place.view)

    def at(self, text: str, caret: int) -> list[Offer]:
        """What may be typed at the caret."""
        if not text.strip():
            return self._examples()
        where = spot(text, caret, self._known)
        if where is None:
            return []
        entries = self._values(where) if where.kind == "value" else self._words(text, where)
        offers = []
        for says, means, count, written in entries:
            whole, at = taken(text, where, written)
            # What is typed out already is no choice, and would hold the enter key back.
            if whole != text:
                offers.append(Offer(says, means, count, whole, at))
        return offers[:MOST]

    # names

    def _known(self, name: str) -> bool:
        rest = name.removeprefix("record.")
        return name in self._all_names or (rest != name and (rest in RECORDED or rest in self._keys))

    @cached_property
    def _keys(self) -> frozenset[str]:
        store, rev = self._place.store, self._place.run.pk
        found: frozenset[str] = self._kept(("keys", *self._of), lambda: store.known_keys(rev))
        return found

    @cached_property
    def _all_names(self) -> dict[str, str]:
        names = {one: BY_NAME[one].means for one in _FIRST}
        names |= {field.name: field.means for field in FIELDS}
        measured = self._kept(("measured", *self._of), lambda: self._lookups.measured(self._place.view))
        metrics = {field.name: field.means for field in metric_fields()}
        names |= {key: means for key, means in metrics.items() if key in measured}
        names |= {
            f"record.{key}" if key in names else key: "a key of the record" for key in sorted(self._keys)
        }
        return names | {key: means for key, means in metrics.items() if key not in names}

    def _words(self, text: str, where: Spot) -> list[_Entry]:
        typed = where.typed.casefold()
        if typed.startswith("@"):
            return self._filters(text, where, typed[1:])
        names = [
            (f"{name}:", means, None, name_text(name))
            for name, means in self._all_names.items()
            if name_text(name)
        ]
        if not typed or (len(typed) < _LONG_ENOUGH and typed.isascii()):
            return _matching(names, typed)
        begin = [entry for entry in names if entry[0].casefold().startswith(typed)]
        values = self._bare(typed)
        first = [entry for entry in values if entry[0].partition(":")[2].casefold().startswith(typed)]
        about = [entry for entry in names if typed in entry[1].casefold()]
        ranked = [
            *begin,
            *first,
            *_matching(names, typed),
            *values,
            *self._filters(text, where, typed),
            *about,
        ]
        return list(dict.fromkeys(ranked))

    def _bare(self, typed: str) -> list[_Entry]:
        """Values that hold the word, with their field: `topic:refund` for `refu`."""
        found: list[_Entry] = [
            (f"is:{name}", means, self._states.get(name), f"is:{name}")
            for name, (_, means) in STATES.items()
            if typed in name
        ]
        for field in _BARE:
            for value, count in self._counted(field)[:2000]:
                if typed in value.casefold():
                    found.append(
                        (f"{field}:{value}", BY_NAME[field].means, count, f"{field}:{value_text(value)}")
                    )
        return found

    def _filters(self, text: str, where: Spot, typed: str) -> list[_Entry]:
        rest = text[: where.start] + text[where.end :]
        return [
            (f"@{one.name}", one.text, None, f"({one.text})" if rest.strip() else one.text)
            for one in self._named
            if typed in one.name.casefold()
        ]

    # values

    def _values(self, where: Spot) -> list[_Entry]:
        name, typed = where.field, where.typed.casefold()
        field = BY_NAME.get(name)
        entries: list[_Entry] = []
        if name == "is":
            entries = [(state, means, self._states.get(state), state) for state, (_, means) in STATES.items()]
        elif name == "missing":
            lacks = self._kept(("missing", *self._of), lambda: self._lookups.missing(self._place.view))
            entries = [
                (key, self._all_names.get(key, ""), count, key)
                for key, count in sorted(lacks.items(), key=lambda one: (-one[1], one[0]))
            ]
        elif name == "id":
            return [
                (one.id, one.query, None, value_text(one.id))
                for one in self._lookups.ids(self._place.run.pk, where.typed, MOST)
            ]
        else:
            # A value of spaces alone would be an empty line.
            entries = [
                (value if value.strip() else value_text(value), "", count, value_text(value))
                for value, count in self._counted(name)
            ]
            if name in ("suggestion", "verdict"):
                there = {value for value, *_ in entries}
                words = CLASSES if name == "suggestion" else VERDICTS
                entries += [(word, "", 0, word) for word in words if word not in there]
            if name == "reviewer":
                entries.append(("@me", "your own name", None, "@me"))
            if field is not None and field.kind in ("number", "date", "text") and not entries:
                example = field.example.partition(":")[2]
                entries.append((example, "for example", None, example))
            if not typed and name not in ("suggestion", "verdict"):
                entries.append(("*", "recorded at all", None, "*"))
        return _matching(entries, typed)

    @cached_property
    def _states(self) -> dict[str, int]:
        found: dict[str, int] = self._kept(
            ("states", *self._of, self._lookups.stamp()),
            lambda: self._lookups.states(self._place.run, self._place.view),
        )
        return found

    def _counted(self, name: str) -> list[tuple[str, int]]:
        """The values of a name and their cases; spellings that the filter takes for one are one."""
        stamp = (self._lookups.stamp(),) if name in _REVIEWS else ()

        def ask() -> list[tuple[str, int]]:
            merged: dict[str, tuple[str, int]] = {}
            for value, count in self._lookups.values(self._place.run, self._place.view, name):
                folded = value.casefold()
                key = self._aliases.get(folded, folded) if name == "topic" else folded
                first, before = merged.get(key, (value, 0))
                merged[key] = (first, before + count)
            # A number's values stay in their order, everything else is told by how often it is there.
            field = BY_NAME.get(name)
            if (
                field is None
                and not name.startswith("record.")
                and name in {one.name for one in metric_fields()}
            ):
                return list(merged.values())
            if field is not None and field.kind == "number":
                return list(merged.values())
            return sorted(merged.values(), key=lambda one: -one[1])

        found: list[tuple[str, int]] = self._kept(("values", *self._of, name, *stamp), ask)
        return found

    # examples

    def _examples(self) -> list[Offer]:
        """Whole filters that find something in this run, and the saved ones."""
        stamp = self._lookups.stamp()

        def ask() -> list[Offer]:
            return [
                Offer(text, means, count, text, len(text))
                for text, means in self._candidates()
                if (count := self._count(text))
            ][:EXAMPLES]

        found: list[Offer] = self._kept(("examples", *self._of, stamp), ask)
        saved = [
            Offer(f"@{one.name}", one.text, self._count(one.text), one.text, len(one.text))
            for one in self._named[:20]
        ]
        return found + saved

    def _candidates(self) -> Iterable[tuple[str, str]]:
        topic = self._lookups.failing_topic(self._place.view)
        if topic is not None:
            yield f"topic:{value_text(topic)} is:failing", "one topic's failures"
        yield "is:high-risk is:unreviewed", "high risk, not read yet"
        layers = [value for value, _ in self._counted("suggestion") if value in CLASSES]
        if layers:
            yield f"suggestion:{layers[0]} is:failing", "one layer's failures"
        yield "faithfulness:<=2", "a judge's low scores"
        yield "rank:>1", "the expected document not first"
        yield "answerable:true refused:true", "refused though answerable"
        yield "is:failing confidence:<.6", "the suggestion is not sure"
        yield "is:tagged", "what was tagged so far"
        yield "is:disputed", "reviewers differ"


def _matching(entries: Iterable[_Entry], typed: str) -> list[_Entry]:
    """The entries that hold what is typed, those that begin with it first."""
    holding = [entry for entry in entries if typed in entry[0].casefold()]
    return sorted(holding, key=lambda entry: not entry[0].casefold().startswith(typed))


def _numbers() -> frozenset[str]:
    """Names whose values are numbers."""
    return frozenset(one.name for one in (*FIELDS, *metric_fields()) if one.kind in ("number", "metric"))
