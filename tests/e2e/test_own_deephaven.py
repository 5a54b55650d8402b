"""A Deephaven of somebody's own, started plainly with what `--print-config` wrote, with TLS.

It runs beside the tables of the stack, on the same generations; no test here swaps, for two of
them would compete for who says that a generation is live.
"""

from __future__ import annotations

import http.client
import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.e2e.test_page import panel, search
from tests.support.browser import Complaints, opened, sign_in
from tests.support.certificates import Authority
from tests.support.stack import QUICK, Stack, eventually
from tidegrid.machine.java import java_home
from tidegrid.machine.ports import free_port
from tidegrid.page import probe as probe
from tidegrid.settings import PAGE_PATH, Settings, Tables
from tidegrid.tables import config

#: Not the stack's: it is that server's own.
OWN_KEY = "the key of another server"
#: The shortest that Deephaven takes.
SESSION_SECONDS = 10
#: Between two cycles of its clock: long, so that what is shown sooner was not shown by the clock.
CYCLE_SECONDS = 5


class OwnDeephaven:
    """The server as a process, and where it is."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        authority = Authority(folder)
        pair = authority.issue(["127.0.0.1"])
        self.root = authority.root
        self.settings = Settings(
            tables=Tables(
                port=free_port(), certificate=str(pair.certificate), key=str(pair.key), heap_mb=1024
            )
        )
        environment = {
            **stack.environment,
            "TIDEGRID_TABLES_PORT": str(self.settings.tables.port),
            "TIDEGRID_TABLES_CERTIFICATE": str(pair.certificate),
            "TIDEGRID_TABLES_KEY": str(pair.key),
            "TIDEGRID_TABLES_HEAP_MB": "1024",
            "TIDEGRID_TABLES_CYCLE_MS": str(CYCLE_SECONDS * 1000),
            "JAVA_HOME": java_home(),
            **QUICK,
        }
        handout = folder / "handout"
        written = [sys.executable, "-m", "tidegrid", "tables", "--print-config", "--into"]
        subprocess.run([*written, handout], env=environment, check=True, timeout=60)
        # What is that server's own: its key, and a session short enough for a test.
        with (handout / "deephaven.prop").open("a") as own:
            own.write(f"authentication.psk={OWN_KEY}\n")
            own.write(f"http.session.durationMs={SESSION_SECONDS * 1000}\n")
        command = [str(Path(sys.executable).with_name("deephaven")), "server", "--no-browser"]
        command += ["--host", "127.0.0.1", "--port", str(self.settings.tables.port)]
        command += ["--jvm-args", (handout / "jvm.args").read_text()]
        with (folder / "own.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                # It waits for a line, and ends when there can be none.
                stdin=subprocess.PIPE,
                start_new_session=True,
            )

    @property
    def up(self) -> bool:
        """Whether the page is there."""
        assert self.process.poll() is None, "it ended"
        return not probe.ask(self.settings, timeout=1)

    def stop(self) -> None:
        """End it, and all it started."""
        with self.process:
            os.killpg(self.process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def own(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnDeephaven]:
    """Start a Deephaven with the handout."""
    started = OwnDeephaven(stack, tmp_path_factory.mktemp("own"))
    try:
        eventually("the page of that Deephaven", lambda: started.up, 90)
        yield started
    finally:
        started.stop()


@pytest.fixture
def own_page(browser: Browser, own: OwnDeephaven, complaints: Complaints) -> Iterator[Page]:
    """Open its page, signed in, and check its console at the end."""
    # The browser does not know the tests' authority; Python does, below.
    with opened(browser, own.settings.url, complaints, any_certificate=True) as page:
        sign_in(page, OWN_KEY)
        expect(page.get_by_test_id("status-bar")).to_have_attribute("data-connection", "connected")
        yield page
    assert complaints.left() == []


def rested(seconds: float) -> None:
    """Return when so much time has passed."""
    end = time.monotonic() + seconds
    eventually("a rest", lambda: time.monotonic() > end)


def test_a_plain_deephaven_serves_the_page_and_live_rows_over_tls(
    stack: Stack, own_page: Page
) -> None:
    assert own_page.url.startswith("https://")
    stack.produce("users", {"userId": "own", "name": "before"})
    stack.produce("accounts", {"userId": "own", "accountType": "CHK", "balance": 12.5})
    stack.flush()
    joined = panel(own_page, "joined")
    search(joined, "userId", "own")
    expect(joined.get_by_test_id("cell-balance").first).to_have_text("12.50")
    assert own_page.evaluate("isSecureContext")


def test_a_row_that_comes_is_shown_before_the_clock_says_so(stack: Stack, own_page: Page) -> None:
    """The clock, and what Tidegrid itself writes every 2 s, would take a second or more."""
    name = panel(own_page, "users").get_by_test_id("cell-name").first
    search(panel(own_page, "users"), "userId", "prompt")
    for turn in range(6):
        stack.produce("users", {"userId": "prompt", "name": f"turn {turn}"})
        stack.flush()
        expect(name).to_have_text(f"turn {turn}")
        # Rows that come soon after others wait a while, to be shown together.
        rested(0.5 * CYCLE_SECONDS)
    p50 = own_page.get_by_test_id("status-bar").get_attribute("data-p50")
    assert p50
    assert float(p50) < 400


def test_its_certificate_holds_for_who_trusts_the_issuer(own: OwnDeephaven) -> None:
    tables = own.settings.tables
    knows = ssl.create_default_context(cafile=str(own.root))
    connection = http.client.HTTPSConnection(tables.host, tables.port, timeout=5, context=knows)
    connection.request("GET", PAGE_PATH)
    assert connection.getresponse().status == 200
    connection.close()
    stranger = ssl.create_default_context()
    connection = http.client.HTTPSConnection(tables.host, tables.port, timeout=5, context=stranger)
    with pytest.raises(ssl.SSLCertVerificationError):
        connection.request("GET", PAGE_PATH)


@pytest.mark.parametrize("path", [PAGE_PATH, "/js-plugins/manifest.json", "/no/such/page"])
def test_every_answer_has_the_headers(stack: Stack, own: OwnDeephaven, path: str) -> None:
    knows = ssl.create_default_context(cafile=str(own.root))
    plain, secured = stack.settings.tables, own.settings.tables
    for connection, settings in (
        (http.client.HTTPConnection(plain.host, plain.port, timeout=5), stack.settings),
        (
            http.client.HTTPSConnection(secured.host, secured.port, timeout=5, context=knows),
            own.settings,
        ),
    ):
        connection.request("GET", path)
        answer = connection.getresponse()
        for name, value in config.headers(settings).items():
            assert answer.headers.get_all(name) == [value], name
        assert answer.headers["Server"] is None
        connection.close()


def test_what_the_policy_forbids_is_stopped_and_seen(page: Page, complaints: Complaints) -> None:
    page.evaluate(
        """() => {
          const texts = {
            script: "document.title = 'owned'",
            style: 'body { display: none }',
          };
          for (const [kind, textContent] of Object.entries(texts)) {
            document.body.append(Object.assign(document.createElement(kind), { textContent }));
          }
          document.body.setAttribute('style', 'display: none');
          new Image().src = 'https://elsewhere.invalid/stolen.png';
          fetch('https://elsewhere.invalid/stolen').catch(() => undefined);
        }"""
    )
    rules = ("script-src", "style-src", "img-src", "connect-src")

    def seen() -> bool:
        page.wait_for_timeout(50)
        return all(any(rule in c for c in complaints) for rule in rules)

    eventually("a complaint of each rule", seen, 10)
    assert page.title() != "owned"
    expect(page.locator("body")).to_be_visible()
    assert [c for c in complaints if "Content Security Policy" not in c] == []
    complaints.clear()


def test_a_page_whose_session_expired_logs_in_again_by_itself(stack: Stack, own_page: Page) -> None:
    stack.produce("users", {"userId": "expiry", "name": "before"})
    stack.flush()
    users = panel(own_page, "users")
    search(users, "userId", "expiry")
    expect(users.get_by_test_id("cell-name").first).to_have_text("before")
    log_ins: list[str] = []

    def note(request: Request) -> None:
        if "PskAuthenticationHandler" in request.headers.get("authorization", ""):
            log_ins.append(request.url)

    own_page.on("request", note)
    own_page.evaluate("window.stillTheSamePage = true")
    # As in a laptop that sleeps: the page does nothing until the server has forgotten it.
    tools = own_page.context.new_cdp_session(own_page)
    tools.send("Debugger.enable")
    tools.send("Debugger.pause")
    rested(1.5 * SESSION_SECONDS)
    assert log_ins == []
    tools.send("Debugger.disable")
    stack.produce("users", {"userId": "expiry", "name": "after"})
    stack.flush()
    expect(users.get_by_test_id("cell-name").first).to_have_text("after")
    expect(own_page.get_by_test_id("status-bar")).to_have_attribute("data-connection", "connected")
    assert len(log_ins) == 1
    assert own_page.evaluate("window.stillTheSamePage") is True
