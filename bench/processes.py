"""The child processes of the benchmark: started with logs, watched, and all ended with it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from bench.report import say
from bench.versions import OURS, Version


class BenchError(Exception):
    """A part of the benchmark could not be measured; the message says why."""


class Processes:
    """Python modules as processes, by name; leaving the context ends them all."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(
        self,
        name: str,
        *arguments: str,
        version: Version = OURS,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start `python -m` with arguments; the settings of this shell do not reach it."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("TIDEGRID_")}
        with self.log(name).open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                # Not the folder of a checkout: a settings file there is not for us.
                cwd=self.home,
                env={**inherited, **version.environment, **(environment or {})},
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def log(self, name: str) -> Path:
        """Return where a process writes its log."""
        return self.home / f"{name}.log"

    def pid(self, name: str) -> int:
        """Return the id of a process."""
        return self._running[name].pid

    def cpu_seconds(self, name: str) -> float:
        """Return how long a process and those it started have run on a core so far."""
        group, ticks = self._running[name].pid, 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            # One may end meanwhile. Its name, in brackets, may have blanks.
            with contextlib.suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                if int(fields[2]) == group:
                    ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def check(self) -> None:
        """Fail if a process has ended by itself with an error."""
        for name, process in self._running.items():
            if process.poll() not in (None, 0):
                raise BenchError(f"{name} ended with code {process.returncode}: {self._tail(name)}")

    def wait(self, name: str, seconds: float) -> None:
        """Wait for a process to end well."""
        deadline = time.monotonic() + seconds
        while self._running[name].poll() is None:
            if time.monotonic() > deadline:
                raise BenchError(f"{name} did not end in {seconds:.0f} s: {self._tail(name)}")
            time.sleep(0.1)
        self.check()
        del self._running[name]

    def wait_for_port(self, name: str, port: int, seconds: float = 90) -> None:
        """Wait until a process listens on a port."""
        deadline = time.monotonic() + seconds
        while True:
            self.check()
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise BenchError(f"{name} did not listen in {seconds:.0f} s") from None
            time.sleep(0.2)

    def end(self, name: str, seconds: float = 60) -> None:
        """Ask a process to end, and wait until it has."""
        process = self._running.pop(name)
        process.terminate()
        process.wait(seconds)

    def stop(self, name: str) -> None:
        """End a process and all it started; nothing here needs saving."""
        process = self._running.pop(name, None)
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._running:
            say(f"stopping {', '.join(self._running)}")
        for name in list(self._running):
            self.stop(name)

    def _tail(self, name: str) -> str:
        lines = self.log(name).read_text("utf-8", "replace").splitlines()
        telling = [line.strip() for line in lines if "Error" in line or "Exception" in line]
        return (telling or lines or ["it said nothing"])[-1][:300]
