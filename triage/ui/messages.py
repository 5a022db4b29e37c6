"""What workers and widgets tell the Triage screen."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:
    from pathlib import Path

    from triage.models.arrival import Arrival
    from triage.models.case import CaseDetail, CaseRow, RunView
    from triage.models.offer import Offer
    from triage.models.query import Scope
    from triage.models.run import FileReport, Progress, RunSummary
    from triage.models.verdict import ReviewOutcome
    from triage.ui.paging import First


@dataclass(eq=False, repr=False)
class RunsRead(Message):
    """The loaded runs, newest first, and the one to show (None = nothing is loaded); `asked` = its id."""

    runs: Sequence[RunSummary]
    chosen: RunSummary | None
    asked: str | None = None


@dataclass(eq=False, repr=False)
class FirstRead(Message):
    """The list of the first paint, as it was read ahead."""

    first: First


@dataclass(eq=False, repr=False)
class KeysRead(Message):
    """The keys of a scope, with pages (index -> rows); `keep` is the case that was asked for by its id.

    `more`: these are the first, the others are still being looked for.
    """

    scope: Scope
    keys: array[int]
    pages: dict[int, list[CaseRow]]
    keep: int | None
    more: bool = False


@dataclass(eq=False, repr=False)
class RowsRead(Message):
    """A page of the list for the keys of a generation, or rows that may have changed (`page` None)."""

    scope: Scope
    generation: int
    page: int | None
    rows: list[CaseRow]


@dataclass(eq=False, repr=False)
class ViewRead(Message):
    """What the panels show for a scope."""

    scope: Scope
    view: RunView


@dataclass(eq=False, repr=False)
class DetailRead(Message):
    """A case whole."""

    scope: Scope
    pk: int
    detail: CaseDetail


@dataclass(eq=False, repr=False)
class Counted(Message):
    """Failing cases judged as suggested, judged otherwise, disputed."""

    scope: Scope
    agreed: tuple[int, int, int]


@dataclass(eq=False, repr=False)
class CutFound(Message):
    """The word of a filter without which most cases would match; "" = no single one."""

    scope: Scope
    word: str


@dataclass(eq=False, repr=False)
class NextFound(Message):
    """The position of the next unreviewed case of the list as shown; None = there is none."""

    scope: Scope
    position: int | None
    wrapped: bool


@dataclass(eq=False, repr=False)
class Offered(Message):
    """What may be typed next in a filter text."""

    text: str
    offers: Sequence[Offer]


@dataclass(eq=False, repr=False)
class MarksMoved(Message):
    """The marked cases in the run's new revision: their old keys to the new ones."""

    scope: Scope
    places: dict[int, int]


@dataclass(eq=False, repr=False)
class ReadFailed(Message):
    """A read failed: what was read ("keys", "rows", "view", "detail", "runs"), and why."""

    what: str
    scope: Scope | None
    error: BaseException


@dataclass(eq=False, repr=False)
class Written(Message):
    """A review call is on disk; `then` is the action that takes it back."""

    outcome: ReviewOutcome
    waiting: int
    back: bool = False
    """It was undo or redo, so its case is looked at again."""
    then: Literal["undo", "redo"] = "undo"
    pks: frozenset[int] = frozenset()


@dataclass(eq=False, repr=False)
class WriteFailed(Message):
    """A review call failed. `kept`: it stays in hand and is tried again; `waiting` counts what waits."""

    says: str
    error: BaseException
    kept: bool
    waiting: int
    case_ids: tuple[str, ...] = ()
    pks: frozenset[int] = frozenset()


@dataclass(eq=False, repr=False)
class Loading(Message):
    """How far the reading of files is."""

    progress: Progress


@dataclass(eq=False, repr=False)
class Loaded(Message):
    """Files were read."""

    reports: Sequence[FileReport]


@dataclass(eq=False, repr=False)
class Arrived(Message):
    """A file was read that came or changed where files are followed, or that was `asked` for again."""

    arrival: Arrival
    asked: bool = False


@dataclass(eq=False, repr=False)
class FileSeen(Message):
    """A followed file is whole (`ready`), is still being written, or has gone."""

    what: Literal["ready", "writing", "gone"]
    path: Path


@dataclass(eq=False, repr=False)
class FollowMode(Message):
    """How files are followed, None = there are none; `absent` are the places that are not there yet."""

    how: Literal["events", "poll", "off"] | None
    absent: Sequence[Path] = ()


@dataclass(eq=False, repr=False)
class FollowFailed(Message):
    """Following has ended by itself."""

    error: BaseException


@dataclass(eq=False, repr=False)
class OwnFilesChanged(Message):
    """Files of settings or of themes are others than they were."""

    settings: bool
    themes: bool


@dataclass(eq=False, repr=False)
class LoadFailed(Message):
    """Reading of files stopped."""

    error: BaseException


@dataclass(eq=False, repr=False)
class ChangedElsewhere(Message):
    """Another process, or another thread of this one, has committed to the database."""


@dataclass(eq=False, repr=False)
class Said(Message):
    """Something to say on the filter row for a few seconds."""

    text: str
    bad: bool = False


@dataclass(eq=False, repr=False)
class DemoWanted(Message):
    """The demo runs are to be shown on a database of their own."""


@dataclass(eq=False, repr=False)
class DatabaseWanted(Message):
    """Another database is to be shown in place of one that can't be used."""

    path: Path
