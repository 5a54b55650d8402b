"""Processes at a home folder: each that runs there has a place of its own, and with it a name."""

from __future__ import annotations

import contextlib
import fcntl
import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import IO


def open_place(home: Path, part: str, number: int) -> IO[str]:
    """Open the lock of a place of a part, which is free as long as nobody has taken it."""
    home.mkdir(parents=True, exist_ok=True)
    place = part if number == 1 else f"{part}-{number}"
    return (home / f"{place}.lock").open("a+")


def take_first_free(locks: Sequence[IO[str]]) -> IO[str] | None:
    """Take the first place that nobody else has, until its file is closed or the process ends."""
    for lock in locks:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            return lock
    return None


def name_at(lock: IO[str]) -> str:
    """Return the name of whoever has a place; made once."""
    file = Path(lock.name).with_suffix(".id")
    if not file.exists():
        file.write_text(uuid.uuid4().hex)
    return file.read_text().strip()
