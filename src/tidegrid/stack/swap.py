"""`tidegrid swap` and `tidegrid rollback`: send a control message and follow its receipts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from confluent_kafka import TopicPartition

from tidegrid import kafka
from tidegrid.book import Book
from tidegrid.connection import Connection
from tidegrid.contract import control, receipts, topics
from tidegrid.contract.receipts import Receipt
from tidegrid.errors import SwapError
from tidegrid.settings import Settings
from tidegrid.stack.status import alive

_SAY_EVERY = 2.0


def send(settings: Settings, fields: dict[str, str], say: Callable[[str], None]) -> None:
    """Send a message and say what becomes of it, until it is live; an error if it is not."""
    connection = settings.connection
    book = Book.read(connection)
    problem = control.problem(fields, book.ledger)
    if problem == control.NO_CHANGE:
        say(problem)
        return
    if problem:
        raise SwapError(f"refused: {problem}")
    kafka.ensure_topics(connection, {control.TOPIC: 1}, control.TOPIC_CONFIG)
    kafka.ensure_topics(connection, {topics.RECEIPTS: 1}, topics.RECEIPTS_CONFIG)
    sent = kafka.Sender(connection).send(control.TOPIC, control.to_json(fields))
    began = time.monotonic()
    said = began
    flow, generation = "", 0
    for receipt in _receipts(connection, book.position):
        waited = time.monotonic() - began
        if receipt is None:
            if time.monotonic() - said > _SAY_EVERY:
                said = time.monotonic()
                say(f"{waited:5.1f} s  {_waiting(settings, generation)}")
            if waited > settings.swap.timeout_seconds + 60:
                raise SwapError("no answer; see the pipeline's log")
            continue
        mine = receipt.control == sent
        followed = generation > 0 and (receipt.flow, receipt.generation) == (flow, generation)
        if not mine and not followed:
            continue
        flow, generation = receipt.flow, receipt.generation
        say(f"{waited:5.1f} s  {describe(receipt)}")
        said = time.monotonic()
        if receipt.state == "live" or receipt.reason == control.NO_CHANGE:
            return
        if receipt.state in ("refused", "failed", "closed"):
            raise SwapError(f"{receipt.state}: {receipt.reason}; the live generation goes on")


def describe(receipt: Receipt) -> str:
    """Return a receipt in one line."""
    if receipt.generation == 0:
        return f"{receipt.state}: {receipt.reason}"
    line = f"generation {receipt.generation}: {receipt.state}"
    if receipt.state == "building":
        records = receipts.to_read(receipt)
        line += f" from {', '.join(receipt.sources.values())}, {records:,} records to catch up"
    elif receipt.state == "caught-up" and receipt.rows:
        changes = (
            f"{view} {receipt.before.get(view, 0):,} -> {rows:,}"
            for view, rows in receipt.rows.items()
        )
        line += f"; rows before -> after: {', '.join(changes)}"
    return f"{line}: {receipt.reason}" if receipt.reason else line


def _waiting(settings: Settings, generation: int) -> str:
    if not alive(settings.connection, "pipeline"):
        return "waiting: no pipeline is running; start one with tidegrid pipeline"
    if not alive(settings.connection, "tables"):
        return "waiting: no tables are running; start them with tidegrid tables"
    return f"waiting for generation {generation}" if generation else "waiting for the pipeline"


def _receipts(connection: Connection, position: int) -> Iterator[Receipt | None]:
    """Yield receipts as they come, and nothing now and then while there is none."""
    reader = kafka.reader(connection)
    try:
        reader.assign([TopicPartition(topics.RECEIPTS, 0, position)])
        while True:
            message = reader.poll(0.5)
            if message is None:
                yield None
            elif message.error() is None:
                receipt = receipts.parse(message.value())
                if receipt is not None:
                    yield receipt
    finally:
        reader.close()
