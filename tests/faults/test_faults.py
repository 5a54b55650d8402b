"""Parts killed with SIGKILL under load: afterwards every row is right, and no older one wins."""

from __future__ import annotations

import random
import threading
import time

import pytest
from playwright.sync_api import Page

from tests.browser import Complaints, read_view
from tests.stack import Stack, eventually

USERS = 200


class Load:
    """Numbered changes to a set of users, as fast as is usual, and what they should end as."""

    def __init__(self, stack: Stack, prefix: str) -> None:
        self._stack = stack
        self._prefix = prefix
        self._random = random.Random(prefix)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.users: dict[str, str] = {}
        self.accounts: dict[tuple[str, str], float] = {}

    def __enter__(self) -> Load:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._stack.flush()

    def _run(self) -> None:
        number = 0
        # Times that only grow, so that the newest record is the last one produced.
        at = int(time.time() * 1000)
        while not self._stop.wait(0.002):
            number += 1
            user = f"{self._prefix}-{self._random.randrange(USERS)}"
            stamp = at + number
            if number % 3 == 0:
                self.users[user] = f"name {number}"
                record: dict[str, object] = {"userId": user, "name": self.users[user]}
                self._stack.produce("users", record, at=stamp)
            else:
                kind = self._random.choice(("CHK", "SAV", "BRK"))
                self.accounts[user, kind] = float(number)
                record = {"userId": user, "accountType": kind, "balance": float(number)}
                self._stack.produce("accounts", record, at=stamp)

    def joined(self) -> dict[tuple[str, str], tuple[str, float | None]]:
        """Return what the joined view should show."""
        rows: dict[tuple[str, str], tuple[str, float | None]] = {
            (user, kind): (self.users[user], balance)
            for (user, kind), balance in self.accounts.items()
            if user in self.users
        }
        owners = {user for user, _ in self.accounts}
        rows |= {(u, ""): (n, None) for u, n in self.users.items() if u not in owners}
        return rows


def shown(page: Page, prefix: str) -> dict[tuple[str, str], tuple[str, float | None]]:
    """Return what the joined view shows to a viewer."""
    rows = read_view(page, "final_ui", ["userId", "accountType", "name", "balance"])
    return {
        (user, kind or ""): (name, balance)
        for user, kind, name, balance in rows
        if user.startswith(f"{prefix}-")
    }


def difference(load: Load, page: Page, prefix: str) -> list[tuple[object, ...]]:
    wanted, found = load.joined(), shown(page, prefix)
    keys = wanted.keys() | found.keys()
    wrong = [k for k in keys if wanted.get(k) != found.get(k)]
    return [(k, wanted.get(k), found.get(k)) for k in wrong[:5]]


@pytest.mark.parametrize("part", ["pipeline", "tables", "broker"])
def test_a_part_killed_under_load_comes_back_to_the_right_rows(
    stack: Stack, page: Page, complaints: Complaints, part: str
) -> None:
    with Load(stack, f"kill-{part}") as load:
        eventually("the load arrives", lambda: shown(page, f"kill-{part}"))
        if part == "broker":
            stack.restart_broker()
        else:
            stack.kill_part(part)
            # It comes back with another login, which is as good.
            stack.start_part(part, **stack.password())
        eventually("more changes", lambda: len(load.accounts) > 300 and len(load.users) > 100, 60)
    last: list[tuple[object, ...]] = []

    def right() -> bool:
        last[:] = difference(load, page, f"kill-{part}")
        return not last

    try:
        eventually("every joined row as produced", right, 120)
    except AssertionError as e:
        raise AssertionError(f"{e}; key, wanted, shown: {last}") from None
    # What reads the view here is the test itself, which does not mind a connection that ends.
    page.goto("about:blank")
    complaints.outage = True


def test_versions_never_let_an_older_value_win(stack: Stack) -> None:
    """Over all that was replayed above, a higher version never carries an older value."""
    newest: dict[tuple[str, str], float] = {}
    rows = [row for row in stack.changelog() if row["userId"].startswith("kill-")]
    accounts = [row for row in rows if "a" in row["shows"]]
    for row in sorted(accounts, key=lambda r: (r["accountTs"], r["accountTie"])):
        key = (row["userId"], row["accountType"])
        assert row["balance"] >= newest.get(key, 0)
        newest[key] = row["balance"]
    names: dict[str, int] = {}
    named = [row for row in rows if "name" in row]
    for row in sorted(named, key=lambda r: (r["userTs"], r["userTie"])):
        number = int(row["name"].removeprefix("name "))
        assert number >= names.get(row["userId"], 0)
        names[row["userId"]] = number
    assert newest
    assert names
