"""Start the demo in a pseudo-terminal, look for its cases, quit: for CI and for README's first command.

`python tests/packaging/demo_in_a_pty.py PATH/TO/triage` exits 0 where the screen showed cases and the program
ended by itself with 0.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pexpect
import pyte

WIDTH, HEIGHT = 120, 40
# The newest sample run's test set, the list's head, and the progress: all is there once all three are.
SIGNS = ("helpdesk", "1234", " triaged ")


def demo(words: list[str], cwd: Path, environment: dict[str, str], patience: float = 60.0) -> list[str]:
    """Run `words` until the list of cases stands, quit it, and give the lines of that screen.

    Raises:
        SystemExit: no cases within `patience` seconds, or an exit code other than 0.
    """
    # A size in the environment, as xdist's workers have one, would stand above the terminal's own.
    environment = {key: value for key, value in environment.items() if key not in {"COLUMNS", "LINES"}}
    environment = {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    child = pexpect.spawn(
        words[0], words[1:], dimensions=(HEIGHT, WIDTH), env=environment, cwd=str(cwd), timeout=5
    )
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.ByteStream(screen)
    ends = time.monotonic() + patience
    lines: list[str] = []
    while time.monotonic() < ends and not lines:
        try:
            stream.feed(child.read_nonblocking(65536, timeout=0.3))
        except pexpect.TIMEOUT:
            shown = list(screen.display)
            if all(any(sign in line for line in shown) for sign in SIGNS):
                lines = shown
        except pexpect.EOF:
            break
    if not lines:
        child.close(force=True)
        raise SystemExit("the demo never showed its cases:\n" + "\n".join(screen.display))
    child.send("q")
    child.expect(pexpect.EOF, timeout=20)
    child.close()
    if child.exitstatus != 0:
        raise SystemExit(f"the demo ended with {child.exitstatus}:\n" + "\n".join(lines))
    return lines


if __name__ == "__main__":
    home = Path(tempfile.mkdtemp())
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    seen = demo([sys.argv[1], "demo"], home, {**kept, "HOME": str(home)})
    print("\n".join(line.rstrip() for line in seen[:12]))
    print("1 passed, 0 failed")
