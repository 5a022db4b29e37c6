"""What kind of file system a file lies on: SQLite's write-ahead log is not safe on a network's, and changes
made on another machine are told by none of them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = {
    "nfs",
    "nfs4",
    "cifs",
    "smb",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ncpfs",
    "ceph",
    "glusterfs",
    "lustre",
    "davfs",
}
_NETWORK_FUSE = (
    "fuse.sshfs",
    "fuse.rclone",
    "fuse.glusterfs",
    "fuse.s3fs",
    "fuse.davfs",
    "fuse.drvfs",
    "drvfs",
)
_SHARED = _NETWORK | {"vboxsf", "vmhgfs", "prl_fs", "virtiofs", "fakeowner", "grpcfuse", "osxfs"}
"""File systems whose files others change unseen: those of networks, and those shared with a host machine."""


def network_type(path: Path, table: str | None = None) -> str | None:
    """The network file system's type (`nfs4`, `cifs` ...) under `path`, or None: a local one, or not to be
    told.

    `table` is the text of a mount table; default: the running system's.
    """
    kind = _type(path, table)
    return kind if kind in _NETWORK or kind.startswith(_NETWORK_FUSE) else None


def is_silent(path: Path, table: str | None = None) -> bool:
    """May files under `path` change without an event, because another machine changes them?

    `table` as above.
    """
    kind = _type(path, table)
    return kind in _SHARED or kind.startswith("fuse.")


def _type(path: Path, table: str | None) -> str:
    if table is None:
        return _of_this_machine(path.absolute())
    best, kind = -1, ""
    wanted = str(path)
    for line in table.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = fields[1].replace("\\040", " ")
        inside = wanted == point or wanted.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best:
            best, kind = len(point), fields[2]
    return kind


@lru_cache(maxsize=64)
def _of_this_machine(path: Path) -> str:
    try:
        table = _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return _type(path, table)
