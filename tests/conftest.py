"""What the integration and browser tests share: one broker, Spark, Deephaven and Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page

from bench.browser import chromium
from tests.browser import Complaints, sign_in
from tests.stack import PSK, Stack


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
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text}")

    def crash(error: Error) -> None:
        complaints.append(f"exception: {error}")

    opened.on("console", note)
    opened.on("pageerror", crash)
    opened.goto(stack.url)
    yield opened
    context.close()
    assert complaints.left() == []


@pytest.fixture
def signed_in(page: Page) -> Page:
    """Sign in and wait for the first rows."""
    sign_in(page, PSK)
    page.get_by_test_id("status-bar").wait_for()
    return page
