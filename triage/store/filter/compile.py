"""A filter text to one SQL condition over the store's tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from triage.errors import FilterError
from triage.store.filter import conditions
from triage.store.filter.conditions import Clause
from triage.store.filter.names import Names
from triage.store.filter.parse import Unreadable, read
from triage.store.filter.scan import Fault, scan
from triage.store.filter.syntax import Either, Node, Not, Term
from triage.store.filter.where import FilterContext, Where

if TYPE_CHECKING:
    from triage.store.search_tokens import Search

MAX_DEPTH = 20
"""ANDs within ORs within NOTs; SQLite's own parser overflows at about 34, joins included."""


def compile_text(text: str, context: FilterContext, literal: bool) -> Where:
    """`compile_filter` for a text that is not blank.

    Raises:
        FilterError: as there.
    """
    if literal:
        return _literal(text, context.search)
    names = Names(context)
    scanned = scan(text, names.known)
    if not scanned.named and not _is_phrase(text.strip()) and len(text.split()) == 1:
        return _literal(text.strip(), context.search)
    try:
        node = read(scanned, len(text))
        clause = _condition(node, names, 0)
    except Unreadable as unreadable:
        if not scanned.named:
            return _literal(text.strip(), context.search)
        fault = unreadable.fault
        raise FilterError(fault.title, f"column {fault.column}", fault.hint, column=fault.column) from None
    return _where(clause, on_results=names.on_results)


def _literal(text: str, search: Search | None) -> Where:
    return _where(conditions.anywhere(_bindable(text), search), said=f"text: {text}")


def _where(clause: Clause, *, on_results: bool = False, said: str = "") -> Where:
    return Where(
        clause.sql,
        tuple(_bindable(param) if isinstance(param, str) else param for param in clause.params),
        needs_payload=re.search(r"\bp\.", clause.sql) is not None,
        needs_reviews=re.search(r"\br\.", clause.sql) is not None,
        on_results=on_results,
        said=said,
    )


def _bindable(text: str) -> str:
    """`text` with lone surrogates written out, as the store does, since SQLite can't hold them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_phrase(text: str) -> bool:
    return re.fullmatch(r'"(?:[^"\\]|\\.)*"|[“”][^“”"]*[“”]', text, re.DOTALL) is not None


def _condition(node: Node, names: Names, depth: int) -> Clause:
    if isinstance(node, Term):
        return names.condition(node)
    if depth >= MAX_DEPTH:
        # As if unreadable, so that a text without fields is still searched literally.
        raise Unreadable(Fault("groups are nested too deeply", 1, f"at most {MAX_DEPTH} levels"))
    if isinstance(node, Not):
        return conditions.negated(_condition(node.item, names, depth + 1))
    clauses = [_condition(item, names, depth + 1) for item in node.items]
    return conditions.any_of(clauses) if isinstance(node, Either) else conditions.all_of(clauses)
