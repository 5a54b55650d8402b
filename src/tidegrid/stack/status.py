"""`tidegrid status`: each part, its health, rows per view, rejects, and end-to-end age."""

from __future__ import annotations

import time

from tidegrid import kafka, page
from tidegrid.book import Book
from tidegrid.connection import Connection
from tidegrid.contract import health
from tidegrid.contract.health import Health
from tidegrid.contract.receipts import RUNNING, Ledger
from tidegrid.contract.views import FLOWS
from tidegrid.errors import KafkaError
from tidegrid.settings import Settings


def newest_health(connection: Connection) -> dict[str, Health]:
    """Return the newest report of each part."""
    found: dict[str, Health] = {}
    for message in kafka.read_all(connection, health.TOPIC):
        report = health.parse(message.value())
        if report is not None:
            found[report.part] = report
    return found


def alive(connection: Connection, part: str) -> bool:
    """Whether a part has reported lately."""
    report = newest_health(connection).get(part)
    return report is not None and time.time() - report.at <= health.STALE


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
    ledger = Book.read(connection).ledger
    topics = {topic: flow for flow in FLOWS for topic in _sources(settings, ledger, flow)}
    known = kafka.partitions(connection, topics)
    for topic, flow in topics.items():
        if topic in known:
            ends = kafka.latest(connection, {topic: known[topic]})[topic]
            lines.append(_line(f"topic {topic}", "there", f"{sum(ends.values()):,} records"))
        else:
            well = False
            lines.append(_line(f"topic {topic}", "missing", f"the flow {flow} waits for it"))
    for part in ("pipeline", "tables"):
        report = reports.get(part)
        state, detail, fine = _judge(report, now)
        well &= fine
        lines.append(_line(part, state, detail))
    for flow in FLOWS:
        for number, life in ledger.lives(flow).items():
            if life.running:
                birth = life.birth
                parts = [*birth.sources.values(), *([f"{birth.join} join"] if birth.join else [])]
                detail = f"{', '.join(parts)}, since {life.at}"
                lines.append(_line(f"{flow} {number}", life.state, detail))
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


def _sources(settings: Settings, ledger: Ledger, flow: str) -> list[str]:
    """Return the topics behind a flow: of its live generation, or those that the settings name."""
    live = ledger.live(flow)
    if live is not None:
        return list(ledger.lives(flow)[live].birth.sources.values())
    return list(settings.sources(flow).values())


def _judge(report: Health | None, now: float) -> tuple[str, str, bool]:
    if report is None:
        return "unknown", "has never reported", False
    silent = now - report.at
    if silent > health.STALE:
        return "down", f"last heard of {silent:.0f} s ago", False
    detail = [f"generation {report.generation}"] if report.generation else []
    detail += [f"{report.restarts} restarts"] if report.restarts else []
    detail += [report.detail] if report.detail else []
    return report.state, ", ".join(detail), report.state in ("running", *RUNNING)


def _line(what: str, state: str, detail: str) -> str:
    return f"{what:<28} {state:<10} {detail}".rstrip()
