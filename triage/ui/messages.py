"""What workers and widgets tell the Triage screen."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, dataclass_transform

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


@dataclass_transform(eq_default=False)
class Told(Message):
    """A message that takes what it is annotated with, as a dataclass does.

    A dataclass compiles a method for each class, which all together is felt at the start.
    """

    _takes: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._takes = (*cls._takes, *cls.__annotations__)

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__()
        given = dict(zip(self._takes, values, strict=False)) | named
        wrong = len(values) + len(named) - len(given) or set(given).difference(self._takes)
        if wrong or not all(name in given or hasattr(self, name) for name in self._takes):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self._takes)}")
        for name, value in given.items():
            setattr(self, name, value)


class RunsRead(Told):
    """The loaded runs, newest first, and the one to show (None = nothing is loaded); `asked` = its id."""

    runs: Sequence[RunSummary]
    chosen: RunSummary | None
    asked: str | None = None


class FirstRead(Told):
    """The list of the first paint, as it was read ahead."""

    first: First


class KeysRead(Told):
    """The keys of a scope, with pages (index -> rows); `keep` is the case that was asked for by its id.

    `more`: these are the first, the others are still being looked for.
    """

    scope: Scope
    keys: array[int]
    pages: dict[int, list[CaseRow]]
    keep: int | None
    more: bool = False


class RowsRead(Told):
    """A page of the list for the keys of a generation, or rows that may have changed (`page` None)."""

    scope: Scope
    generation: int
    page: int | None
    rows: list[CaseRow]


class ViewRead(Told):
    """What the panels show for a scope."""

    scope: Scope
    view: RunView


class DetailRead(Told):
    """A case whole."""

    scope: Scope
    pk: int
    detail: CaseDetail


class Counted(Told):
    """Failing cases judged as suggested, judged otherwise, disputed."""

    scope: Scope
    agreed: tuple[int, int, int]


class CutFound(Told):
    """The word of a filter without which most cases would match; "" = no single one."""

    scope: Scope
    word: str


class NextFound(Told):
    """The position of the next unreviewed case of the list as shown; None = there is none."""

    scope: Scope
    position: int | None
    wrapped: bool


class Offered(Told):
    """What may be typed next in a filter text."""

    text: str
    offers: Sequence[Offer]


class MarksMoved(Told):
    """The marked cases in the run's new revision: their old keys to the new ones."""

    scope: Scope
    places: dict[int, int]


class ReadFailed(Told):
    """A read failed: what was read ("keys", "rows", "view", "detail", "runs"), and why."""

    what: str
    scope: Scope | None
    error: BaseException


class Written(Told):
    """A review call is on disk; `then` is the action that takes it back."""

    outcome: ReviewOutcome
    waiting: int
    back: bool = False
    """It was undo or redo, so its case is looked at again."""
    then: Literal["undo", "redo"] = "undo"
    pks: frozenset[int] = frozenset()


class WriteFailed(Told):
    """A review call failed. `kept`: it stays in hand and is tried again; `waiting` counts what waits."""

    says: str
    error: BaseException
    kept: bool
    waiting: int
    case_ids: tuple[str, ...] = ()
    pks: frozenset[int] = frozenset()


class Loading(Told):
    """How far the reading of files is."""

    progress: Progress


class Loaded(Told):
    """Files were read."""

    reports: Sequence[FileReport]


class Arrived(Told):
    """A file was read that came or changed where files are followed, or that was `asked` for again."""

    arrival: Arrival
    asked: bool = False


class FileSeen(Told):
    """A followed file is whole (`ready`), is still being written, or has gone."""

    what: Literal["ready", "writing", "gone"]
    path: Path


class FollowMode(Told):
    """How files are followed, None = there are none; `absent` are the places that are not there yet."""

    how: Literal["events", "poll", "off"] | None
    absent: Sequence[Path] = ()


class FollowFailed(Told):
    """Following has ended by itself."""

    error: BaseException


class OwnFilesChanged(Told):
    """Files of settings or of themes are others than they were."""

    settings: bool
    themes: bool


class LoadFailed(Told):
    """Reading of files stopped."""

    error: BaseException


class ChangedElsewhere(Told):
    """Another process, or another thread of this one, has committed to the database."""


class Said(Told):
    """Something to say on the filter row for a few seconds."""

    text: str
    bad: bool = False


class DemoWanted(Told):
    """The demo runs are to be shown on a database of their own."""


class DatabaseWanted(Told):
    """Another database is to be shown in place of one that can't be used."""

    path: Path
