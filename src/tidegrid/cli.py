"""The command line. `main()` runs a command; the parts are ordinary functions elsewhere."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from tidegrid import logs, options, settings
from tidegrid.doctor.findings import Finding
from tidegrid.errors import SettingsError, TidegridError
from tidegrid.settings import Settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or one for each kind of failure."""
    chosen = options.parse(arguments)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if os.environ.pop(settings.STOP_WITH_STDIN, None):
        threading.Thread(target=_stop_with_stdin, args=(stop,), daemon=True).start()
    try:
        loaded = settings.load(chosen.settings)
        logs.setup(loaded.logs)
        if chosen.settings is not None:
            # For the parts that this command starts.
            os.environ[settings.SETTINGS_VARIABLE] = str(chosen.settings.resolve())
        return _run(chosen, loaded, stop)
    except TidegridError as e:
        logs.failure(chosen.command, e)
        return e.exit_code


def _stop_with_stdin(stop: threading.Event) -> None:
    """Stop when whoever started this process is gone: then nothing holds its input open."""
    while os.read(0, 4096):
        pass
    stop.set()


def _run(chosen: argparse.Namespace, loaded: Settings, stop: threading.Event) -> int:
    # Imported when needed: Spark and Deephaven take seconds, and not every machine has both.
    if chosen.command == "status":
        from tidegrid.stack import status

        lines, well = status.describe(loaded)
        _say(*lines)
        return 0 if well else 1
    if chosen.command == "settings":
        _list_settings(chosen, loaded)
        return 0
    if chosen.command == "doctor":
        from tidegrid.doctor import walk

        _die_of_signals()
        show = Finding.to_json if chosen.json else Finding.line
        well = walk.walk(loaded, settings.psk(), lambda found: _say(show(found)), _note)
        return 0 if well else 1
    if chosen.command in ("swap", "rollback", "apply", "remove", "plan", "flows", "infer"):
        _die_of_signals()
        _about_flows(chosen, loaded)
        return 0
    if chosen.command == "tables" and (chosen.print_config or chosen.into is not None):
        from tidegrid.tables import handout

        if not chosen.print_config:
            raise SettingsError("--into needs --print-config")
        say = handout.show(loaded) if chosen.into is None else handout.write(loaded, chosen.into)
        sys.stdout.write(say)
        return 0
    run: Callable[[Settings, threading.Event], None]
    if chosen.command == "up":
        from tidegrid.stack import up

        up.run(loaded, stop, without=chosen.without, pair=chosen.pair)
        return 0
    if chosen.command == "broker":
        from tidegrid.broker.local import run
    elif chosen.command == "feed":
        from tidegrid.feed.produce import run
    elif chosen.command == "pipeline":
        from tidegrid.pipeline.orchestrator import run
    else:
        from tidegrid.tables.server import run
    run(loaded, stop)
    return 0


def _list_settings(chosen: argparse.Namespace, loaded: Settings) -> None:
    from tidegrid.settings import file, listing

    path = file.find(chosen.settings, os.environ)
    listed = listing.entries(loaded, path, os.environ)
    as_json = chosen.format == "json"
    sys.stdout.write(listing.to_json(listed) if as_json else listing.text(listed, path))


def _about_flows(chosen: argparse.Namespace, loaded: Settings) -> None:
    from tidegrid.kafka.receipt_log import ReceiptLog
    from tidegrid.stack import flows, plan, swap

    if chosen.command == "flows":
        ledger = ReceiptLog.read(loaded.connection).ledger
        _say(*flows.listed(flows.known(loaded, ledger), ledger))
    elif chosen.command == "plan":
        _say(*plan.describe(loaded, chosen.file))
    elif chosen.command == "infer":
        _infer(chosen, loaded)
    elif chosen.command == "swap":
        _send(loaded, options.swap_message(chosen))
    elif chosen.command == "rollback":
        ledger = ReceiptLog.read(loaded.connection).ledger
        _send(loaded, swap.rollback(ledger, chosen.flow))
    elif chosen.command == "remove":
        _send(loaded, {"remove": chosen.flow})
    else:
        # All are read before one is applied.
        found = [flows.read(loaded, path) for path in chosen.files]
        for name, document, _ in found:
            _apply(loaded, name, document, options.how(chosen))


def _apply(loaded: Settings, name: str, document: dict[str, Any], how: dict[str, Any]) -> None:
    _say(f"applying {name}")
    _send(loaded, {"apply": {"name": name, **document}, **how})


def _send(loaded: Settings, message: dict[str, Any]) -> None:
    """Send a message and follow it; on a terminal, one line says how far it is."""
    from tidegrid.stack import swap

    if not sys.stdout.isatty():
        swap.send(loaded, message, _say)
        return

    def show(line: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        sys.stdout.write(f"\r\x1b[K{line[:width]}")
        sys.stdout.flush()

    def say(line: str) -> None:
        show("")
        _say(line)

    try:
        swap.send(loaded, message, say, show)
    finally:
        show("")


def _infer(chosen: argparse.Namespace, loaded: Settings) -> None:
    from tidegrid import infer
    from tidegrid.stack import flows

    infer.check_count(chosen.records)
    records = infer.newest(loaded.connection, chosen.topic, chosen.records)
    found = infer.infer(chosen.topic, records, chosen.name, ",".join(chosen.key or []))
    for note in found.notes:
        _note(note)
    if chosen.apply:
        if not chosen.name:
            flows.require_new(loaded, found.name, chosen.topic)
        _apply(loaded, found.name, found.document, {})
    else:
        sys.stdout.write(found.text)


def _die_of_signals() -> None:
    """Let a signal end the process at once: it holds nothing that must be put in order."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")
