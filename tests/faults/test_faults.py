"""Parts killed with SIGKILL under load: afterwards every row is right, and no older one wins.

The tables are killed where somebody looks at them: tests/e2e/test_page.py.
"""

from __future__ import annotations

import functools
import json

import pytest
from confluent_kafka import OFFSET_END, TopicPartition
from playwright.sync_api import Page, expect

from tests.support.browser import Complaints, read_view, sign_in
from tests.support.load import Load, Trades, shown, wait_until_right
from tests.support.stack import POSITIONS, PSK, Stack, eventually
from tests.support.worlds import FIRST_WORLD, live, make_world, sent
from tidegrid import kafka
from tidegrid.contract import topics

#: What the status bar says of the age of a flow; nothing is said of one that is fresh.
_AGE = """
  document.querySelector('[data-testid=flow-customers] [data-age]')?.dataset.age ?? 'fresh'
"""


@pytest.mark.parametrize("part", ["pipeline", "broker"])
def test_a_part_killed_under_load_comes_back_to_the_right_rows(
    stack: Stack, page: Page, complaints: Complaints, part: str
) -> None:
    sign_in(page, PSK)
    said = page.get_by_test_id("flow-customers").locator("[data-age]")
    with Load(stack, f"kill-{part}") as load, Trades(stack, f"kill-{part}") as trades:
        eventually("the load arrives", lambda: shown(page, f"kill-{part}"))
        eventually("the trades arrive", lambda: trades.shown(page))
        if part == "broker":
            stack.restart_broker()
        else:
            stack.kill_part(part)
            expect(said).to_have_attribute("data-age", "behind")
            expect(said).to_contain_text("the pipeline is silent")
            expect(page.get_by_test_id("users")).to_have_attribute("data-age", "behind")
            page.get_by_test_id("nav-gold").click()
            prices = page.get_by_test_id("prices")
            expect(prices).to_have_attribute("data-age", "behind")
            expect(prices).to_contain_text("the pipeline is silent")
            # It comes back with another login, which is as good.
            stack.start_part(part, **stack.password())
        eventually("more changes", lambda: len(load.accounts) > 300 and len(load.users) > 100, 60)
    wait_until_right(load, page, f"kill-{part}")
    eventually("every position as produced", lambda: trades.shown(page) == trades.newest, 60)
    # What was read again after the crash is counted once.
    eventually("every trade counted", lambda: trades.counted() >= trades.count, every=1)
    assert trades.counted() == trades.count
    eventually("no word of the crash", lambda: page.evaluate(_AGE) in ("fresh", "quiet"))
    trades.remove()
    _no_older_value_wins(stack, f"kill-{part}")
    # What reads the view here is the test itself, which does not mind a connection that ends.
    page.goto("about:blank")
    complaints.outage = True


def test_tables_that_failed_are_rebuilt(stack: Stack, page: Page, complaints: Complaints) -> None:
    """A record that is no row ends a table of Deephaven; here of both flows at once.

    It stays in the changelog of the customers, which a swap leaves behind.
    """
    complaints.outage = True
    stack.harm()
    sent(stack, make_world(stack, "failed", users=20))
    flows = {"customers": "customers", "positions": "rejects"}
    broken = [topics.changelog(f, live(stack, f), name) for f, name in flows.items()]
    log = stack.settings.home / "tables.log"
    known = len(log.read_text())
    for topic in broken:
        stack.produce(topic, b"no row", key="x")
    stack.flush()

    def failed() -> bool:
        lines = log.read_text()[known:].splitlines()
        said = [json.loads(line) for line in lines if line.startswith("{")]
        about = {line.get("flow") for line in said if "rebuilding them" in line["message"]}
        return about == set(flows)

    eventually("failed tables of both flows", failed, 30)
    place = TopicPartition(broken[1], 0, OFFSET_END)
    for done in kafka.admin(stack.connection).delete_records([place]).values():
        done.result(10)
    sent(stack, FIRST_WORLD)
    stack.produce("users", {"userId": "healed", "name": "healed"})
    stack.produce(POSITIONS, b"no json", key="healed")
    stack.flush()
    users = functools.partial(read_view, page, "users_ui", ["userId"], "healed")
    eventually("the users", lambda: users() == [["healed"]], 30)
    rejects = functools.partial(read_view, page, "rejects", ["topic", "value"])
    eventually("the rejects", lambda: [POSITIONS, "no json"] in rejects(), 60)
    page.goto("about:blank")


def _no_older_value_wins(stack: Stack, prefix: str) -> None:
    """See that, over all that was replayed, a higher version never carries an older value."""
    newest: dict[tuple[str, str], float] = {}
    rows = [row for row in stack.changelog() if row.get("userId", "").startswith(prefix)]
    accounts = [row for row in rows if "tg_accounts_ts" in row]
    for row in sorted(accounts, key=lambda r: (r["tg_accounts_ts"], r["tg_accounts_id"])):
        key = (row["userId"], row["accountType"])
        assert row["balance"] >= newest.get(key, 0)
        newest[key] = row["balance"]
    names: dict[str, int] = {}
    named = [row for row in rows if "name" in row]
    for row in sorted(named, key=lambda r: (r["tg_users_ts"], r["tg_users_id"])):
        number = int(row["name"].removeprefix("name "))
        assert number >= names.get(row["userId"], 0)
        names[row["userId"]] = number
    assert newest
    assert names
