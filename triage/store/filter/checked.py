"""Conditions on what the sentence check says: asked of its own narrow table, not case by case."""

from __future__ import annotations

from triage.models.sentences import CHECK_STATES, MISMATCHES
from triage.store.filter.conditions import Clause, refuse
from triage.store.filter.fields import Field
from triage.store.filter.match import spec
from triage.store.filter.syntax import Value, Word
from triage.store.schema import key_bounds


def on_check(field: Field, value: Value, rev: int | None) -> Clause:
    """`check:value` or `mismatch:value`; `rev` is the revision whose cases are asked for, where known.

    Raises:
        FilterError: there is no such state or kind.
    """
    test = _state(field, value) if field.name == "check" else _kind(field, value)
    within, params = ("", ()) if rev is None else ("k.case_pk BETWEEN ? AND ? AND ", key_bounds(rev))
    return Clause(
        f"(m.case_pk IN (SELECT k.case_pk FROM checks k WHERE {within}{test.sql}))", (*params, *test.params)
    )


def _state(field: Field, value: Value) -> Clause:
    if isinstance(value, Word) and value.is_star:
        return Clause("1")
    if isinstance(value, Word) and value.pattern is None:
        return Clause("k.state = ?", (_known(field, value, tuple(CHECK_STATES)),))
    return Clause("triage_test(k.state, ?)", (spec(value),))


def _kind(field: Field, value: Value) -> Clause:
    if isinstance(value, Word) and value.is_star:
        return Clause("k.mismatches <> '[]'")
    if isinstance(value, Word) and value.pattern is None:
        # The kinds are ours: none is a part of another, and none needs escaping.
        return Clause("instr(k.mismatches, ?) > 0", (f'"{_known(field, value, MISMATCHES)}"',))
    return Clause("(k.mismatches <> '[]' AND triage_list(k.mismatches, ?))", (spec(value),))


def _known(field: Field, word: Word, names: tuple[str, ...]) -> str:
    name = word.text.casefold().replace("_", "-")
    if name not in names:
        refuse(f"`{field.name}` has no such value", word.column, f"it takes {', '.join(names)}")
    return name
