"""Changes under load, and whether a viewer ends up with what was produced."""

from __future__ import annotations

import itertools
import random
import threading
import time
from abc import ABC, abstractmethod
from typing import Self

from playwright.sync_api import Page

from tests.support.browser import read_view
from tests.support.stack import POSITIONS, Stack, eventually

HOSTILE = '<img src=x onerror="document.title=1">'
USERS = 200
SYMBOLS = 20


class _Running(ABC):
    """Something that produces in a thread of its own, while the context is open."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._stack.flush()

    @abstractmethod
    def _run(self) -> None:
        """Produce until it is told to stop."""


class Load(_Running):
    """Numbered changes to a set of users, as fast as is usual, and what they should end as."""

    def __init__(
        self,
        stack: Stack,
        prefix: str,
        users: str = "users",
        accounts: str = "accounts",
        *,
        pause: float = 0.002,
    ) -> None:
        super().__init__(stack)
        self._pause = pause
        self._topics = users, accounts
        self._prefix = prefix
        self._random = random.Random(prefix)
        #: How many changes there were.
        self.sent = 0
        self.users: dict[str, str] = {}
        self.accounts: dict[tuple[str, str], float] = {}

    def _run(self) -> None:
        # Times that only grow, so that the newest record is the last one produced.
        at = int(time.time() * 1000)
        while not self._stop.wait(self._pause):
            self.sent = number = self.sent + 1
            user = f"{self._prefix}-{self._random.randrange(USERS)}"
            stamp = at + number
            if number % 3 == 0:
                self.users[user] = f"name {number}"
                record: dict[str, object] = {"userId": user, "name": self.users[user]}
                self._stack.produce(self._topics[0], record, at=stamp)
            else:
                kind = self._random.choice(("CHK", "SAV", "BRK"))
                self.accounts[user, kind] = float(number)
                record = {"userId": user, "accountType": kind, "balance": float(number)}
                self._stack.produce(self._topics[1], record, at=stamp)

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


class Desk(_Running):
    """Events of two source systems, 50 a second, for the Gold page to show.

    One symbol is hostile, unless told otherwise: what comes from a topic is text.
    """

    def __init__(self, stack: Stack, topic: str, mark: str, *, hostile: bool = True) -> None:
        super().__init__(stack)
        self._odd = HOSTILE if hostile else f"{mark}.5"
        self._topic = topic
        self._mark = mark

    def _run(self) -> None:
        for turn in itertools.count():
            if self._stop.wait(0.02):
                return
            number = turn % 6
            event = {
                "symbol": self._odd if number == 5 else f"{self._mark}.{number}",
                "price": 100.0 + number + turn % 7,
                "qty": 3,
                "_source_system": f"{self._mark}-{number % 2}",
                "allotment": f"{self._mark} desk {number % 3}",
                "pnl": 500.0 * (number - 2) + turn % 11,
                "mtm": 1000.0 * number,
                "event_ts": time.time_ns(),
            }
            self._stack.produce(self._topic, event)


class Trades(_Running):
    """Numbered changes of positions under the same load: what is newest, and how many there were.

    The price never moves, and at the end the positions go: other tests look at the largest.
    """

    def __init__(self, stack: Stack, prefix: str) -> None:
        super().__init__(stack)
        self._prefix = prefix
        self.newest: dict[str, float] = {}
        self.count = 0

    def _run(self) -> None:
        while not self._stop.wait(0.01):
            symbol = f"{self._prefix}-{self.count % SYMBOLS}"
            self.count += 1
            self.newest[symbol] = float(self.count)
            self._send(symbol, op="U", price=1, qty=1, pnl=self.count)

    def _send(self, symbol: str, **more: object) -> None:
        at = time.time_ns() // 1_000_000
        self._stack.produce(POSITIONS, {"symbol": symbol, "event_ts": at, **more})

    def shown(self, page: Page) -> dict[str, float]:
        """Return what a viewer sees of them."""
        rows = read_view(page, "gold_latest", ["symbol", "pnl"], about=f"{self._prefix}-")
        return {str(symbol): float(pnl) for symbol, pnl in rows}

    def counted(self) -> int:
        """Return how many trades the buckets hold, each in its last state."""
        last: dict[tuple[str, int], int] = {}
        for row in self._stack.changelog("gold_buckets", "positions"):
            if row["symbol"].startswith(f"{self._prefix}-"):
                place = row["symbol"], row["bucket"]
                last[place] = max(last.get(place, 0), row["trades"])
        return sum(last.values())

    def remove(self) -> None:
        """Take the positions away."""
        for symbol in self.newest:
            self._send(symbol, op="D")
        self._stack.flush()


def shown(page: Page, prefix: str) -> dict[tuple[str, str], tuple[str, float | None]]:
    """Return what the joined view shows to a viewer."""
    columns = ["userId", "accountType", "name", "balance"]
    rows = read_view(page, "final_ui", columns, about=f"{prefix}-")
    return {(user, kind or ""): (name, balance) for user, kind, name, balance in rows}


def difference(load: Load, page: Page, prefix: str) -> list[tuple[object, ...]]:
    wanted, found = load.joined(), shown(page, prefix)
    keys = wanted.keys() | found.keys()
    wrong = [k for k in keys if wanted.get(k) != found.get(k)]
    return [(k, wanted.get(k), found.get(k)) for k in wrong[:5]]


def wait_until_right(load: Load, page: Page, prefix: str, seconds: float = 120) -> None:
    """Wait until the joined view shows what was produced; say what is wrong if it never does."""
    last: list[tuple[object, ...]] = []

    def right() -> bool:
        last[:] = difference(load, page, prefix)
        return not last

    try:
        eventually("every joined row as produced", right, seconds)
    except AssertionError as e:
        raise AssertionError(f"{e}; key, wanted, shown: {last}") from None
