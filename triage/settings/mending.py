"""A settings file's text with some entries of one table changed, and the rest byte for byte as it was."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from triage.settings.kinds import toml, toml_key
from triage.settings.lines import line_of
from triage.settings.toml_text import NotToml, parsed

_ENTRY = re.compile(r"(?P<before>[^=]*=\s*)(?P<value>[^\s#]+)(?P<after>\s*(?:#.*)?)\Z")
_HEADER = re.compile(r"\s*\[")


class Unmendable(ValueError):
    """The text can't be changed in this way: it does not parse, or the table is written in another one."""


def with_entries(text: str, table: Sequence[str], entries: Mapping[str, float]) -> str:
    """`text` with `entries` in a table of numbers: changed where they stand, else added to the table.

    Args:
        text: TOML.
        table: the table's name, its parts in order; made at the end where there is none.
        entries: name -> number.

    Raises:
        Unmendable: nothing can be promised of the result; the file is to be changed by hand.
    """
    try:
        before = parsed(text)
    except NotToml as error:
        raise Unmendable(error.reason) from error
    end = "\r\n" if "\r\n" in text else "\n"
    for name, value in entries.items():
        text = _with_entry(text, (*table, name), value, end)
    wanted = _merged(before, table, entries)
    try:
        if parsed(text) == wanted:
            return text
    except NotToml as error:
        raise Unmendable(error.reason) from error
    raise Unmendable("the table is written on one line")


def _merged(before: dict[str, Any], table: Sequence[str], entries: Mapping[str, float]) -> dict[str, Any]:
    if not table:
        return {**before, **entries}
    inner = before.get(table[0], {})
    if not isinstance(inner, dict):
        raise Unmendable(f"{table[0]} is no table")
    return {**before, table[0]: _merged(inner, table[1:], entries)}


def _with_entry(text: str, key: tuple[str, ...], value: float, end: str) -> str:
    lines = text.split("\n")
    at = line_of(text, key, whole=True)
    if at is not None:
        line = lines[at - 1].removesuffix("\r")
        found = _ENTRY.match(line)
        if found is None:
            raise Unmendable(f"line {at} is written in another way")
        tail = "\r" if lines[at - 1].endswith("\r") else ""
        lines[at - 1] = f"{found['before']}{toml(value)}{found['after']}{tail}"
        return "\n".join(lines)
    table = key[:-1]
    entry = f"{toml_key(key[-1])} = {toml(value)}"
    head = line_of(text, table, whole=True)
    if head is None:
        gap = "" if not text else end if text.endswith("\n") else 2 * end
        return f"{text}{gap}[{'.'.join(map(toml_key, table))}]{end}{entry}{end}"
    tail = "\r" if end == "\r\n" else ""
    if not _HEADER.match(lines[head - 1]):
        # The table stands as dotted names: another one goes before the first of them.
        dotted, equals, _ = lines[head - 1].partition("=")
        if not equals or "." not in dotted:
            raise Unmendable(f"line {head} holds the whole table")
        stem = dotted.rstrip().rpartition(".")[0]
        lines.insert(head - 1, f"{stem}.{entry}{tail}")
        return "\n".join(lines)
    last = head
    while last < len(lines) and not _HEADER.match(lines[last]):
        last += 1
    if last < len(lines):
        # What is said right above the next table is said of it.
        while last > head and lines[last - 1].lstrip().startswith("#"):
            last -= 1
    while last > head and not lines[last - 1].strip():
        last -= 1
    if last == len(lines):
        return f"{text}{end}{entry}{end}"
    lines.insert(last, f"{entry}{tail}")
    return "\n".join(lines)
