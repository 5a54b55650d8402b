"""`tidegrid swap`, `rollback`, `apply` and `remove`: send a message and follow its receipts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from confluent_kafka import OFFSET_END, TopicPartition

from tidegrid import kafka
from tidegrid.contract import control, health, messages, receipts, topics
from tidegrid.contract.health import Health, Reports
from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.errors import SettingsError, SwapError
from tidegrid.kafka.own import ensure_own_topics, readable
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.settings import Settings
from tidegrid.stack.flows import known
from tidegrid.stack.progress import Progress
from tidegrid.stack.status import newest_health

_SAY_EVERY, _LOOK_EVERY = 2.0, 0.5


def send(
    settings: Settings,
    message: Mapping[str, Any],
    say: Callable[[str], None],
    show: Callable[[str], None] | None = None,
) -> None:
    """Send a message and say what becomes of it, until it is done; an error if it is not.

    `show` is told how far it is all the time, where a line can take the place of the one before.
    """
    connection = settings.connection
    receipt_log = ReceiptLog.read(connection)
    problem = control.problem(message, known(settings, receipt_log.ledger), receipt_log.ledger)
    if problem == control.NO_CHANGE:
        say(problem)
        return
    if problem:
        raise SwapError(f"refused: {problem}")
    ensure_own_topics(connection)
    sent = kafka.Sender(connection).send(topics.CONTROL, messages.to_json(message))
    began = time.monotonic()
    said = began
    flow, generation = "", 0
    progress: Progress | None = None
    reports = Reports()
    for report in newest_health(connection).values():
        reports.take(report)
    for news in _news(receipt_log, settings):
        waited = time.monotonic() - began
        if isinstance(news, Health):
            reports.take(news)
            if progress is not None:
                progress.take(news)
            continue
        receipt = news
        if receipt is None:
            tell = show or say
            if show or time.monotonic() - said > _SAY_EVERY:
                said = time.monotonic()
                tell(f"{waited:5.1f} s  {waiting(reports, progress, time.time())}")
            if waited > settings.swap.timeout_seconds + 60:
                raise SwapError("no answer; see the pipeline's log")
            continue
        mine = receipt.control == sent
        followed = generation > 0 and (receipt.flow, receipt.generation) == (flow, generation)
        if not mine and not followed:
            continue
        flow, generation = receipt.flow, receipt.generation
        if receipt.state == "building":
            progress = Progress(receipt)
        say(f"{waited:5.1f} s  {describe(receipt)}")
        said = time.monotonic()
        if receipt.state == "live" or receipt.reason == control.NO_CHANGE:
            return
        if "remove" in message and receipt.state == "closed":
            if any(life.running for life in receipt_log.ledger.lives(flow).values()):
                continue
            return
        if receipt.state in ("refused", "failed", "closed"):
            stays = receipt_log.ledger.live(flow) is not None
            goes_on = "; the live generation goes on" if stays else ""
            raise SwapError(f"{receipt.state}: {receipt.reason}{goes_on}")


def rollback(ledger: Ledger, flow: str | None) -> dict[str, str]:
    """Return the message that goes back: in a flow, or in the only one where that is possible."""
    states = {f: [life.state for life in ledger.lives(f).values()] for f in ledger.flows}
    lingering = [f for f, found in states.items() if "lingering" in found]
    if flow is None and not lingering:
        raise SwapError("refused: nothing to roll back to: no earlier generation lingers")
    if flow is None and len(lingering) > 1:
        raise SettingsError(f"name the flow to roll back with --flow: {', '.join(lingering)}")
    return {"action": "rollback", "flow": flow or lingering[0]}


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


def waiting(reports: Reports, progress: Progress | None, now: float) -> str:
    """Return what is waited for, in one line."""
    pipeline = reports.state("pipeline", now)
    if pipeline is None and reports.state(health.SECOND, now) is not None:
        return "waiting: the pipeline that led is gone; the second one takes over"
    if pipeline is None:
        return "waiting: no pipeline is running; start one with tidegrid pipeline"
    if reports.state("tables", now) is None:
        return "waiting: no tables are running; start them with tidegrid tables"
    text = progress.text() if progress is not None else "waiting for the pipeline"
    troubled = pipeline.state != "running" and pipeline.detail
    return f"{text}; pipeline {pipeline.state}: {pipeline.detail}" if troubled else text


def _news(receipt_log: ReceiptLog, settings: Settings) -> Iterator[Receipt | Health | None]:
    """Yield receipts and reports of the parts as they come, and nothing now and then."""
    reader = kafka.reader(settings.connection)
    looked = time.monotonic()
    try:
        places = ((topics.RECEIPTS, receipt_log.position), (topics.HEALTH, OFFSET_END))
        reader.assign([TopicPartition(topic, 0, offset) for topic, offset in places])
        while True:
            message = reader.poll(_LOOK_EVERY)
            if message is None or time.monotonic() - looked > _LOOK_EVERY:
                looked = time.monotonic()
                yield None
            if message is None or message.error() is not None:
                continue
            if message.topic() == topics.HEALTH:
                report = readable(message, health.parse(message.value()))
                if report is not None:
                    yield report
            elif (receipt := receipt_log.take(message)) is not None:
                yield receipt
    finally:
        reader.close()
