"""`（来源：KB-X） (source: 2) (S1、S2)`: sources in round brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from triage.citations.naming import ids_in

if TYPE_CHECKING:
    from triage.citations.page import Page

PLACE = 25
_LABELS = (
    r"(?:(?:信息|数据|资料|内容)?来源|出处|参考(?:资料|文献|来源)?|参见|详?见|依据|引用(?:自)?|资料|文档|根据"
    r"|(?i:citations?|cite|sources?|refs?|references?|see|doc|document))"
)
OPENERS = "(（"
HINT = rf"[(（]\s?(?:[SＳ][0-9０-９]|[A-Z]{{2,}}[-_]|{_LABELS})"

_LABELLED = re.compile(rf"\(\s?{_LABELS}(?: ?: ?| (?=\S)|(?=[0-9A-Z\[]))([^()\n]{{1,200}})\)")
_BARE = re.compile(r"\(\s?((?:S[0-9]{1,3}|[A-Z]{2,}[-_])[^()\n]{0,200})\)")
_BETWEEN = re.compile(r"\]\s?[,;]?\s?\[")
_SEPARATOR = re.compile(r"\s*[,;]\s*")
_POSITIONS = re.compile(r"S[0-9]{1,3}(?: ?- ?S?[0-9]{1,3})?")


def find(page: Page) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Behind a label anything that names a document; without one only `S1` or a document that is known.

    `(1)` is a number in a list, and `(COVID-19)` a word.
    """
    narrow, known = page.narrow, page.known
    for match in _LABELLED.finditer(narrow):
        raw = page.text[match.start(1) : match.end(1)].strip()
        ids = (raw,) if raw in known else ids_in(_BETWEEN.sub(",", match.group(1).strip().strip("[]")), known)
        if ids:
            yield match.start(), match.end(), ids
    for match in _BARE.finditer(narrow):
        parts = _SEPARATOR.split(match.group(1).strip())
        if all(part in known or _POSITIONS.fullmatch(part) for part in parts):
            ids = ids_in(match.group(1), known)
            if ids:
                yield match.start(), match.end(), ids
