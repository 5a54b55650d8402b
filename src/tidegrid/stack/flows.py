"""Flows as the command line has them: read from a file, and listed with what runs of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tidegrid.contract import control, declaration
from tidegrid.contract.declaration import DeclarationError, files
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.receipts import Ledger
from tidegrid.errors import FlowError
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.settings import Settings


def read(settings: Settings, path: Path) -> tuple[str, dict[str, Any], Flow]:
    """Return the name of the flow that a file declares, its document, and what that says."""
    name, values = path.stem, settings.placeholders
    try:
        return name, *declaration.read(files.read(path), values, name, str(path))
    except DeclarationError as e:
        raise FlowError(str(e)) from e


def known(settings: Settings, ledger: Ledger) -> dict[str, Flow]:
    """Return all flows: as they run or, where nothing runs, as their files declare them."""
    declared = {n: declaration.parse(d, n) for n, d in settings.declared().items()}
    return {**declared, **control.flows_of(ledger)}


def require_new(settings: Settings, name: str, topic: str) -> None:
    """Raise if there is a flow of that name that is about more than one topic, or another."""
    there = known(settings, ReceiptLog.read(settings.connection).ledger).get(name)
    if there is not None and set(there.topics.values()) != {topic}:
        topics = ", ".join(filter(None, there.topics.values())) or "no topic"
        raise FlowError(
            f"there is a flow {name} already, of {topics}: give this one another name with --name, "
            f"or replace that one with --name {name}"
        )


def listed(flows: dict[str, Flow], ledger: Ledger) -> list[str]:
    """Return a few lines about each flow: what runs of it, its topics and its tables."""
    lines = []
    for name, flow in flows.items():
        live, birth = ledger.live(name), ledger.newest(name)
        number = live if live is not None else birth.generation if birth is not None else None
        state = "not running" if number is None else ledger.lives(name)[number].state
        generation = f", generation {number}" if number is not None else ""
        tables = [*flow.views, *(n for n, screen in flow.screens.items() if not screen.hidden)]
        sources = (f"{source} = {topic or '(none)'}" for source, topic in flow.topics.items())
        lines += [
            f"{name}: {flow.title}, {state}{generation}",
            f"  topics  {', '.join(sources)}",
            f"  tables  {', '.join(tables)}",
        ]
    return lines
