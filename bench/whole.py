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
from tidegrid.settings import Kafka, Settings, Tables

#: Seconds until all is there.
_MOST = 300


@dataclass(frozen=True)
class Whole:
    """A running Tidegrid, and the key to its page."""

    settings: Settings
    key: str

    def sign_in(self, page: Page) -> None:
        """Open the page and sign in; returns when it shows rows."""
        page.goto(self.settings.url)
        page.get_by_test_id("login-psk").fill(self.key)
        page.get_by_test_id("login-submit").click()
        rows = page.get_by_test_id("panel-users").get_by_test_id("cell-name")
        rows.first.wait_for(timeout=_MOST * 1000)


@contextmanager
def whole() -> Iterator[Whole]:
    """Start everything, and stop it at the end."""
    with (
        tempfile.TemporaryDirectory(prefix="tidegrid-whole-", ignore_cleanup_errors=True) as made,
        Processes(with_jars(Path(made))) as processes,
    ):
        settings = Settings(
            home=Path(made),
            kafka=Kafka(bootstrap=f"127.0.0.1:{free_port()}"),
            tables=Tables(port=free_port()),
        )
        key = secrets.token_urlsafe(24)
        environment = {
            "TIDEGRID_HOME": made,
            "KAFKA_BOOTSTRAP": settings.kafka.bootstrap,
            "TIDEGRID_TABLES_PORT": str(settings.tables.port),
            "TIDEGRID_PIPELINE_METRICS_PORT": str(free_port()),
            "TIDEGRID_PSK": key,
        }
        processes.start("up", "tidegrid", "up", environment=environment)
        processes.wait_for_port("up", settings.tables.port, _MOST)
        yield Whole(settings, key)
