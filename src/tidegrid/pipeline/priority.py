"""Priority: how this process, and the JVM that it starts, stand beside the others on a machine."""

from __future__ import annotations

import contextlib
import functools
import os
from collections import defaultdict
from pathlib import Path

from tidegrid import logs

_log = logs.get("pipeline")

#: A part that nobody waits for takes what the others leave.
_LOW = 10


def lower() -> None:
    """Take what others leave, in all threads that this process and its children start from now."""
    os.setpriority(os.PRIO_PROCESS, 0, max(_LOW, _before()))


def restore() -> None:
    """Be as before, children and all, as far as the system allows: it takes a right of its own."""
    try:
        # A thread that was started meanwhile has what its parent had.
        while _raise(_before()):
            pass
    except PermissionError:
        _log.info("this process stays at a low priority: raising it takes CAP_SYS_NICE")


@functools.cache
def _before() -> int:
    """Return the priority that this process had when this was first asked."""
    return os.getpriority(os.PRIO_PROCESS, 0)


def _raise(nice: int) -> bool:
    """Raise all threads to a priority; return whether there was one below it."""
    found = False
    for thread in _threads():
        with contextlib.suppress(ProcessLookupError):
            if os.getpriority(os.PRIO_PROCESS, thread) > nice:
                os.setpriority(os.PRIO_PROCESS, thread, nice)
                found = True
    return found


def _threads() -> list[int]:
    """Return the threads of this process and of all that it started."""
    children = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # Number, name in brackets, state, parent; a name may have brackets, too.
            parent = stat.read_text(errors="replace").rpartition(")")[2].split()[1]
            children[int(parent)].append(int(stat.parent.name))
    mine = [os.getpid()]
    for process in mine:
        mine += children[process]
    found = []
    for process in mine:
        with contextlib.suppress(OSError):
            found += [int(thread.name) for thread in Path(f"/proc/{process}/task").iterdir()]
    return found
