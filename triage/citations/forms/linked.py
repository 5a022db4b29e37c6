"""`[[1]](url)`: a marker that is a link as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from triage.citations.naming import ids_in

if TYPE_CHECKING:
    from triage.citations.page import Page

PLACE = 10
OPENERS = "["
HINT = r"\[\["

_LINKED = re.compile(
    r"\[\[(\^?)([^\[\]\n]{1,200})\]\]\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,2000})?\)"
)


def find(page: Page) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The marker is the whole link, its address included."""
    for match in _LINKED.finditer(page.narrow):
        raw = page.text[match.start(2) : match.end(2)]
        ids = (raw,) if raw in page.known else ids_in(match.group(2), page.known)
        if ids:
            yield match.start(), match.end(), ids
