"""What every part stands on: a folder of its own, a broker, and the processes of the part."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.processes import Processes
from bench.report import say
from tidegrid.broker.local import LocalBroker
from tidegrid.connection import Connection
from tidegrid.ports import free_port
from tidegrid.settings import Kafka, Settings


@dataclass(frozen=True)
class Ground:
    """A running broker and a place for processes."""

    settings: Settings
    processes: Processes

    @property
    def connection(self) -> Connection:
        """How to reach the broker."""
        return self.settings.connection

    @property
    def bootstrap(self) -> str:
        """Where the broker is."""
        return self.settings.kafka.bootstrap


@contextmanager
def ground() -> Iterator[Ground]:
    """Start a broker on a free port; everything is stopped and removed at the end."""
    # The jars are the same for every run: taken from where `make run` keeps them.
    jars = Path(__file__).parents[1] / ".tidegrid" / "jars"
    jars.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tidegrid-bench-", ignore_cleanup_errors=True) as made:
        home = Path(made)
        (home / "jars").symlink_to(jars.resolve())
        settings = Settings(home=home, kafka=Kafka(bootstrap=f"127.0.0.1:{free_port()}"))
        broker = LocalBroker(settings)
        say("starting a broker")
        try:
            broker.start()
            with Processes(home) as processes:
                yield Ground(settings, processes)
        finally:
            broker.stop()
