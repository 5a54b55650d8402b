"""Room on the disk of a folder."""

from __future__ import annotations

import os
from pathlib import Path

from tidegrid.errors import MachineError

#: Checkpoints, logs and the local broker fit in this for a while.
MIN_FREE_MB = 1024


def free_mb(folder: Path) -> int:
    """Return the free megabytes on the disk of a folder that exists."""
    stat = os.statvfs(folder)
    return stat.f_bavail * stat.f_frsize // 2**20


def require_room(folder: Path) -> None:
    """Fail with one clear line if the disk of a folder is nearly full."""
    free = free_mb(folder)
    if free < MIN_FREE_MB:
        raise MachineError(
            f"{folder.resolve()} has {free} MB free and {MIN_FREE_MB} are needed: "
            "make room, or set TIDEGRID_HOME to a folder on another disk"
        )
