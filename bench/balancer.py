"""A TCP load balancer for several tables processes: haproxy, as docs/deploying.md has it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.processes import BenchError
from tidegrid.machine.ports import free_port

_DOCS = Path(__file__).parents[1] / "docs" / "deploying.md"
_EXAMPLE = re.compile(r"^```haproxy\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROGRAM = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")


class Balancer:
    """One address for the ports of several servers."""

    def __init__(self, folder: Path, servers: Mapping[str, int]) -> None:
        self.port = free_port()
        self._servers = servers
        self._admin = folder / "admin.sock"
        self._folder = folder

    def configuration(self) -> str:
        """Return that of the docs, with these ports for the example's."""
        lines = []
        (example,) = _EXAMPLE.findall(_DOCS.read_text("utf-8"))
        for line in example.splitlines():
            if line.split()[:1] == ["bind"]:
                line = f"    bind 127.0.0.1:{self.port}"
            if line.split()[:1] != ["server"]:
                lines.append(line)
        lines += [f"    server {name} 127.0.0.1:{port}" for name, port in self._servers.items()]
        # To steer it by.
        lines += ["global", f"    stats socket {self._admin} level admin", ""]
        return "\n".join(lines)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run it."""
        if not _PROGRAM:
            raise BenchError("haproxy is missing: make haproxy")
        file = self._folder / "haproxy.cfg"
        file.write_text(self.configuration())
        with (self._folder / "haproxy.log").open("wb") as log:
            process = subprocess.Popen([_PROGRAM, "-db", "-f", str(file)], stdout=log, stderr=log)
        try:
            _wait("the balancer runs", self._admin.exists)
            yield
        finally:
            process.terminate()
            process.wait()

    def send_to(self, names: Iterable[str]) -> None:
        """Send new connections to these servers alone; the others keep what they have."""
        wanted = set(names)
        for name in self._servers:
            self._say(f"set server tables/{name} state {'ready' if name in wanted else 'drain'}")
        self.wait_for(wanted)

    def wait_for(self, names: Iterable[str]) -> None:
        """Wait until new connections are sent to these servers."""
        wanted = set(names)
        _wait(f"{', '.join(wanted)} up", lambda: wanted <= self.up())

    def up(self) -> set[str]:
        """Return the servers that new connections are sent to."""
        rows = [line.split(",") for line in self._say("show stat -1 4 -1").splitlines() if line]
        names = rows[0]
        found = [dict(zip(names, row, strict=False)) for row in rows[1:]]
        return {row["svname"] for row in found if row["status"] == "UP"}

    def _say(self, command: str) -> str:
        with socket.socket(socket.AF_UNIX) as admin:
            admin.connect(str(self._admin))
            admin.sendall(f"{command}\n".encode())
            return b"".join(iter(lambda: admin.recv(65536), b"")).decode()


def _wait(what: str, probe: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not probe():
        if time.monotonic() > deadline:
            raise BenchError(f"{what}: not within {seconds:.0f} s")
        time.sleep(0.1)
