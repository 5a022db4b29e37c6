"""Whether a file lies on a network file system, where SQLite's write-ahead log is not safe."""

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


def network_type(path: Path, table: str | None = None) -> str | None:
    """The network file system's type (`nfs4`, `cifs` ...) under `path`, or None: a local one, or not to be
    told.

    `table` is the text of a mount table; default: the running system's.
    """
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
    return kind if kind in _NETWORK or kind.startswith(_NETWORK_FUSE) else None


@lru_cache(maxsize=64)
def _of_this_machine(path: Path) -> str | None:
    try:
        table = _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return network_type(path, table)
