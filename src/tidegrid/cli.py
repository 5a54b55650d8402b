"""The command line. `main()` reads the arguments; the parts are ordinary functions elsewhere."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path

from tidegrid import __version__, logs, settings
from tidegrid.contract.views import FLOWS
from tidegrid.doctor.findings import Finding
from tidegrid.errors import SettingsError, TidegridError
from tidegrid.settings import Settings

_COMMANDS = {
    "up": "start everything on this machine and keep it up",
    "broker": "run the local Kafka broker",
    "feed": "produce sample users, accounts and positions",
    "pipeline": "run the Spark queries, from source topics to changelogs",
    "tables": "run Deephaven: the live tables and the page",
    "swap": "show other topics in the same tables, and follow it until they are live",
    "rollback": "go back to the generation before the last swap, while it lingers",
    "doctor": "check everything on the way of a message, and say how to mend what is wrong",
    "status": "show each part, its health, rows per view and the age of the newest event",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, or one for each kind of failure."""
    options = _parser().parse_args(arguments)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if os.environ.pop(settings.STOP_WITH_STDIN, None):
        threading.Thread(target=_stop_with_stdin, args=(stop,), daemon=True).start()
    try:
        chosen = settings.load(options.settings)
        logs.setup(chosen.logs)
        if options.settings is not None:
            # For the parts that this command starts.
            os.environ[settings.SETTINGS_VARIABLE] = str(options.settings.resolve())
        return _run(options, chosen, stop)
    except TidegridError as e:
        logs.failure(options.command, e)
        return e.exit_code


def _stop_with_stdin(stop: threading.Event) -> None:
    """Stop when whoever started this process is gone: then nothing holds its input open."""
    while os.read(0, 4096):
        pass
    stop.set()


def _run(options: argparse.Namespace, chosen: Settings, stop: threading.Event) -> int:
    # Imported when needed: Spark and Deephaven take seconds, and not every machine has both.
    if options.command == "status":
        from tidegrid.stack import status

        lines, well = status.describe(chosen)
        sys.stdout.write("\n".join(lines) + "\n")
        return 0 if well else 1
    if options.command == "doctor":
        from tidegrid.doctor import walk

        # It holds nothing that must be put in order before it ends.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        show = Finding.to_json if options.json else Finding.line
        well = walk.walk(chosen, settings.psk(), lambda found: _say(show(found)), _note)
        return 0 if well else 1
    if options.command in ("swap", "rollback"):
        from tidegrid.stack import swap

        swap.send(chosen, _message(options), _say)
        return 0
    if options.command == "tables" and (options.print_config or options.into is not None):
        from tidegrid.tables import handout

        if not options.print_config:
            raise SettingsError("--into needs --print-config")
        say = handout.show(chosen) if options.into is None else handout.write(chosen, options.into)
        sys.stdout.write(say)
        return 0
    run: Callable[[Settings, threading.Event], None]
    if options.command == "up":
        from tidegrid.stack import up

        up.run(chosen, stop, without=options.without)
        return 0
    if options.command == "broker":
        from tidegrid.broker.local import run
    elif options.command == "feed":
        from tidegrid.feed.produce import run
    elif options.command == "pipeline":
        from tidegrid.pipeline.orchestrator import run
    else:
        from tidegrid.tables.server import run
    run(chosen, stop)
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _note(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _message(options: argparse.Namespace) -> dict[str, str]:
    if options.command == "rollback":
        return {"action": "rollback", "flow": options.flow}
    given = {
        "usersTopic": options.users,
        "accountsTopic": options.accounts,
        "positionsTopic": options.positions,
        "joinType": options.join,
        "startingOffsets": options.starting,
    }
    found = {name: value for name, value in given.items() if value is not None}
    if not set(found) - {"startingOffsets"}:
        raise SettingsError("name what to change: --users, --accounts, --join or --positions")
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tidegrid",
        description="Kafka topics as live tables in a browser.",
        epilog=_settings_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tidegrid {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, help_text in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=help_text,
            description=help_text[0].upper() + help_text[1:] + ".",
            epilog=_settings_help(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_argument(
            "--settings",
            type=Path,
            metavar="FILE",
            help="settings file (default: tidegrid.toml in this folder, if it is there)",
        )
        if name == "swap":
            command.add_argument("--users", metavar="TOPIC", help="users (default: as they are)")
            command.add_argument(
                "--accounts", metavar="TOPIC", help="accounts (default: as they are)"
            )
            command.add_argument("--join", choices=("left", "inner"), help="(default: as it is)")
            command.add_argument(
                "--positions", metavar="TOPIC", help="position changes, in a swap of their own"
            )
            command.add_argument(
                "--from",
                dest="starting",
                metavar="START",
                help="earliest, latest or an ISO time (default: earliest)",
            )
        if name == "doctor":
            command.add_argument(
                "--json", action="store_true", help="one JSON object for each finding, in lines"
            )
        if name == "rollback":
            command.add_argument(
                "--flow", default="customers", choices=tuple(FLOWS), help="(default: customers)"
            )
        if name == "tables":
            command.add_argument(
                "--print-config",
                action="store_true",
                help="show what a Deephaven server of your own needs to serve Tidegrid, and end",
            )
            command.add_argument(
                "--into",
                type=Path,
                metavar="FOLDER",
                help="with --print-config: write it there, with the page",
            )
        if name == "up":
            command.add_argument(
                "--without",
                action="append",
                default=[],
                choices=("broker", "feed", "pipeline", "tables"),
                help="leave a part out, such as the broker when you have your own Kafka",
            )
    return parser


def _settings_help() -> str:
    lines = ["settings, their environment variables and defaults:"]
    for section, kind in settings.sections().items():
        for f in fields(kind):
            variable = f"TIDEGRID_{section}_{f.name}".upper()
            default = f.default if f.default != "" else "(chosen by itself)"
            lines.append(f"  {section + '.' + f.name:<30} {variable:<38} {default}")
    lines += [
        f"  {'home':<30} {'TIDEGRID_HOME':<38} .tidegrid",
        "KAFKA_BOOTSTRAP also sets kafka.bootstrap, TIDEGRID_LOG also logs.level.",
        "",
        "secrets, from the environment only:",
        f"  {settings.PSK_VARIABLE:<30} key viewers log in with; up makes one if it is unset",
    ]
    return "\n".join(lines)
