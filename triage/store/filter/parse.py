"""A filter text as a tree of our own, by luqum's thread-safe parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from triage.store.filter.scan import Fault, Scan
from triage.store.filter.syntax import Both, Either, Node, Not, Span, Term, Word

if TYPE_CHECKING:
    from luqum import tree


class Unreadable(Exception):
    """A text that does not parse, with the first fault in it."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.title)
        self.fault = fault


def read(scanned: Scan, length: int) -> Node:
    """The tree of a scanned text of `length` characters.

    Raises:
        Unreadable: it does not parse.
    """
    if scanned.fault:
        raise Unreadable(scanned.fault)
    plain = _plain(scanned)
    if plain is not None:
        return plain
    # Loaded with the first filter that needs it: neither the start nor a report's own filters wait for it.
    from luqum.exceptions import ParseError
    from luqum.thread import parse

    try:
        item = parse(scanned.query)
    except ParseError as error:
        raise Unreadable(_fault(str(error), scanned, length)) from None
    return _Reader(scanned).node(item, None)


_PLAIN = re.compile(r"(NOT )?(?:f(\d+):(<=|>=|<|>)?)?w(\d+)")


def _plain(scanned: Scan) -> Node | None:
    """The tree of words and fields that must all hold, as most filters are; None for any other text."""
    parts = [_PLAIN.fullmatch(part) for part in scanned.query.strip().split(" AND ")]
    items: list[Node] = []
    for part in parts:
        if part is None:
            return None
        negated, field, compares, place = part.groups()
        word = scanned.words[int(place)]
        value: Word | Span = word
        if compares:
            up, equal = compares[0] == ">", len(compares) == 2
            low, high = (word, None) if up else (None, word)
            value = Span(low, high, equal or not up, equal or up, word.column)
        term = Term(scanned.names[int(field)] if field else None, value)
        items.append(Not(term) if negated else term)
    return items[0] if len(items) == 1 else Both(tuple(items))


def _fault(said: str, scanned: Scan, length: int) -> Fault:
    place = re.search(r"at position (\d+)", said)
    if place is None:
        return Fault("the filter is not finished", length + 1)
    offset = int(place.group(1))
    found = re.match(r"AND|OR|NOT|[()]", scanned.query[offset:])
    what = f"`{found.group()}`" if found else "a word"
    return Fault(f"{what} is out of place", scanned.column(offset))


class _Reader:
    """Turns luqum's tree into ours, putting the words back for their stand-ins."""

    def __init__(self, scanned: Scan) -> None:
        self.words = scanned.words
        self.names = scanned.names

    def node(self, item: tree.Item, name: str | None) -> Node:
        from luqum import tree

        negative = False
        while isinstance(item, (tree.Not, tree.BaseGroup, tree.SearchField)):
            if isinstance(item, tree.Not):
                negative = not negative
                item = item.a
            elif isinstance(item, tree.SearchField):
                name = self.names[int(item.name[1:])]
                item = item.expr
            else:
                item = item.expr
        found: Node
        if isinstance(item, tree.BaseOperation):
            items = tuple(self.node(operand, name) for operand in item.operands)
            found = Either(items) if isinstance(item, tree.OrOperation) else Both(items)
        else:
            found = Term(name, self._value(item))
        return Not(found) if negative else found

    def _value(self, item: Any) -> Word | Span:
        from luqum import tree

        if isinstance(item, tree.Range):
            low, high = self._word(item.low), self._word(item.high)
            return Span(_end(low), _end(high), item.include_low, item.include_high, low.column)
        if isinstance(item, tree.From):
            word = self._word(item.a)
            return Span(word, None, item.include, True, word.column)
        if isinstance(item, tree.To):
            word = self._word(item.a)
            return Span(None, word, True, item.include, word.column)
        return self._word(item)

    def _word(self, item: Any) -> Word:
        return self.words[int(item.value[1:])]


def _end(word: Word) -> Word | None:
    return None if word.is_star else word
