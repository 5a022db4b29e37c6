"""What a person waits for: the first paint, a key, a new file on the screen; in a pty, in turn."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

from loading import timed
from make_run import make
from peers import Peer
from table import Row, high, middle, ratio_row
from terminal import PATIENCE, ROOT, Gone, Terminal, environment, ours

EMPTY = "from textual.app import App\nclass Empty(App):\n    pass\nEmpty().run()\n"
ECHO = (
    "from textual.app import App\nfrom textual.widgets import Static\nclass Echo(App):\n"
    "    count = 0\n    def compose(self):\n        yield Static('ready')\n    def on_key(self, event):\n"
    "        self.count += 1\n        self.query_one(Static).update(f'{event.key} {self.count}')\n"
    "Echo().run()\n"
)
SEEN = re.compile(rb"C0\d{3}")
"""Begins the id of every case."""
AN_EMPTY = "an empty Textual app"
STEPS = 30
"""Rows that the cursor goes down before it goes up again."""


def python(program: str) -> list[str]:
    """The command of a few lines of Python."""
    return [sys.executable, "-c", program]


def empty_start(home: Path) -> float:
    """Seconds until an empty Textual app has painted."""
    empty = Terminal(python(EMPTY), environment(home))
    empty.until(re.compile(rb"\x1b\[\?1049h"))
    _, last = empty.drain(0.25)
    empty.end()
    return last - empty.started


def starts(home: Path, databases: dict[int, Path], peers: list[Peer], rounds: int) -> tuple[list[Row], float]:
    """Rows on the first paint with cases in it, and the empty app's in seconds."""
    empty: list[float] = []
    mine: dict[int, list[float]] = {count: [] for count in databases}
    theirs: dict[str, list[float]] = {peer.name: [] for peer in peers}
    for database in databases.values():
        # The first start of all compiles what has changed.
        app = Terminal(ours(), environment(home, database))
        app.shows(SEEN)
        app.end()
    for _ in range(rounds):
        empty.append(empty_start(home))
        for count, database in databases.items():
            app = Terminal(ours(), environment(home, database))
            mine[count].append(app.shows(SEEN))
            app.end()
        for peer in peers:
            if peer.usable:
                try:
                    app = Terminal(peer.command, peer.environment(home), home)
                    theirs[peer.name].append(app.shows(SEEN, 300))
                    app.end()
                except Gone as error:
                    peer.fault = str(error)
    unit = middle(empty)
    goals = {max(databases): "<= 1.3x"}
    rows = [
        ratio_row(f"first paint, {count:,} cases loaded", values, unit, AN_EMPTY, goals.get(count, ""))
        for count, values in mine.items()
    ]
    for peer in peers:
        what = f"- {peer.name}: first paint of the same cases"
        values = theirs[peer.name]
        rows.append(ratio_row(what, values, unit, AN_EMPTY) if values else Row(what, here=peer.fault))
    return rows, unit


def from_file(home: Path, run: Path, cases: int, unit: float) -> Row:
    """The first time: the file is read, measured and stored before its cases are on the screen."""
    app = Terminal(ours(str(run)), environment(home, home / "first.db"))
    seconds = app.shows(SEEN, 600)
    app.end()
    return ratio_row(f"first time: {cases:,} records read, stored, shown", [seconds], unit, AN_EMPTY)


