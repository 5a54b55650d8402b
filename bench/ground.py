"""What every part stands on: a folder of its own, a broker, and the processes of the part."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.processes import Processes
from bench.report import say
from bench.versions import OURS, Version
from tidegrid.broker.local import LocalBroker
from tidegrid.kafka.connection import Connection
from tidegrid.machine.ports import free_port
from tidegrid.settings import Kafka, Settings


@dataclass(frozen=True)
class Ground:
    """A running broker and a place for processes, for one version of Tidegrid."""

    settings: Settings
    processes: Processes
    version: Version

    @property
    def connection(self) -> Connection:
        """How to reach the broker."""
        return self.settings.connection

    @property
    def bootstrap(self) -> str:
        """Where the broker is."""
        return self.settings.kafka.bootstrap

    def home(self, name: str) -> Path:
        """Make a home folder that no process has used yet."""
        return with_jars(self.settings.home / name)


@contextmanager
def ground(version: Version = OURS) -> Iterator[Ground]:
    """Start a broker on a free port; everything is stopped and removed at the end."""
    with tempfile.TemporaryDirectory(prefix="tidegrid-bench-", ignore_cleanup_errors=True) as made:
        home = with_jars(Path(made))
        settings = Settings(home=home, kafka=Kafka(bootstrap=f"127.0.0.1:{free_port()}"))
        broker = LocalBroker(settings)
        say("starting a broker")
        try:
            broker.start()
            with Processes(home) as processes:
                yield Ground(settings, processes, version)
        finally:
            broker.stop()


def with_jars(home: Path) -> Path:
    """Make a home folder with the jars that `make run` keeps."""
    # They are the same for every run.
    jars = Path(__file__).parents[1] / ".tidegrid" / "jars"
    jars.mkdir(parents=True, exist_ok=True)
    home.mkdir(exist_ok=True)
    (home / "jars").symlink_to(jars.resolve())
    return home
