"""README's picture, drawn from the app on the sample runs: `python tests/packaging/picture.py --write`."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / ".github" / "triage.svg"
SIZE = (120, 36)


def draw() -> str:
    """The Triage screen as SVG: one case tagged, the next one open."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "ui")]
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(
            os.environ, {"COLORTERM": "truecolor", "TERM": "xterm-256color", "TZ": "UTC", "HOME": folder}
        ),
    ):
        os.environ.pop("NO_COLOR", None)
        return asyncio.run(_draw(Path(folder)))


async def _draw(folder: Path) -> str:
    from screen_help import settle

    from triage.settings import Settings
    from triage.ui.app import TriageApp
    from triage.workspace import Workspace

    workspace = Workspace(folder / "triage.db", Settings(), reviewer="wei")
    workspace.ingest(sorted((ROOT / "sample_runs").glob("helpdesk-*.jsonl")))
    workspace.tag(workspace.find_run(None).id, ["H08"], "retrieval")
    app = TriageApp(workspace, theme="triage-dark")
    try:
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            for _ in range(3):
                await pilot.press("down")
                await settle(pilot)
            return app.export_screenshot(title="triage")
    finally:
        workspace.close()


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit(__doc__)
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(), encoding="utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")
