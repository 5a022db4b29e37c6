"""What a command works with: settings, the workspace, the files it loads, and the exit code that follows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from triage import paths
from triage.errors import TriageError
from triage.models.run import FileReport, LoadOptions, RunSummary
from triage.settings import Settings, load_settings
from triage.workspace import Workspace

if TYPE_CHECKING:
    from triage.cli.progress import Bar

REJECTED = 3
"""Exit code where some record or file of the call's input was rejected."""
LATEST = "latest"
_ALWAYS_PATH = ("./", "../", ".\\", "..\\")
_LIKE_A_PATH = (*_ALWAYS_PATH, "/", "~")


def _before_the_command() -> Mapping[str, Any]:
    import click

    return click.get_current_context().find_root().obj or {}


class Session:
    """One call of one command.

    Args:
        given: the command's options by name; those before the command hold where it has none of its own.
        database: use this file whatever the options say.
        outer: the options before the command; default: those of click's context.
        lenient: the app is opened: it tells of settings that can't be used, and starts without them.
    """

    current: ClassVar[Session | None] = None
    """The session of this call, for what is told at its end."""

    def __init__(
        self,
        given: Mapping[str, Any],
        *,
        database: Path | None = None,
        outer: Mapping[str, Any] | None = None,
        lenient: bool = False,
    ) -> None:
        outer = _before_the_command() if outer is None else outer
        self._given = {
            **outer,
            **{key: value for key, value in given.items() if value not in (None, (), False)},
        }
        self._maps, self._sets = (
            (*outer.get(name, ()), *given.get(name, ())) for name in ("mapping", "header")
        )
        self.settings: Settings = load_settings(lenient=lenient)
        named: Path | None = database or self._given.get("db")
        self.workspace = Workspace(
            named or paths.find_database() or paths.new_database(),
            self.settings,
            reviewer=self._given.get("reviewer"),
        )
        self.exit_code = 0
        Session.current = self

    @property
    def theme(self) -> str | None:
        """`--theme`, where given."""
        return self._given.get("theme")

    @property
    def mouse(self) -> bool:
        """Does the app take the mouse?"""
        return self.settings.mouse and not self._given.get("no_mouse")

    @property
    def load_options(self) -> LoadOptions:
        """`--map`, `--set` and `--dedup-docs` of this call.

        Raises:
            UsageError: a word without `=`, an unknown field or key, a value of the wrong kind.
        """
        dedup_docs = bool(self._given.get("dedup_docs"))
        if not (self._maps or self._sets):
            return LoadOptions(dedup_docs=dedup_docs)
        # Imported here because most starts of the app give none of these words.
        from triage.formats import load_options

        return load_options(self._maps, self._sets, dedup_docs=dedup_docs)

    def load(self, files: Sequence[Path]) -> list[FileReport]:
        """Load files and folders with a progress bar where that is of use; notes what was rejected."""
        from triage.cli.progress import Bar

        bar: Bar
        with Bar() as bar:
            reports = self.workspace.ingest(files, self.load_options, progress=bar.show)
        if not reports:
            names = ", ".join(str(file) for file in files)
            raise TriageError("no run files", names, "a run file is JSON or JSONL, also with .gz")
        if any(report.rejected or report.status == "failed" for report in reports):
            self.exit_code = REJECTED
        return reports

    def index(self) -> None:
        """Build what search indexes are missing, with a progress bar where that is of use."""
        from triage.cli.progress import Bar

        bar: Bar
        with Bar() as bar:
            self.workspace.indexing.build(bar.show)

    def check(self, run: RunSummary) -> None:
        """Wait until the sentences of a run and its baseline are checked, with a progress bar where that is
        of use; what is checked stays where the user stops it.
        """
        wanted = {run.id, run.baseline or run.id}
        if not self.workspace.checking.waiting(wanted):
            return
        from triage.cli.progress import Bar

        bar: Bar
        with Bar() as bar:
            self.workspace.checking.build(bar.show, runs=wanted)
        self.workspace.checking.tidy()

    def run(self, word: str | None) -> RunSummary:
        """The run that RUN names: an id, `latest` (also None), or a file, loaded first if it isn't yet.

        Raises:
            TriageError: no such run; a file that can't be loaded.
        """
        if word is None:
            return self.workspace.find_run(None)
        if (found := self._by_name(word)) is not None:
            return found
        path = paths.typed(word)
        if paths.is_folder(path):
            raise TriageError(
                "no such run", f"{word} is a folder", "name a file in it, or: triage ingest " + word
            )
        if not paths.is_there(path):
            if word.startswith(_LIKE_A_PATH):
                raise TriageError("no such file", word)
            return self.workspace.find_run(word)
        return self.workspace.find_run(self._loaded(path))

    def _by_name(self, word: str) -> RunSummary | None:
        """The run that a word names by its id or as `latest`; None where it can only be a file."""
        if word.startswith(_ALWAYS_PATH):
            return None
        found = self.workspace.run_named(word)
        return self.workspace.find_run(None) if found is None and word == LATEST else found

    def _loaded(self, path: Path) -> str:
        report = self.load([path])[0]
        if report.status == "failed" or report.run is None:
            raise TriageError("can't load", report.path, failure(report))
        return report.run

    def loaded_run(self, word: str) -> RunSummary:
        """The run that RUN names, without loading anything: an id, `latest`, or a file that was loaded.

        Raises:
            TriageError: no such run.
        """
        if (found := self._by_name(word)) is not None:
            return found
        place = os.path.realpath(paths.typed(word))
        for run in self.workspace.runs():
            if os.path.realpath(run.path) == place:
                return run
        return self.workspace.find_run(word)

    def names_run(self, word: str) -> bool:
        """Does the word name a run or a file?"""
        if word == LATEST or paths.is_file(paths.typed(word)):
            return True
        return not word.startswith(_ALWAYS_PATH) and self.workspace.run_named(word) is not None


def failure(report: FileReport) -> str:
    """Why a file could not be loaded, in one line."""
    problem = next((one for one in report.problems if one.level == "record"), None)
    if problem is None:
        return report.warnings[0] if report.warnings else "no records"
    place = "" if problem.line is None else f"line {problem.line}: "
    return f"{place}{problem.reason}"
