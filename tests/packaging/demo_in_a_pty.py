"""Start `TRIAGE demo` of an installed wheel in a pseudo-terminal, look for the sample run, quit: used by CI.

`python tests/packaging/demo_in_a_pty.py PATH/TO/triage` exits 0 where the screen showed cases and the
program ended by itself with 0.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

import pexpect
import pyte

WIDTH, HEIGHT, PATIENCE = 120, 40, 60.0


def demo(program: str) -> list[str]:
    """Run the demo until its list stands, quit it, and give the lines of the last whole screen."""
    home = tempfile.mkdtemp()
    environment = {**os.environ, "HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    environment.pop("PYTHONPATH", None)
    child = pexpect.spawn(program, ["demo"], dimensions=(HEIGHT, WIDTH), env=environment, cwd=home, timeout=5)
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.ByteStream(screen)
    ends = time.monotonic() + PATIENCE
    lines: list[str] = []
    while time.monotonic() < ends:
        try:
            stream.feed(child.read_nonblocking(65536, timeout=0.3))
        except pexpect.TIMEOUT:
            lines = list(screen.display)
            if any("1234" in line for line in lines) and any("retrieval" in line for line in lines):
                break
        except pexpect.EOF:
            break
    child.send("q")
    child.expect(pexpect.EOF, timeout=20)
    child.close()
    if child.exitstatus != 0:
        raise SystemExit(f"the demo ended with {child.exitstatus}:\n" + "\n".join(lines or screen.display))
    return lines


if __name__ == "__main__":
    shown = demo(sys.argv[1])
    if not shown:
        raise SystemExit("the demo never showed its cases")
    print("\n".join(line.rstrip() for line in shown[:12]))
    print("1 passed, 0 failed")
