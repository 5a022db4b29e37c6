"""Groups of similar failures as their screen shows them: rows, columns, what is told of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from textual.strip import Strip

from triage.models.groups import MOST_COMPARED, Group, Grouped
from triage.plain import cut, fit, one_line, preview, width
from triage.ui.palette import LAYER_DIGITS, LAYER_WORDS, Palette
from triage.ui.widgets.labelled import labelled, wrapped
from triage.ui.widgets.line import Part, Words, line
from triage.ui.work.words import number_of

GAP = 2
CLASS, COUNT, JUDGED = 12, 5, 6
COMMON_LEAST, COMMON_MOST, QUERY_LEAST = 30, 48, 24
_GUTTER = 13


def open_groups(found: Grouped) -> tuple[Group, ...]:
    """The groups in which a case is left without a verdict."""
    return tuple(group for group in found.groups if group.judged < group.cases)


def narrowed(groups: tuple[Group, ...], text: str) -> tuple[Group, ...]:
    """The groups whose rule, document, queries or labels hold every word that is typed."""
    words = text.casefold().split()
    return tuple(
        group
        for group in groups
        if all(
            word
            in " ".join(
                (group.failure_class or "", group.reason, group.meaning, group.common, *group.queries,
                 *group.labels)
            ).casefold()
            for word in words
        )
    )  # fmt: skip


class GroupsSheet(Struct, frozen=True, dict=True):
    """The groups as rows; there may be thousands, so that no row that is painted looks at all of them."""

    groups: tuple[Group, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """What tells them apart."""
        return tuple(group.key for group in self.groups)

    @cached_property
    def _longest(self) -> int:
        return max((width(preview(group.common)) for group in self.groups), default=0)

    def _common(self, cells: int) -> int:
        room = cells - 1 - CLASS - COUNT - JUDGED - 4 * GAP - QUERY_LEAST - 1
        return max(min(self._longest, COMMON_MOST, max(room, COMMON_LEAST)), COMMON_LEAST - 6)

    def heading(self, cells: int, lit: bool, ink: Palette) -> Strip:
        """`class`, how many cases, how many judged, what they share, a query."""
        on = "raised"
        voice = ink("text" if lit else "faint", on)
        parts: list[Part] = [
            (" " + fit("class", CLASS), voice),
            (" " * GAP + fit("cases", COUNT, right=True), voice),
            (" " * GAP + fit("judged", JUDGED, right=True), voice),
            (" " * GAP + fit("in common", self._common(cells)), voice),
            (" " * GAP + "such as", voice),
        ]
        return line(parts, [], cells, voice)

    def paint(self, place: int, cells: int, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
        """A group; one that is judged rests."""
        group = self.groups[place]
        on = "cursor" if cursor else "bg"
        text, quiet = ink("text", on), ink("muted", on)
        done = group.judged >= group.cases
        faint = quiet if cursor else ink("faint", on)
        head = (">", ink.fill("focus") if focused else text) if cursor else (" ", text)
        judged = f"{group.judged:,}" if group.judged else "-"
        parts: list[Part] = [head, *_class(group, on, done, ink)]
        parts += [
            (" " * GAP + fit(f"{group.cases:,}", COUNT, right=True), quiet if done else text),
            (" " * GAP + fit(judged, JUDGED, right=True), faint),
            (" " * GAP + fit(preview(group.common), self._common(cells)), quiet if done else text),
            (" " * GAP + (one_line(group.queries[0]) if group.queries else ""), quiet),
        ]
        return line(parts, [(" ", text)], cells, text)


def _class(group: Group, on: str, done: bool, ink: Palette) -> list[Part]:
    kind = group.failure_class
    if kind is None:
        word = {"system_error": "error", "runner_failed": "run failed"}.get(group.reason, "no class")
        return [(fit(f"  {word}", CLASS), ink("muted" if done else "bad", on))]
    sign = (LAYER_DIGITS[kind], ink(kind, on) if done else ink.fill(kind))
    return [sign, (fit(f" {LAYER_WORDS[kind]}", CLASS - 1), ink("muted", on) if done else ink(kind, on))]


def title_of(group: Group) -> Words:
    """The group under the cursor: how many cases, what they share."""
    said: list[tuple[str, str]] = [(number_of(group.cases, "case"), "text bold"), ("   ", "text")]
    said.append((one_line(group.common), "text"))
    return said


def told_of(group: Group, cells: int, keys: Mapping[str, str]) -> list[Words]:
    """Why its cases are one group, and what people have said of them, in lines of at most `cells` cells."""
    room = max(cells - _GUTTER - 2, 20)
    if len(group.reasons) > 1:
        rules = ", ".join(f"{name} {count:,}" for name, count in group.reasons.items())
        lines = [*_wrapped("same class", f"{group.failure_class or 'none'}, by {rules}", cells)]
    else:
        lines = [*_wrapped("same rule", f"{group.reason}: {group.meaning}", cells)]
    if group.kind == "queries":
        least = f"{group.least:.2f}".removeprefix("0")
        why = f"their queries are like that of {group.first}, the least by {least} of 1"
    elif group.kind == "rule":
        why = "nothing more was found: neither a document that the rule names nor a like query"
        if group.cases > MOST_COMPARED:
            why = f"nothing but the rule; of so many only {MOST_COMPARED:,} queries were compared"
    else:
        why = {
            "missing": "the same expected document was not retrieved",
            "expected": "the same document is expected",
            "cited": "what they say clashes with the same document",
            "clash": "what they say clashes in the same way with what they cite",
            "unknown": "they cite the same thing, which is not in the evidence",
            "error": "the runner failed it with the same words"
            if group.reason == "runner_failed"
            else "the system failed with the same words",
        }[group.role or "expected"] + f": {group.name}"
    lines += _wrapped("same also" if group.kind != "rule" else "else", why, cells)
    verdicts = [f"{LAYER_WORDS.get(name, name)} {count:,}" for name, count in group.verdicts.items()]
    left = group.cases - group.judged
    said = ", ".join([*verdicts, f"{left:,} without a verdict" if left else "all of them judged"])
    lines += _wrapped("verdicts", said, cells)
    if group.labels:
        lines += _wrapped(
            "labels", ", ".join(f"{one_line(name)} {count:,}" for name, count in group.labels.items()), cells
        )
    if group.high_risk:
        lines.append(_beside("high risk", [(number_of(group.high_risk, "case"), "text bold")]))
    for number, query in enumerate(group.queries):
        lines.append(_beside("" if number else "asked", [(cut(one_line(query), room), "text")]))
    lines.append(
        _beside("", [(keys["groups.open"], "focus bold"),
                     (" opens them, all marked: one verdict key judges them all", "muted")])
    )  # fmt: skip
    return lines


def _beside(word: str, words: Words) -> Words:
    return labelled(word, words, _GUTTER)


def _wrapped(word: str, text: str, cells: int) -> Iterator[Words]:
    role = "text" if word.startswith("same") else "muted"
    return wrapped(word, text, role, cells, gutter=_GUTTER, most=cells)
