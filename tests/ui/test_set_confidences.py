"""The app tells that other confidences than the rules' own hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from screen_help import MISS, record, settle, text_of, write

from triage.models.query import Scope
from triage.settings import Settings, load_settings
from triage.ui.app import TriageApp
from triage.workspace import Workspace


def told(app: TriageApp) -> str:
    """What the app's toasts say."""
    return " | ".join(note.message for note in app._notifications)


async def test_at_the_start_in_the_detail_and_as_settings_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    write(tmp_path / "now.jsonl", [record(1, **MISS), record(2)])
    workspace = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    workspace.ingest([tmp_path / "now.jsonl"])
    rule = workspace.case_detail(Scope("now"), "C01").diagnosis.suggestion
    (tmp_path / "triage.toml").write_text(f"confidence.{rule.reason} = 0.55\n", "utf-8")
    workspace.settings = load_settings(tmp_path)
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: "the confidence of 1 rule is set in triage.toml" in told(app))
        await settle(pilot)
        assert ".55 by your settings" in text_of(app) and "by itself" in text_of(app)
        (tmp_path / "triage.toml").write_text(f"confidence.{rule.reason} = 0.1\n", "utf-8")
        app.reload_settings()
        await settle(pilot, lambda: "cases are judged anew" in text_of(app))
        await settle(pilot, lambda: "0 failing" in text_of(app) or "nothing fails" in text_of(app))
    workspace.close()
