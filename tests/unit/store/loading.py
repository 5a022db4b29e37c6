"""A loader in a process of its own: writes cases in batches and says so, until it is done or killed."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from triage.diagnosis import diagnose
from triage.metrics.registry import measure
from triage.models.measure import Scoring
from triage.models.record import Record, RunHeader
from triage.models.run import LoadOptions
from triage.store import CaseIn, Measured, Store


def main(database: str, run_id: str, batches: int, pause: float, finish: bool) -> None:
    scoring = Scoring()
    header = RunHeader(id=run_id)
    with Store(Path(database), create=True) as store:
        writer = store.begin(
            path=Path(f"/data/{run_id}.jsonl"), format="jsonl", sha256=run_id, size=1, mtime_ns=1,
            options=LoadOptions(), header=header, scoring=scoring,
        )  # fmt: skip
        for batch in range(batches):
            cases = []
            for position in range(batch * 1000, batch * 1000 + 1000):
                record = Record.model_validate(
                    {"id": f"C{position}", "query": "问题" * 20, "answer": "回答" * 40, "answerable": True,
                     "expected_ids": ["KB-1"], "retrieved": [{"id": "KB-1", "text": "证据" * 200}]}
                )  # fmt: skip
                measures = measure(record, scoring)
                cases.append(
                    CaseIn(
                        position, position + 1, json.dumps({"id": record.id,
                        "text": "证据" * 200}),
                        record, False,
                        Measured(measures, diagnose(record, scoring)),
                    )
                )  # fmt: skip
            writer.add(cases)
            print(batch, flush=True)
            time.sleep(pause)
        if not finish:
            time.sleep(60)
        writer.finish(
            run_id=run_id,
            header=header,
            k=3,
            warnings=(),
            records=batches * 1000,
            rejected=0,
            run_cites=False,
        )
        print("done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), sys.argv[5] == "finish")
