"""Where things lie: the only module that knows a directory."""

from __future__ import annotations

import os
from pathlib import Path

APP = "triage"
FOLDER = ".triage"
DATABASE = "triage.db"


def bundled(name: str) -> Path:
    """The shipped folder `name` ("themes", "sample_runs"): inside an installed package, else beside it."""
    package = Path(__file__).resolve().parent
    installed = package / "_bundled" / name
    return installed if installed.exists() else package.parent / name


def config_file() -> Path:
    """The user's own settings file; it need not exist."""
    from platformdirs import user_config_path

    return user_config_path(APP, appauthor=False) / "triage.toml"


def state_file() -> Path:
    """The file in which the app remembers theme, sort and last run; it need not exist."""
    from platformdirs import user_state_path

    return user_state_path(APP, appauthor=False) / "state.json"


def theme_dir() -> Path:
    """The folder of the user's own theme files; it need not exist."""
    return config_file().parent / "themes"


def log_dir() -> Path:
    """The folder for log files; it need not exist."""
    from platformdirs import user_log_path

    return user_log_path(APP, appauthor=False)


def upward(start: Path) -> list[Path]:
    """`start` and the folders above it, nearest first, as far as the repository's root or the home folder.

    The home folder itself is looked at only where `start` is the home folder.
    """
    start = start.resolve()
    home = Path.home().resolve()
    folders = []
    for folder in (start, *start.parents):
        if folder == home and folder != start:
            break
        folders.append(folder)
        if folder == home or is_there(folder / ".git"):
            break
    return folders


def typed(text: str) -> Path:
    """The path that a person wrote: `~` is a home; one that there is not stays as it is written."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - pathlib raises where there is no such home


def is_there(path: str | Path) -> bool:
    """Is there anything at a path? One that can't be, too long or not to be looked at, is not there."""
    return os.path.exists(path)  # noqa: PTH110 - pathlib raises


def is_file(path: str | Path) -> bool:
    """Is there a regular file at a path? As `is_there`, of any text."""
    return os.path.isfile(path)  # noqa: PTH113 - pathlib raises


def is_folder(path: str | Path) -> bool:
    """Is there a folder at a path? As `is_there`, of any text."""
    return os.path.isdir(path)  # noqa: PTH112 - pathlib raises


def find_database(start: Path | None = None) -> Path | None:
    """The database to read: `$TRIAGE_DB`, else the nearest `.triage/triage.db` upward, else None."""
    named = os.environ.get("TRIAGE_DB")
    if named:
        path = typed(named)
        return path if is_there(path) else None
    for folder in upward(start or Path.cwd()):
        path = folder / FOLDER / DATABASE
        if is_file(path):
            return path
    return None


def new_database(start: Path | None = None, *, create: bool = False, path: Path | None = None) -> Path:
    """Where a first load puts its database: `path`, else `$TRIAGE_DB`, else `.triage/triage.db` in `start`.

    With `create` the folder is made for its owner alone (0700) with a `.gitignore` inside, and the file is
    begun empty (0600); without it nothing is written.

    Raises:
        OSError: the folder can't be made.
    """
    named = os.environ.get("TRIAGE_DB")
    if path is None and named:
        path = typed(named)
    own_folder = path is None
    if path is None:
        path = (start or Path.cwd()) / FOLDER / DATABASE
    if create:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if own_folder:
            ignore = path.parent / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", encoding="utf-8")
        path.touch(mode=0o600, exist_ok=True)
    return path