def keys(home: Path, databases: dict[int, Path], peers: list[Peer], presses: int) -> list[Row]:
    """Rows on a cursor key: to the first byte at each size, to all panes, bytes while it is held."""
    apps = {count: Terminal(ours(), environment(home, database)) for count, database in databases.items()}
    echo = Terminal(python(ECHO), environment(home))
    echo.until(re.compile(b"ready"))
    for app in apps.values():
        app.until(SEEN)
        app.drain(1.0)
    echo.drain(0.5)
    first: dict[int, list[float]] = {count: [] for count in apps}
    last: dict[int, list[float]] = {count: [] for count in apps}
    echoed: list[float] = []
    for press in range(presses):
        # Down and up by turns, so that the short list is never at its end.
        key = "j" if press // STEPS % 2 == 0 else "k"
        echoed.append(echo.key(key)[0])
        for count, app in apps.items():
            one, whole, _ = app.key(key)
            first[count].append(one)
            last[count].append(whole)
    echo.end()
    large, small = max(apps), min(apps)
    apps[large].child.send("g")
    apps[large].drain(0.6)
    held = apps[large].walk(max(presses * 4, 200))
    for app in apps.values():
        app.end()
    unit = middle(first[small])
    of = f"{small:,} cases, median"
    rows = []
    for count, values in first.items():
        row = ratio_row(f"key to first output, {count:,} cases", values, unit, of, per_ms=True)
        rows.append(Row(*row.cells[:5], here=f"{row.here}, p95 {high(values):.1f}"))
    p95 = f"{high(first[large]) / high(first[small]):.2f}x"
    rows.append(Row(f"key to first output, p95 at {large:,}", "", p95, f"p95 at {small:,}", "<= 1.5x"))
    of, echo_ms = "an empty app's key echo", middle(echoed)
    rows.append(ratio_row(f"key to first output, {large:,} cases", first[large], echo_ms, of, per_ms=True))
    rows.append(ratio_row("key to all panes", last[large], echo_ms, of, "p95 <= 2x", per_ms=True))
    rows += [_peer_key(home, peer, presses, middle(first[large])) for peer in peers]
    what = "bytes a cursor key, long walk, without the detail"
    rows.append(Row(what, goal="< 3 KB", here=f"{held / 1000:.1f} KB"))
    return rows


def _peer_key(home: Path, peer: Peer, presses: int, unit: float) -> Row:
    what = f"- {peer.name}: key to first output"
    if not peer.usable:
        return Row(what, here=peer.fault)
    app = Terminal(peer.command, peer.environment(home), home)
    try:
        app.until(SEEN, 300)
        # A key while it still reads in the background would measure the reading.
        app.drain(3.0, 180)
        values = [app.key(peer.key)[0] for _ in range(presses)]
    except Gone as error:
        return Row(what, here=str(error))
    finally:
        app.end()
    if middle(values) >= PATIENCE * 1e3:
        return Row(what, here="gives no answer")
    return ratio_row(what, values, unit, "triage's", per_ms=True)


def first_pages(home: Path, database: Path, cases: int, rounds: int, unit: float) -> list[Row]:
    """Rows on the first page of filters, sorts and searches."""
    command = [sys.executable, str(Path(__file__).with_name("asks.py")), str(database), str(rounds)]
    found: dict[str, list[float]] = json.loads(timed(command, environment(home), ROOT).out)
    goals = dict.fromkeys(("filter", "sort", "search of two characters and more"), "p95 < 100 ms")
    rows = []
    counted = middle(found.pop("counted panels"))
    for kind in [kind for kind in found if kind.startswith("slices")]:
        what, goal = f"six {kind}, every metric: {cases:,} cases", "< 1.2 s" if kind == "slices" else ""
        rows.append(ratio_row(what, found.pop(kind), counted, "the panels, counted", goal, per_ms=True))
    for kind, values in found.items():
        what, goal = f"{kind}: first page of {cases:,}", goals.get(kind, "")
        if kind == "panels":
            what, goal = f"every metric of {cases:,} cases", "< 1.2 s"
        row = ratio_row(what, values, unit * 1e3, AN_EMPTY, goal, per_ms=True)
        rows.append(Row(*row.cells[:5], here=f"{row.here}, p95 {high(values):.1f}"))
    return rows


def followed(home: Path, rounds: int, unit: float) -> Row:
    """From a file of 1,000 cases complete in a followed folder to its name on the screen."""
    folder = home / "followed"
    folder.mkdir()
    make(folder / "before.jsonl", 100)
    what, values = "file of 1,000 cases complete to screen", []
    for number in range(rounds):
        name = f"arrived{number}"
        draft = make(home / f"{name}.jsonl", 1000, seed=number)
        app = Terminal(ours(str(folder)), environment(home, home / "followed.db"))
        try:
            app.until(SEEN)
            app.drain(2.0)
            os.replace(draft, folder / draft.name)  # noqa: PTH105
            values.append(app.until(re.compile(name.encode()), 30))
        except Gone as error:
            return Row(what, here=str(error))
        finally:
            app.end()
    row = ratio_row(what, values, unit, AN_EMPTY, "< 1 s")
    return Row(*row.cells[:5], here=f"{row.here}, longest {max(values):.2f}")
