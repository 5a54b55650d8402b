"""Class data archives: what a JVM loads at its start, as it is in memory.

The first start of a part lists the classes that it loads. Soon after, a JVM of its own makes an
archive of them in the background, and from then on a start maps that instead of reading, checking
and linking the classes again. An archive is for one Java and the very files of a class path, and is
named by them. A JVM that cannot use one starts as if there were none.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import subprocess
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from tidegrid import logs
from tidegrid.machine.java import java_command, java_home

_log = logs.get("classes")

#: Seconds after which a part that works has loaded what a start needs.
_AFTER = 30.0
#: Archives of a part that are kept: two versions may be used in turn.
_KEPT = 2
#: An archive is put together with what all others leave.
_NICE = ("nice", "-n", "19")


class Archive:
    """The archive of a part's JVM, in a folder of the home that is shared with other archives."""

    def __init__(self, home: Path, part: str, jars: Iterable[Path], heap_mb: int) -> None:
        """Name it by what it is for; how addresses are kept depends on the size of the heap."""
        self._part = part
        self._heap = f"-Xmx{heap_mb}m"
        java = Path(java_home())
        self._folder = home.resolve() / "jars" / "classes"
        name = f"{part}-{fingerprint([java / 'lib' / 'modules', *jars], self._heap)}"
        self.file = self._folder / f"{name}.jsa"
        self._list = self._folder / f"{name}.{os.getpid()}.list"

    def arguments(self) -> list[str]:
        """Return the JVM arguments that use the archive or, as long as there is none, list classes.

        They are for one JVM: two would write to the same list. Where nothing can be written there
        are none.
        """
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if self.file.exists():
                # Those that were used last are kept.
                os.utime(self.file)
        if self.file.exists():
            # If it cannot be used after all, there is nothing that anybody need do about it.
            return [f"-XX:SharedArchiveFile={self.file}", "-Xlog:cds=off"]
        return [f"-XX:DumpLoadedClassList={self._list}"] if os.access(self._folder, os.W_OK) else []

    def make_later(self, class_path: str) -> None:
        """Make the archive in the background, if there is none; call this when the part works."""
        if not self.file.exists():
            threading.Thread(target=self._make_later, args=(class_path,), daemon=True).start()

    def _make_later(self, class_path: str) -> None:
        time.sleep(_AFTER)
        try:
            self.make(class_path)
        except OSError as e:
            _log.info("the next start of %s will not be quicker: %s", self._part, e)

    def make(self, class_path: str) -> None:
        """Make the archive of what was listed, unless another process has; one at a time does.

        It is complete or absent: it is written beside its place and then renamed.
        """
        with (self._folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self.file.exists() and self._list.exists():
                began = time.monotonic()
                partial = self.file.with_suffix(".partial")
                problem = self._dump(class_path, partial)
                if problem:
                    _log.info("the next start of %s will not be quicker: %s", self._part, problem)
                else:
                    partial.replace(self.file)
                    _log.info(
                        "the next start of %s will be quicker: its classes are kept, %.0f MB, "
                        "which took %.0f s",
                        self._part,
                        self.file.stat().st_size / 1e6,
                        time.monotonic() - began,
                    )
            found = sorted(self._folder.glob(f"{self._part}-*.jsa"), key=_used, reverse=True)
            # What was left by one that was killed goes, too.
            for file in self._folder.glob(f"{self._part}-*"):
                if file not in found[:_KEPT]:
                    file.unlink(missing_ok=True)

    def _dump(self, class_path: str, partial: Path) -> str:
        """Write the archive; return why it could not be, empty if it was."""
        listed, whole = self._list.read_bytes(), partial.with_suffix(".lines")
        # The JVM that lists them goes on with it: its last line may be half written.
        whole.write_bytes(listed[: listed.rfind(b"\n") + 1])
        command = [*_NICE, java_command(), self._heap, "-Xshare:dump"]
        command += [f"-XX:SharedClassListFile={whole}", f"-XX:SharedArchiveFile={partial}"]
        done = subprocess.run(
            [*command, "-cp", class_path], capture_output=True, text=True, check=False
        )
        if done.returncode == 0 and partial.exists():
            return ""
        said = (done.stdout + done.stderr).strip().splitlines()
        return said[-1] if said else f"java ended with code {done.returncode}"


def _used(archive: Path) -> float:
    return archive.stat().st_mtime


def fingerprint(files: Iterable[Path], *more: str) -> str:
    """Return what changes with the files: their order, names, sizes and times."""
    stats = ((file, file.stat()) for file in files)
    told = [*more, *(f"{file} {stat.st_size} {stat.st_mtime_ns}" for file, stat in stats)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:12]
