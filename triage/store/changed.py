"""Whether a record is no longer the one on which a person gave a word, as SQL."""

from __future__ import annotations


def changed(given: str, record: str = "c") -> str:
    """Do the hashes that were kept with a word differ from those of the record now? A condition.

    Args:
        given: alias of the table with the word: `reviews_now` or `events`.
        record: alias of `cases`.
    """
    hashes = ("hash_case", "hash_answer", "hash_retrieved")
    return "(" + " OR ".join(f"{given}.{name} IS NOT {record}.{name}" for name in hashes) + ")"
