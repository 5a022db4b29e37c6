"""What changes of the codebook made of labels that were given before: the names under which they go now."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.models.verdict import Event

Recoding = tuple[frozenset[str], tuple[str, ...]]
"""Labels that were renamed, merged or split, and what came for them."""
BATCHES = """SELECT b.value FROM code_changes c, json_each(c.detail, '$.batches') b
    WHERE c.kind IN ('rename', 'merge', 'split')"""
"""The batches of events that changes of the codebook appended."""


def recodings(sql: sqlite3.Connection) -> dict[str, Recoding]:
    """Of each batch of a change of the codebook: the labels that went, and those that came for them."""
    rows = sql.execute(BATCHES.replace("b.value", "b.value, c.names, c.into_names"))
    return {batch: (frozenset(json.loads(names)), tuple(json.loads(into))) for batch, names, into in rows}


def recoded(
    labels: tuple[str, ...], later: Iterable[Event], known: Mapping[str, Recoding]
) -> tuple[str, ...]:
    """Labels under the names that they have now, after those of the `later` events that are recodings."""
    for event in later:
        if event.batch not in known or event.labels is None:
            continue
        names, into = known[event.batch]
        came = [label for label in into if label in event.labels]
        labels = tuple(
            dict.fromkeys(one for label in labels for one in (came if label in names else [label]))
        )
    return labels
