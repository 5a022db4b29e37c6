"""A helper process of a load: batches come in on its standard input, outcomes go out on its standard output.

It ends when its input does, so it never outlives the load, however that ends.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from typing import BinaryIO

from triage.formats.document import Found
from triage.ingest.batch import BatchReader, Job, without_texts

_LENGTH = 8
_NICE = 10
_SWEEP = 100
"""Batches after which garbage is looked for; reading a batch leaves hardly any."""


def send(stream: BinaryIO, message: object) -> None:
    """Write one message."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    send_bytes(stream, data)


def send_bytes(stream: BinaryIO, data: bytes) -> None:
    """Write one message that is pickled already."""
    stream.write(len(data).to_bytes(_LENGTH, "big"))
    stream.write(data)
    stream.flush()


def receive_bytes(stream: BinaryIO) -> bytes:
    """Read one message, still pickled.

    Raises:
        EOFError: the other side has gone.
    """
    length = stream.read(_LENGTH)
    data = stream.read(int.from_bytes(length, "big")) if len(length) == _LENGTH else b""
    if not data:
        raise EOFError
    return data


def main() -> None:
    """Serve until the input ends."""
    incoming = sys.stdin.buffer
    outgoing = os.fdopen(os.dup(1), "wb")
    # What anything prints must not get among the messages.
    os.dup2(2, 1)
    if hasattr(os, "nice"):
        # The one that writes holds a lock that a reviewer waits for, and people wait for screens.
        os.nice(_NICE)
    gc.disable()
    gc.freeze()
    try:
        reader = BatchReader(pickle.loads(receive_bytes(incoming)))
        send(outgoing, "ready")
        count = 0
        while True:
            first, items, run_cites = pickle.loads(receive_bytes(incoming))
            job = Job(first, list(map(Found._make, items)), run_cites)
            outcome = reader.read(job, {})
            without_texts(outcome, job)
            send(outgoing, outcome)
            count += 1
            if not count % _SWEEP:
                gc.collect()
    except (EOFError, OSError):
        return
