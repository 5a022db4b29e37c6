"""Short hashes of what a verdict was given on, so that a later change of the record shows (run-format:
"What a run is").

They stand in databases and exports: the text that is hashed must never change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING

from triage.models.verdict import Hashes

if TYPE_CHECKING:
    from triage.models.record import Record

_ABSENT = "\x1e"
_BETWEEN = "\x1f"
_TRUTH = {None: _ABSENT, True: "true", False: "false"}


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def _list(ids: Iterable[str] | None) -> str:
    # A mark before each id keeps an empty list, a list of "" and no list apart.
    return _ABSENT if ids is None else "".join([_BETWEEN + item for item in ids])


def hash_case(query: str | None, answerable: bool | None, expected_ids: Collection[str] | None) -> str:
    """12 hex digits of the case itself: its query and labels. The order of `expected_ids` does not matter."""
    expected = expected_ids
    if expected is not None and len(expected) > 1:
        expected = sorted(set(expected))
    return _digest(f"{_ABSENT if query is None else query}{_BETWEEN}{_TRUTH[answerable]}{_list(expected)}")


def hash_answer(answer: str | None) -> str:
    """12 hex digits of the answer as it came."""
    return _digest(_ABSENT if answer is None else answer)


def hash_retrieved(ids: Iterable[str] | None) -> str:
    """12 hex digits of the retrieved ids, best first; not recorded differs from empty."""
    return _digest(_list(ids))


def hashes_of(record: Record) -> Hashes:
    """The three hashes of a record: case, answer, retrieved ids."""
    return Hashes(
        hash_case(record.query, record.answerable, record.expected_ids),
        hash_answer(record.answer),
        hash_retrieved(record.retrieved_ids),
    )
