"""What the integration and browser tests share: one broker, Spark, Deephaven and Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.browser import chromium
from tests.support.browser import Complaints, opened, sign_in
from tests.support.stack import PSK, Stack

# Two cores are for a broker, Spark, Deephaven and the browser: what takes a second may take many.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Everything, started once; tests keep apart by their user ids."""
    running = Stack(tmp_path_factory.mktemp("stack") / "home")
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start one Chromium for the run."""
    with chromium() as started:
        yield started


@pytest.fixture
def complaints() -> Complaints:
    """Collect what the console says is wrong; a test that takes the server away says so in it."""
    return Complaints()


@pytest.fixture
def page(browser: Browser, stack: Stack, complaints: Complaints) -> Iterator[Page]:
    """Open the page, signed out, and check its console at the end."""
    with opened(browser, stack.url, complaints) as shown:
        yield shown
    assert complaints.left() == []


@pytest.fixture
def signed_in(page: Page) -> Page:
    """Sign in and wait for the first rows."""
    sign_in(page, PSK)
    page.get_by_test_id("status-bar").wait_for()
    return page
