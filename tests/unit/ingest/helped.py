"""`triage ingest` with helpers for the smallest file; says their process ids as soon as they are ready."""

from __future__ import annotations

import sys
import time

from triage.cli import main
from triage.ingest import crew, load
from triage.ingest.batch import Setup


class Patient(crew.Crew):
    """A crew that is waited for, so that a small file is not read before it is there."""

    def __init__(self, setup: Setup, count: int) -> None:
        super().__init__(setup, count)
        while not self.ready:
            time.sleep(0.01)
        print(*(helper._process.pid for helper in self._all), flush=True)


if __name__ == "__main__":
    load.Crew = Patient  # type: ignore[misc]
    load.BATCH = 20
    load.helpers = lambda size: 1  # type: ignore[assignment]
    main(sys.argv[1:])
