"""The JS API of a real Deephaven keeps what the server in the page's unit tests promises."""

from __future__ import annotations

import subprocess
from pathlib import Path

from playwright.sync_api import Page

from tests.support.browser import read_view
from tests.support.stack import PSK, Stack, eventually

WEB = Path(__file__).parents[2] / "web"
ROWS = 12
#: Bundles the suite, as the unit tests of the page run it, into one script.
BUNDLE = """
import('vite').then(({ build }) => build({
  configFile: false, logLevel: 'error',
  build: { write: false, lib: {
    entry: 'src/app/deephaven/testing/real-contract.ts', formats: ['iife'], name: 'contract',
  } },
})).then(([built]) => process.stdout.write(built.output[0].code));
"""


def test_a_real_server_keeps_the_contract(stack: Stack, page: Page) -> None:
    """The rows are those of `CONTRACT_ROWS` in contract-table.ts."""
    for n in range(ROWS):
        user: dict[str, object] = {"userId": f"contract-{n:02d}"}
        if n % 4:
            user["name"] = f"Name {n % 3}"
        if n % 5:
            user["age"] = 20 + n
        stack.produce("users", user)
    stack.flush()
    eventually(
        "the rows", lambda: len(read_view(page, "users_ui", ["userId"], "contract-")) == ROWS
    )
    command = ["node", "--input-type=module", "-e", BUNDLE]
    script = subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=True).stdout
    page.evaluate(f"() => {{ {script}; window.contract = contract; }}")
    found = page.evaluate("key => contract.run(location.origin, key, 'users_ui')", PSK)
    assert found == []
