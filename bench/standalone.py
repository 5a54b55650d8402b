"""A standalone Spark cluster on this machine: a master and workers, each its own process."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.processes import BenchError
from tidegrid.machine.java import java_home
from tidegrid.machine.ports import free_port

_HOST = "127.0.0.1"


class Standalone:
    """A master, and workers that can be killed; leaving the context ends them all."""

    def __init__(self, folder: Path, java_options: str = "") -> None:
        """`java_options` are for the executors too."""
        self._spark_home = _spark_home()
        self._folder = folder
        self._java_options = java_options
        self._port, self._page = free_port(), free_port()
        self._master: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    @property
    def master(self) -> str:
        """What to give as the master of a Spark."""
        return f"spark://{_HOST}:{self._port}"

    def __enter__(self) -> Standalone:
        self._folder.mkdir(parents=True, exist_ok=True)
        pages = ("--webui-port", str(self._page))
        self._master = self._start("master.Master", "--port", str(self._port), *pages)
        self._wait("a master that answers", lambda: self._state() is not None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in list(self.workers):
            self.kill_worker(worker)
        if self._master is not None:
            self._master.kill()
            self._master.wait()

    def add_workers(self, count: int, cores: int, memory_mb: int) -> None:
        """Start workers and return when the master counts them."""
        size = ("--cores", str(cores), "--memory", f"{memory_mb}m", "--webui-port", "0")
        work = ("--work-dir", str(self._folder / "work"))
        for _ in range(count):
            self.workers.append(self._start("worker.Worker", *size, *work, self.master))
        self._wait("workers", lambda: self._alive() == len(self.workers))

    def kill_worker(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill a worker as a crash would; its executors end when they notice."""
        self.workers.remove(worker)
        executors = children(worker.pid)
        worker.kill()
        worker.wait()
        self._wait("executors end", lambda: not any(_runs(pid) for pid in executors))

    def kill_executor(self, worker: subprocess.Popen[bytes]) -> None:
        """Kill the executors of a worker, which stays."""
        found = children(worker.pid)
        if not found:
            raise BenchError("the worker has no executor")
        for pid in found:
            os.kill(pid, signal.SIGKILL)

    def _start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "JAVA_HOME": java_home(),
            "SPARK_HOME": str(self._spark_home),
            "SPARK_LOCAL_IP": _HOST,
            "SPARK_LOCAL_DIRS": str(self._folder / "local"),
            "SPARK_DAEMON_MEMORY": "256m",
            "JAVA_TOOL_OPTIONS": self._java_options,
            "SPARK_MASTER_OPTS": "-Dspark.master.rest.enabled=false",
        }
        with (self._folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [
                    str(self._spark_home / "bin" / "spark-class"),
                    f"org.apache.spark.deploy.{name}",
                    "--host",
                    _HOST,
                    *arguments,
                ],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )

    def _alive(self) -> int:
        state = self._state()
        return int(state["aliveworkers"]) if state else 0

    def _state(self) -> dict[str, Any] | None:
        """Return what the master says of itself, if it answers."""
        try:
            with urllib.request.urlopen(f"http://{_HOST}:{self._page}/json/", timeout=2) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except (OSError, ValueError):
            return None

    def _wait(self, what: str, done: Callable[[], bool], seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not done():
            if time.monotonic() > deadline:
                raise BenchError(f"{what}: not within {seconds:.0f} s; see {self._folder}")
            time.sleep(0.1)


def _spark_home() -> Path:
    """Return the Spark inside PySpark, which has all that a cluster is started with."""
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise BenchError("PySpark is not installed")
    return Path(found.origin).parent


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    # Each thread knows its own.
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for known in lists for child in known.read_text().split()]


def _runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()
