"""`tidegrid status`: each part, its health, rows per view, rejects, and end-to-end age."""

from __future__ import annotations

import time

from tidegrid import kafka
from tidegrid.contract import health
from tidegrid.contract.health import Health
from tidegrid.contract.lifecycle import RUNNING
from tidegrid.contract.receipts import Ledger
from tidegrid.contract.topics import HEALTH
from tidegrid.errors import KafkaError
from tidegrid.kafka.connection import Connection
from tidegrid.kafka.own import readable
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.page import probe as page
from tidegrid.settings import Settings
from tidegrid.stack import flows


def newest_health(connection: Connection) -> dict[str, Health]:
    """Return the newest report of each part."""
    found: dict[str, Health] = {}
    for message in kafka.read_all(connection, HEALTH):
        report = readable(message, health.parse(message.value()))
        if report is not None:
            found[report.part] = report
    return found


def describe(settings: Settings, now: float | None = None) -> tuple[list[str], bool]:
    """Return the lines to print, and whether everything is well."""
    connection = settings.connection
    now = time.time() if now is None else now
    try:
        cluster = kafka.cluster_id(connection)
        reports = newest_health(connection)
    except KafkaError as e:
        return [_line("broker", "down", str(e))], False
    lines = [_line("broker", "up", f"{connection.bootstrap}, cluster {cluster}")]
    well = True
    ledger = ReceiptLog.read(connection).ledger
    topics = _sources(settings, ledger)
    known = kafka.partitions(connection, topics)
    for topic, flow in topics.items():
        if topic in known:
            ends = kafka.latest(connection, {topic: known[topic]})[topic]
            lines.append(_line(f"topic {topic}", "there", f"{sum(ends.values()):,} records"))
        else:
            well = False
            lines.append(_line(f"topic {topic}", "missing", f"the flow {flow} waits for it"))
    newest = (ledger.newest(flow) for flow in ledger.flows)
    is_pair = any(birth is not None and len(birth.copies) > 1 for birth in newest)
    second = [health.SECOND] if is_pair else []
    # As many replicas as there are: nobody says how many there should be.
    replicas = sorted(p for p, r in reports.items() if health.is_replica(p) and _lately(r, now))
    for part in ("pipeline", *second, "tables", *replicas):
        report = reports.get(part)
        state, detail, fine = _judge(report, now)
        well &= fine
        lines.append(_line(part, state, detail))
    told, fine = generations(ledger)
    lines += told
    well &= fine
    problem = page.ask(settings, timeout=3)
    where = f"{settings.url}: {problem}" if problem else settings.url
    lines.append(_line("page", "down" if problem else "up", where))
    tables = reports.get("tables")
    if tables is not None and _judge(tables, now)[2]:
        lines += ["", "rows"]
        lines += [f"  {view:<16} {rows:>12,}" for view, rows in tables.rows.items()]
        if tables.age is not None:
            lines += ["", f"newest event seen {tables.age:.1f} s before the last report"]
    return lines, well and not problem


def generations(ledger: Ledger) -> tuple[list[str], bool]:
    """Return a line for each generation that runs or has failed last, and whether all is well.

    A flow of which nothing runs since then is not well.
    """
    lines, well = [], True
    for flow in ledger.flows:
        lives = ledger.lives(flow)
        for number, life in lives.items():
            birth = life.birth
            if life.running:
                parts = [*birth.sources.values(), *([f"{birth.join} join"] if birth.join else [])]
                detail = f"{', '.join(parts)}, since {life.at}"
            elif life.state == "failed" and number == max(lives):
                detail = f"{life.reason}, at {life.at}"
                well &= any(other.running for other in lives.values())
            else:
                continue
            lines.append(_line(f"{flow} {number}", life.state, detail))
    return lines, well


def _sources(settings: Settings, ledger: Ledger) -> dict[str, str]:
    """Return the topics behind all flows, each with a flow that reads it."""
    return {
        topic: name
        for name, flow in flows.known(settings, ledger).items()
        for topic in flow.topics.values()
        if topic
    }


def _lately(report: Health, now: float) -> bool:
    return now - report.at <= health.STALE


def _judge(report: Health | None, now: float) -> tuple[str, str, bool]:
    if report is None:
        return "unknown", "has never reported", False
    if not _lately(report, now):
        return "down", f"last heard of {now - report.at:.0f} s ago", False
    detail = [f"generation {report.generation}"] if report.generation else []
    detail += [f"{report.restarts} restarts"] if report.restarts else []
    detail += [report.detail] if report.detail else []
    return report.state, ", ".join(detail), report.state in ("running", *RUNNING)


def _line(what: str, state: str, detail: str) -> str:
    return f"{what:<28} {state:<10} {detail}".rstrip()
