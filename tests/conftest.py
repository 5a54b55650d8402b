"""What the integration and browser tests share: one broker, one Spark, one Deephaven per run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stack import Stack


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Everything, started once; tests keep apart by their user ids."""
    running = Stack(tmp_path_factory.mktemp("stack") / "home")
    try:
        running.start()
        yield running
    finally:
        running.stop()
