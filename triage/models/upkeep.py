"""What looking after a database tells."""

from __future__ import annotations

from msgspec import Struct


class Fault(Struct, frozen=True):
    """Something that is wrong in a database.

    Args:
        kind: "damaged", "unreadable", "reviews", "readings", "orphans", "incomplete", "checks", "index" or
            "unfinished".
        says: what is wrong, with its count.
        hint: what to do about it.
        mendable: `triage db check --repair` mends it.
    """

    kind: str
    says: str
    hint: str
    mendable: bool


class Check(Struct, frozen=True):
    """A database looked through.

    Args:
        database: its path.
        schema: its schema's version.
        size: bytes of its files.
        runs, cases, events: how many it holds; None where a damaged file can't be counted.
        faults: what is wrong, () = nothing.
        remarks: what is worth knowing and no fault.
        mended: what `repair` did.
    """

    database: str
    schema: int
    size: int
    runs: int | None
    cases: int | None
    events: int | None
    faults: tuple[Fault, ...]
    remarks: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()


class Copied(Struct, frozen=True):
    """A backup: its path, and its size in bytes."""

    path: str
    size: int


class Compacted(Struct, frozen=True):
    """Bytes of the database's files before and after, and how many left-over loads were removed."""

    before: int
    after: int
    removed: int
