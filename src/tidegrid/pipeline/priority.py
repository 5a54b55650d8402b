"""Priority: how this process, and the JVM that it starts, stand beside the others on a machine."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from tidegrid import logs

_log = logs.get("pipeline")

#: A part that nobody waits for takes what the others leave.
_LOW = 10


def lower() -> None:
    """Take what others leave, in all threads that this process and its children start from now."""
    os.setpriority(os.PRIO_PROCESS, 0, max(_LOW, os.getpriority(os.PRIO_PROCESS, 0)))


def restore() -> None:
    """Be like the others again, as far as the system lets us: that takes a right of its own."""
    try:
        for thread in _threads():
            with contextlib.suppress(ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, thread, 0)
    except PermissionError:
        _log.info("this process stays at a low priority: raising it takes CAP_SYS_NICE")


def _threads() -> list[int]:
    """Return the threads of this process group."""
    group = os.getpgrp()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.getpgid(int(process.name)) == group:
                found += [int(thread.name) for thread in (process / "task").iterdir()]
    return found
