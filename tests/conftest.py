"""What every test may ask for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test away from the developer's settings, database and colours."""
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home))
    for name in ("TRIAGE_DB", "TRIAGE_REVIEWER", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setenv("TRIAGE_REVIEWER", "tester")


@pytest.fixture
def shared() -> Callable[[str], Path]:
    """A path in the folder of shared test data; skips where that folder is not there."""
    folder = Path(os.environ.get("TRIAGE_SHARED") or ROOT.parent / "shared")

    def find(name: str = "") -> Path:
        path = folder / name
        if not path.exists():
            pytest.skip(f"shared test data not here: {name or 'shared'}")
        return path

    return find
