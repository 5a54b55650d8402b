"""What the tests do in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Error, Page

from tests.support.stack import PSK

_CONNECT = """
  const dh = (await import('/jsapi/dh-core.js')).default;
  const client = new dh.CoreClient(location.origin);
  const type = 'io.deephaven.authentication.psk.PskAuthenticationHandler';
  await client.login({ type, token: key });
  const connection = await client.getAsIdeConnection();
  // Unheard, they become errors on the console, and the server may be killed while this reads.
  for (const event of ['reconnect', 'disconnect']) connection.addEventListener(event, () => {});
"""
_READ = (
    f"async ({{ name, columns, key, about }}) => {{ {_CONNECT}"
    + """
  try {
    const table = await connection.getTable(name);
    if (about) {
      const prefix = dh.FilterValue.ofString(about);
      table.applyFilter([table.findColumn(columns[0]).filter().invoke('startsWith', prefix)]);
    }
    // Of any size: the one it had when it was opened may be out of date.
    table.setViewport(0, 999999);
    // A table that is rebuilt just now never answers: it is read again.
    const silent = new Promise((_, reject) => setTimeout(reject, 10000, new Error('no rows')));
    const data = await Promise.race([table.getViewportData(), silent]);
    const chosen = columns.map(c => table.findColumn(c));
    // A long is an object of the API.
    const plain = v => (typeof v?.asNumber === 'function' ? v.asNumber() : v);
    return data.rows.map(row => chosen.map(c => plain(row.get(c))));
  } finally {
    connection.close();
  }
}
"""
)


_ADD = (
    f"async ({{ name, row, key }}) => {{ {_CONNECT}"
    + """
  try {
    const table = await connection.getTable(name);
    await (await table.inputTable()).addRow(row);
  } finally {
    connection.close();
  }
}
"""
)


_WATCH = (
    f"async ({{ names, key }}) => {{ {_CONNECT}"
    + """
  window.flips = {};
  window.endFlips = () => connection.close();
  for (const name of names) {
    window.flips[name] = {};
    const table = await connection.getTable(name);
    const generation = table.findColumn('generation');
    table.addEventListener(dh.Table.EVENT_UPDATED, ({ detail }) => {
      const shown = detail.rows[0]?.get(generation)?.asNumber();
      if (shown !== undefined) window.flips[name][shown] ??= performance.now();
    });
    table.setViewport(0, 0, [generation], 50);
    await table.getViewportData();
  }
}
"""
)


def watch_generations(page: Page, names: list[str]) -> None:
    """Note when the first row of each view is of another generation."""
    page.evaluate(_WATCH, {"names": names, "key": PSK})


def when_shown(page: Page) -> dict[str, dict[int, float]]:
    """Return, of each view that is watched, when it first showed each generation; end that."""
    found = page.evaluate("() => { endFlips(); return flips; }")
    return {name: {int(g): at for g, at in seen.items()} for name, seen in found.items()}


def sign_in(page: Page, key: str) -> None:
    """Give the key to the page."""
    page.get_by_test_id("login-psk").fill(key)
    page.get_by_test_id("login-submit").click()


def read_view(page: Page, name: str, columns: list[str], about: str = "") -> list[list[Any]]:
    """Return the rows of a view as a viewer gets them; none while Deephaven is away.

    All of them, or those whose first column begins like that.
    """
    asked = {"name": name, "columns": columns, "key": PSK, "about": about}
    try:
        rows = page.evaluate(_READ, asked)
    except Error:
        return []
    assert isinstance(rows, list)
    return rows


def add_row(page: Page, name: str, row: dict[str, str]) -> None:
    """Add a row to a table that takes some, as any client may."""
    page.evaluate(_ADD, {"name": name, "row": row, "key": PSK})


class Complaints(list[str]):
    """What the console said was wrong."""

    #: Set by a test that takes the server away: then connections are refused, and the browser and
    #: the tests' own reading say so.
    outage = False

    _OF_AN_OUTAGE = (
        "ERR_CONNECTION",
        "ERR_EMPTY_RESPONSE",
        "ERR_INCOMPLETE_CHUNKED",
        "WebSocket connection to",
        "WebSocket is already",
        "Failed to load",
        "Response closed without trailers",
        "to prevent this log message",
        # The tests' own reading of a table that has failed.
        "Details Logged w/ID",
    )

    def left(self) -> list[str]:
        """Return what is not forgiven."""
        if not self.outage:
            return list(self)
        return [c for c in self if not any(text in c for text in self._OF_AN_OUTAGE)]


@contextmanager
def opened(
    browser: Browser, url: str, complaints: Complaints, *, any_certificate: bool = False
) -> Iterator[Page]:
    """Open a page for a viewer of its own, and collect what its console says is wrong."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, ignore_https_errors=any_certificate
    )
    page = context.new_page()

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.type}: {message.text}")

    def crash(error: Error) -> None:
        complaints.append(f"exception: {error}")

    page.on("console", note)
    page.on("pageerror", crash)
    try:
        page.goto(url)
        yield page
    finally:
        context.close()
