"""Topics whose rows say which topics they are from, and what became of the swaps between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.stack import Stack
from tidegrid import kafka
from tidegrid.contract.receipts import Life
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.stack import swap

ROLLBACK = {"action": "rollback", "flow": "customers"}
#: What the stack starts with.
FIRST_WORLD = {"usersTopic": "users", "accountsTopic": "accounts", "joinType": "left"}


def make_world(stack: Stack, name: str, users: int, rounds: int = 1) -> dict[str, str]:
    """Make topics whose rows are all marked with their name."""
    sources = {"usersTopic": f"{name}.users", "accountsTopic": f"{name}.accounts"}
    kafka.ensure_topics(stack.connection, dict.fromkeys(sources.values(), 2), {})
    for turn in range(rounds):
        for n in range(users):
            user = f"{name}-{n}"
            mark = f"{name} {turn}"
            stack.produce(sources["usersTopic"], {"userId": user, "name": mark})
            account: dict[str, object] = {"userId": user, "accountType": "CHK", "balance": turn}
            stack.produce(sources["accountsTopic"], account)
    stack.produce(sources["usersTopic"], b"junk", key="junk")
    stack.flush()
    return sources


def sent(stack: Stack, message: Mapping[str, Any]) -> list[str]:
    """Send a message, follow it to its end, and return what was said."""
    lines: list[str] = []
    swap.send(stack.settings, message, lines.append)
    return lines


def lives(stack: Stack) -> Mapping[int, Life]:
    """Return the generations, by number."""
    return ReceiptLog.read(stack.connection).ledger.lives("customers")


def live(stack: Stack, flow: str = "customers") -> int:
    """Return the live generation of a flow; 0 if there is none."""
    return ReceiptLog.read(stack.connection).ledger.live(flow) or 0


def only_live_runs(stack: Stack) -> bool:
    """Whether all generations but the live one are over."""
    return [g for g, life in lives(stack).items() if life.running] == [live(stack)]


def no_orphans(stack: Stack) -> bool:
    """Whether there are topics and checkpoints of the live generation alone."""
    number = str(live(stack))
    own = [n for n in kafka.names(stack.connection) if n.startswith("tidegrid.customers.")]
    checkpoints = stack.settings.home / "checkpoints"
    folders = {p.name for p in checkpoints.glob("*/customers/*")}
    return {n.split(".")[2] for n in own} == {number} and folders == {number}
