"""In which line of a TOML text a key stands: the parser of the standard library does not tell."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PART = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_-]+)"""
_PATH = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_PATH})\s*\]")
_ENTRY = re.compile(rf"\s*({_PATH})\s*=(.*)")
_PARTS = re.compile(_PART)
_TOKENS = re.compile(r'"""|\'\'\'|"(?:\\.|[^"\\])*"|\'[^\']*\'|#.*|[\[\]{}]')


def _path(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") if part[0] in "\"'" else part for part in _PARTS.findall(text))


def line_of(text: str, key: Sequence[str], *, whole: bool = False) -> int | None:
    """The 1-based line of `key` (its parts, tables first); else None.

    Where only a table that would hold it is found, that one's line, unless the `whole` key is wanted.

    A scan, not a parser: keys are found at the beginning of lines, what stands inside a value over several
    lines is passed over.
    """
    wanted = tuple(key)
    table: tuple[str, ...] = ()
    best: tuple[int, int] | None = None
    depth, quote = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        rest = line
        if not depth and not quote:
            if header := _HEADER.match(line):
                table, rest = _path(header[1]), ""
                here = table
            elif entry := _ENTRY.match(line):
                here, rest = table + _path(entry[1]), entry[2]
            else:
                continue
            shared = min(len(here), len(wanted))
            if here[:shared] == wanted[:shared] and (best is None or shared > best[0]):
                best = (shared, number)
        depth, quote = _open_after(rest, depth, quote)
    return best[1] if best is not None and (best[0] == len(wanted) or not whole) else None


def _open_after(text: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets, and which text of several lines, are open after `text`."""
    while text:
        if quote:
            end = text.find(quote)
            if end < 0:
                return depth, quote
            text, quote = text[end + 3 :], ""
            continue
        found = _TOKENS.search(text)
        if found is None or found[0].startswith("#"):
            break
        text = text[found.end() :]
        if found[0] in ('"""', "'''"):
            quote = found[0]
        else:
            depth = max(depth + (found[0] in "[{") - (found[0] in "]}"), 0)
    return depth, quote
