"""What a JVM holds, as its own tools tell it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench.processes import BenchError
from tidegrid.machine.java import java_home


class Jvm:
    """A running JVM, by its process."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    @classmethod
    def below(cls, pid: int) -> Jvm:
        """Return the JVM that a process has started."""
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            if Path(f"/proc/{child}/comm").read_text().strip() == "java":
                return cls(int(child))
        raise BenchError(f"process {pid} has no JVM")

    def live_bytes(self) -> int:
        """Collect garbage and return the bytes that are left."""
        # The last line: Total, instances, bytes.
        return int(self._ask("GC.class_histogram").strip().splitlines()[-1].split()[-1])

    def threads(self, name: str) -> int:
        """Return how many threads have a name like that."""
        lines = self._ask("Thread.print").splitlines()
        return sum(line.startswith('"') and name in line.split('"')[1] for line in lines)

    def _ask(self, command: str) -> str:
        jcmd = Path(java_home()) / "bin" / "jcmd"
        done = subprocess.run(
            [str(jcmd), str(self._pid), command], capture_output=True, text=True, timeout=60
        )
        if done.returncode:
            raise BenchError(f"jcmd {command} of {self._pid}: {done.stderr.strip()[:200]}")
        return done.stdout
