"""Folders followed while the app is open: new runs are loaded and told, replaced ones taken over in place."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from textual.message import Message
from textual.widgets import Input, TextArea

from triage.models.run import LoadOptions
from triage.ui.messages import Arrived, FileSeen, FollowFailed, FollowMode, OwnFilesChanged
from triage.ui.work import follow_words as words
from triage.ui.work.own_files import OwnFiles

if TYPE_CHECKING:
    from triage.ingest.watch import Event, Place, Watcher
    from triage.models.arrival import Arrival, News
    from triage.models.run import FileReport
    from triage.ui.screens.triage import TriageScreen
    from triage.workspace import Workspace


INDEX_AFTER = 2.0
"""Seconds that work in the background waits after a file that came: what is asked first comes first."""


@runtime_checkable
class Reloads(Protocol):
    """An app that takes settings and themes over as they are now."""

    def reload_settings(self) -> None:
        """Take over the settings files as they are now."""

    def reload_themes(self) -> None:
        """Take over the theme files as they are now."""


class Follow:
    """Follows what the app was opened on, or the folders that its database knows, and tells what comes.

    Args:
        screen: the Triage screen, on which nothing moves because of what comes.
        workspace: what is followed goes into its database.
        paths: files and folders that were given; empty: those that the database knows; None: nothing.
        options: how files are read in this sitting.
    """

    def __init__(
        self,
        screen: TriageScreen,
        workspace: Workspace,
        paths: Sequence[Path] | None,
        options: LoadOptions,
    ) -> None:
        self._screen, self._workspace = screen, workspace
        self._paths, self._options = paths, options
        self._also: list[Path] = []
        self._places: Sequence[Place] = ()
        self._own = OwnFiles(screen, workspace)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="follow")
        self._watcher: Watcher | None = None
        self._begun = self._closed = False
        self._mode: FollowMode | None = None
        self._told: dict[str, str] = {}
        self._trouble: dict[str, str] = {}
        self.new: list[str] = []
        """Ids of the runs that came and were not opened, the newest last."""

    # beginning and ending

    def begin(self) -> None:
        """Begin, once."""
        if not self._begun and not self._closed:
            self._begun = True
            self._pool.submit(self._run).add_done_callback(self._ended)

    def also(self, paths: Sequence[Path]) -> None:
        """Follow these too, which were opened in the app, unless they lie in what is followed."""
        new = [path for path in paths if not any(place.holds(path) for place in self._places)]
        if new:
            self._also += new
            self.again()

    def again(self) -> None:
        """Begin anew: what to follow, or how, has changed."""
        if self._begun:
            self._stop()
            self._pool.submit(self._run).add_done_callback(self._ended)

    def _run(self) -> None:
        following = self._workspace.following
        places: list[Place] = []
        if self._paths is not None or self._also:
            places = following.places(self._paths or (), self._also)
        self._places = places
        if not places:
            self._post(FollowMode(None))
            return
        self._watcher = watcher = following.watcher(places, self._heard)
        if watcher is None:
            self._post(FollowMode("off"))
        elif not self._closed:
            watcher.run()

    def _post(self, message: Message) -> None:
        if not self._closed:
            self._screen.post_message(message)

    def _heard(self, event: Event) -> None:
        """In the thread that follows."""
        from triage.ingest.watch import FileChange

        if isinstance(event, FileChange):
            self._post(FileSeen(event.what, event.path))
        else:
            self._post(FollowMode("poll" if event.polling else "events", event.absent))

    def _ended(self, future: Future[None]) -> None:
        error = future.exception() if not future.cancelled() else None
        if error is not None:
            self._post(FollowFailed(error))

    def _stop(self) -> None:
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher = None

    def close(self) -> None:
        """Stop; the threads are gone a moment later."""
        self._closed = True
        self._own.close()
        self._stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    # what is heard

    def take(self, event: Message) -> None:
        """Whatever was told: by the one that follows, by the loader, of our own files."""
        if isinstance(event, FileSeen):
            self._seen(event)
        elif isinstance(event, Arrived):
            self._screen.loader.ended()
            self._arrived(event.arrival, asked=event.asked)
        elif isinstance(event, FollowMode):
            self._take_mode(event)
        elif isinstance(event, FollowFailed):
            self._failed(event.error)
        elif isinstance(event, OwnFilesChanged):
            self._own_files(event)

    def _own_files(self, event: OwnFilesChanged) -> None:
        app = self._screen.app
        if not isinstance(app, Reloads):
            return
        if event.settings:
            before = self._workspace.settings
            app.reload_settings()
            now = self._workspace.settings
            if (before.watch, before.poll_seconds) != (now.watch, now.poll_seconds):
                self.again()
        if event.themes:
            app.reload_themes()

    def _take_mode(self, event: FollowMode) -> None:
        """How it is followed."""
        self._mode = event
        self._screen.stage.awaited = words.awaited([place.path for place in self._places], event.absent)
        self.show()

    def _failed(self, error: BaseException) -> None:
        """Following has ended by itself."""
        self._mode = FollowMode("off")
        self._screen.speech.error(error, "following files")
        self.show()

    def show(self) -> None:
        """Bring the head's word up to date."""
        screen = self._screen
        run = screen.run_shown
        if run is not None and run.id in self.new:
            self.new.remove(run.id)
        trouble = self._trouble.get(run.path, "") if run is not None else ""
        screen.live = words.live(self._mode, len(self.new), trouble)
        screen.stage.settle()

    def _seen(self, event: FileSeen) -> None:
        """A file is whole, is still being written, or has gone."""
        path = event.path
        if event.what == "ready":
            self._screen.loader.arrive(path, self._options)
        elif event.what == "writing":
            self._screen.speech.tell([(words.writing(path), "muted")])
        else:
            self._gone(path)

    def _gone(self, path: Path) -> None:
        real = os.path.realpath(path)
        self._told.pop(real, None)
        run = self._screen.run_shown
        self._trouble[real] = "file gone"
        if run is not None and run.path == real:
            self._screen.speech.tell([(words.gone(path), "bad")])
        self.show()

    def _arrived(self, arrival: Arrival, *, asked: bool) -> None:
        """A file that came or changed was read, or one that was `asked` for again."""
        report, news = arrival.report, arrival.news
        if self._watcher is not None:
            self._watcher.took(Path(report.path), arrival.seconds)
        real = os.path.realpath(report.path)
        if report.status == "failed":
            self._unreadable(real, arrival, asked=asked)
            return
        had, run = self._trouble.pop(real, ""), self._screen.run_shown
        if asked and report.status == "unchanged":
            self._screen.speech.say(words.unchanged(report))
        elif had and report.status == "unchanged" and run is not None and run.path == real:
            self._screen.speech.say(words.back(real))
        self._told.pop(real, None)
        if news is not None:
            self._came(report, news)
        elif arrival.moved:
            self._screen.selection.refresh()
        self.show()

    def _unreadable(self, real: str, arrival: Arrival, *, asked: bool) -> None:
        said = words.unreadable(arrival.report)
        run = self._screen.run_shown
        mine = run is not None and run.path == real
        if mine:
            self._trouble[real] = "file broken"
        if asked or ((arrival.expected or mine) and self._told.get(real) != said):
            # Told once, however often its writer stumbles.
            self._told[real] = said
            self._screen.loader.reports = [arrival.report]
            self._screen.speech.tell([(said, "bad")])
        self.show()

    def _came(self, report: FileReport, news: News) -> None:
        screen, run = self._screen, self._screen.run_shown
        screen.set_timer(INDEX_AFTER, screen.index)
        if run is None:
            screen.reader.newest_of([news.run.id])
            return
        # The list of runs, baseline and deltas may be others now; the case under the cursor stays.
        screen.selection.refresh()
        if news.run.id == run.id:
            screen.loader.reports = [report]
            other = run.path != os.path.realpath(report.path)
            screen.speech.tell(words.replaced(report, screen.shown_keys["problems"], other=other))
            return
        if news.run.id in self.new:
            self.new.remove(news.run.id)
        self.new.append(news.run.id)
        # In a dialog or a field the key is text or means something else.
        top = screen.app.screen
        heard = not top.is_modal and not isinstance(top.focused, Input | TextArea)
        key = screen.shown_keys["open.new"] if heard else ""
        screen.speech.toast(words.came(report, news, len(self.new), key))

    def open_new(self) -> None:
        """Show the run that came last."""
        if self.new:
            self._screen.app.clear_notifications()
            self._screen.selection.open_run(self.new[-1])
