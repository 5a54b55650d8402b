"""The pictures in the docs: `make pictures` runs everything with the sample feed and takes them."""

from __future__ import annotations

import json
import time
from pathlib import Path

from playwright.sync_api import Page

from bench.browser import chromium
from bench.report import say
from bench.whole import whole
from tidegrid import kafka
from tidegrid.contract import messages, topics
from tidegrid.settings import Settings

_DOCS = Path(__file__).parents[1] / "docs"
#: Seconds until the windows hold something.
_FILLED = 180


def main() -> None:
    """Take the pictures, each of a page that is as a viewer sees it."""
    say("starting everything")
    with whole() as running, chromium() as browser:
        page = browser.new_context(color_scheme="light").new_page()
        running.sign_in(page)
        say(f"waiting {_FILLED} s for the windows to fill")
        page.wait_for_timeout(_FILLED * 1000)
        _take(page, "customers", 1600, 960)
        _take(page, "gold", 1440, 1150)
        _swap(running.settings)
        _take(page, "operations", 1440, 1000)


def _take(page: Page, name: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_test_id(f"nav-{name}").click()
    # Charts and trends are drawn after the rows.
    page.wait_for_timeout(15_000)
    page.screenshot(path=_DOCS / f"{name}.png")
    say(f"{name}.png")


def _swap(settings: Settings) -> None:
    """Ask for a swap, so that there is something to see of one."""
    names = {"usersTopic": "users.v2", "accountsTopic": "accounts.v2"}
    kafka.ensure_topics(settings.connection, dict.fromkeys(names.values(), 2), {})
    producer = kafka.producer(settings.connection)
    for n in range(300):
        user: dict[str, object] = {"userId": f"u{n}", "name": f"User {n}", "age": 20 + n % 50}
        account: dict[str, object] = {
            "userId": f"u{n:03d}",
            "accountType": "CHK",
            "balance": 10 * n,
        }
        for topic, record in (("users.v2", user), ("accounts.v2", account)):
            producer.produce(topic, json.dumps(record))
    producer.flush(30)
    kafka.Sender(settings.connection).send(topics.CONTROL, messages.to_json(names))
    time.sleep(10)


if __name__ == "__main__":
    main()
