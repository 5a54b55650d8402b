"""`tidegrid status`: each part, its health, rows per view, rejects, and end-to-end age."""

from __future__ import annotations

import time
import urllib.error
import urllib.request

from tidegrid import kafka
from tidegrid.book import Book
from tidegrid.contract import health
from tidegrid.contract.health import Health
from tidegrid.contract.receipts import RUNNING
from tidegrid.errors import KafkaError
from tidegrid.settings import Settings


def newest_health(bootstrap: str) -> dict[str, Health]:
    """Return the newest report of each part."""
    found: dict[str, Health] = {}
    for message in kafka.read_all(bootstrap, health.TOPIC):
        report = health.parse(message.value())
        if report is not None:
            found[report.part] = report
    return found


def alive(bootstrap: str, part: str) -> bool:
    """Whether a part has reported lately."""
    report = newest_health(bootstrap).get(part)
    return report is not None and time.time() - report.at <= health.STALE


def describe(settings: Settings, now: float | None = None) -> tuple[list[str], bool]:
    """Return the lines to print, and whether everything is well."""
    bootstrap = settings.kafka.bootstrap
    now = time.time() if now is None else now
    try:
        cluster = kafka.cluster_id(bootstrap)
        reports = newest_health(bootstrap)
    except KafkaError as e:
        return [_line("broker", "down", str(e))], False
    lines = [_line("broker", "up", f"{bootstrap}, cluster {cluster}")]
    well = True
    ledger = Book.read(bootstrap).ledger
    lives, live = ledger.lives("customers"), ledger.live("customers")
    sources = (settings.customers.users_topic, settings.customers.accounts_topic)
    if live is not None:
        sources = (lives[live].birth.sources["users"], lives[live].birth.sources["accounts"])
    known = kafka.partitions(bootstrap, sources)
    for topic in sources:
        if topic in known:
            ends = kafka.latest(bootstrap, {topic: known[topic]})[topic]
            lines.append(_line(f"topic {topic}", "there", f"{sum(ends.values()):,} records"))
        else:
            well = False
            lines.append(_line(f"topic {topic}", "missing", "the pipeline waits for it"))
    for part in ("pipeline", "tables"):
        report = reports.get(part)
        state, detail, fine = _judge(report, now)
        well &= fine
        lines.append(_line(part, state, detail))
    for number, life in lives.items():
        if life.running:
            detail = f"{', '.join(life.birth.sources.values())}, {life.birth.join} join"
            lines.append(_line(f"generation {number}", life.state, f"{detail}, since {life.at}"))
    page_up, page = _page(settings)
    lines.append(_line("page", "up" if page_up else "down", page))
    tables = reports.get("tables")
    if tables is not None and _judge(tables, now)[2]:
        lines += ["", "rows"]
        lines += [f"  {view:<14} {rows:>12,}" for view, rows in tables.rows.items()]
        if tables.age is not None:
            lines += ["", f"newest event seen {tables.age:.1f} s before the last report"]
    return lines, well and page_up


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


def _page(settings: Settings) -> tuple[bool, str]:
    try:
        with urllib.request.urlopen(settings.url, timeout=3) as answer:  # noqa: S310
            return answer.status == 200, settings.url
    except (urllib.error.URLError, OSError) as e:
        return False, f"{settings.url}: {getattr(e, 'reason', e)}"


def _line(what: str, state: str, detail: str) -> str:
    return f"{what:<16} {state:<10} {detail}".rstrip()
