"""All of Tidegrid with its sample feed, as `make run` starts it, on ports of its own."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from bench.ground import with_jars
from bench.processes import Processes
from tidegrid.machine.ports import free_port
from tidegrid.settings import Kafka, Pipeline, Settings, Tables

#: Seconds until all is there.
_MOST = 300


@dataclass(frozen=True)
class Whole:
    """All parts as one process, and the key to the page."""

    settings: Settings
    key: str
    processes: Processes

    def start(self) -> None:
        """Start `tidegrid up`."""
        settings = self.settings
        environment = {
            "TIDEGRID_HOME": str(settings.home),
            "KAFKA_BOOTSTRAP": settings.kafka.bootstrap,
            "TIDEGRID_TABLES_PORT": str(settings.tables.port),
            "TIDEGRID_PIPELINE_METRICS_PORT": str(settings.pipeline.metrics_port),
            "TIDEGRID_PSK": self.key,
        }
        self.processes.start("up", "tidegrid", "up", environment=environment)

    def wait(self) -> None:
        """Wait until the page is served."""
        self.processes.wait_for_port("up", self.settings.tables.port, _MOST)

    def stop(self) -> None:
        """End all parts as Ctrl-C does."""
        self.processes.end("up")

    def sign_in(self, page: Page) -> None:
        """Open the page and sign in; returns when it shows rows."""
        page.goto(self.settings.url)
        page.get_by_test_id("login-psk").fill(self.key)
        page.get_by_test_id("login-submit").click()
        rows = page.get_by_test_id("panel-users").get_by_test_id("cell-name")
        rows.first.wait_for(timeout=_MOST * 1000)


@contextmanager
def whole(*, started: bool = True) -> Iterator[Whole]:
    """Make a home for everything, start it unless told not to, and stop it at the end."""
    with (
        tempfile.TemporaryDirectory(prefix="tidegrid-whole-", ignore_cleanup_errors=True) as made,
        Processes(with_jars(Path(made))) as processes,
    ):
        settings = Settings(
            home=Path(made),
            kafka=Kafka(bootstrap=f"127.0.0.1:{free_port()}"),
            pipeline=Pipeline(metrics_port=free_port()),
            tables=Tables(port=free_port()),
        )
        found = Whole(settings, secrets.token_urlsafe(24), processes)
        if started:
            found.start()
            found.wait()
        yield found
