"""How the app looks: the ten-case run with one hostile record, at each width, theme and depth of colour.

`pytest tests/snapshots --snapshot-update` draws them anew; look at the pictures before you commit them. They
are compared only under the minor version of Textual that drew them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import textual
from screen_help import HOSTILE, settle
from textual.pilot import Pilot

from triage.models.sample import SampleRule
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.workspace import Workspace

DRAWN_WITH = "8.2"
SAMPLES = Path(__file__).resolve().parents[2] / "sample_runs"
WIDE, MIDDLE, NARROW = (120, 40), (100, 30), (80, 24)

pytestmark = pytest.mark.skipif(
    not textual.__version__.startswith(DRAWN_WITH + "."),
    reason=f"drawn with Textual {DRAWN_WITH}, here is {textual.__version__}",
)


@pytest.fixture(autouse=True)
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal with all colours, no zone of the developer's, and a folder that reads alike everywhere."""
    (Path.home() / "work").mkdir()
    monkeypatch.chdir(Path.home() / "work")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """The ten cases against their baseline, one hostile record more; E10 tagged and noted by a person."""
    moment = datetime(2026, 11, 29, 10, 41, tzinfo=UTC)
    made = Workspace(Path.home() / "work" / "triage.db", Settings(), reviewer="wei", now=lambda: moment)
    hostile = {
        "id": "E11",
        "query": HOSTILE,
        "topic": "privacy",
        "answerable": True,
        "expected_ids": ["KB-PRIVACY"],
        "retrieved": [{"id": "[red]KB-ORDER", "text": HOSTILE}, {"id": "KB-PRIVACY", "text": "十五天之内。"}],
        "answer": HOSTILE + "[S1][S9]",
    }
    text = (SAMPLES / "support-zh-kb42.jsonl").read_text("utf-8")
    run = tmp_path / "support-zh-kb42.jsonl"
    run.write_text(text.rstrip("\n") + "\n" + json.dumps(hostile, ensure_ascii=False) + "\n", "utf-8")
    made.ingest([SAMPLES / "support-zh-kb41.jsonl", run])
    made.tag("kb42", ["E10"], "refusal", note="金价不在知识库里")
    yield made
    made.close()


def pressing(*keys: str) -> Callable[[Pilot[Any]], Any]:
    """What to do before the picture is taken: let the app come to rest, press keys, rest again."""

    async def run(pilot: Pilot[Any]) -> None:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return run


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=["wide", "middle", "narrow"])
@pytest.mark.parametrize("theme", ["triage-dark", "triage-light", "triage-ansi"])
def test_list(snap_compare: Any, workspace: Workspace, theme: str, size: tuple[int, int]) -> None:
    assert snap_compare(TriageApp(workspace, theme=theme), terminal_size=size, run_before=pressing("f"))


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_no_colour(
    snap_compare: Any, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(TriageApp(workspace), terminal_size=size, run_before=pressing("down"))


@pytest.mark.parametrize("theme", ["triage-dark", "triage-light"])
def test_detail_where_it_stands_alone(snap_compare: Any, workspace: Workspace, theme: str) -> None:
    app = TriageApp(workspace, theme=theme)
    assert snap_compare(app, terminal_size=NARROW, run_before=pressing("down", "enter"))


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_hostile_case(snap_compare: Any, workspace: Workspace, size: tuple[int, int]) -> None:
    assert snap_compare(TriageApp(workspace), terminal_size=size, run_before=pressing("f", "G", "enter"))


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("metric", ("tab", "tab", "down")),
        ("note", ("n",)),
        ("help", ("question_mark",)),
        ("export", ("e",)),
        ("runs", ("b",)),
        ("advice", ("a",)),
        ("slices", ("S",)),
        ("all metrics", ("S", "a")),
        ("done", ("1", "2", "3", "4", "1", "2")),
        ("nothing found", ("slash", *"xyzzy", "enter")),
        ("filter fault", ("slash", *"verdict:(", "enter")),
    ],
)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_states(
    snap_compare: Any, workspace: Workspace, name: str, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    if name == "metric" and size == NARROW:
        # The detail is not seen there, so the panels are the next pane.
        keys = keys[1:]
    assert snap_compare(TriageApp(workspace), terminal_size=size, run_before=pressing(*keys))


def test_first_screen_without_data(snap_compare: Any, tmp_path: Path) -> None:
    empty = Workspace(tmp_path / "none.db", Settings(), reviewer="wei")
    assert snap_compare(TriageApp(empty), terminal_size=NARROW, run_before=pressing())


@pytest.fixture
def reviewed(workspace: Workspace) -> Workspace:
    """A sample of all cases, two readings each: li has read four, wei two of them, E06 is in dispute."""
    rule = SampleRule(seed="48", n=11, by=("class",), readings=2)
    workspace.sampling.draw("kb42", rule, "week-48")
    given = {
        "li": {"E06": "ranking", "E08": "retrieval", "E01": "not-a-failure", "E02": "test-set"},
        "wei": {"E06": "refusal", "E08": "retrieval"},
    }
    for reviewer, verdicts in given.items():
        workspace.reviewer = reviewer
        for case_id, verdict in verdicts.items():
            workspace.tag(
                "kb42", [case_id], verdict, labels=["stale-doc"] if verdict == "retrieval" else None
            )
    workspace.coding.define("stale-doc", "命中的是旧版页面")
    return workspace


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("samples", ("V",)),
        ("draw", ("V", "n")),
        ("reading", ("V", "enter")),
        ("blind", ("V", "b")),
        ("disputes", ("V", "d")),
        ("agreement", ("V", "a")),
        ("report", ("V", "t")),
        ("codebook", ("L",)),
        ("groups", ("M",)),
    ],
)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_review(
    snap_compare: Any, reviewed: Workspace, name: str, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    assert snap_compare(TriageApp(reviewed), terminal_size=size, run_before=pressing(*keys))
