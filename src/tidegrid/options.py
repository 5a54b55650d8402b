"""Options: the commands of the command line and what each takes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tidegrid import __version__
from tidegrid.commands import COMMANDS
from tidegrid.errors import SettingsError

_ABOUT_ALL = """\
tidegrid COMMAND --help says what a command takes, with examples.
tidegrid settings lists every setting, its environment variables and where its value comes from.
"""
_ABOUT_SETTINGS = (
    "Settings come from tidegrid.toml and the environment: tidegrid settings lists them."
)
_START = "earliest, latest or an ISO time (default: earliest)"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the arguments; what is not usable ends the process with a line on how to use it."""
    parser = _parser()
    chosen, more = parser.parse_known_args(arguments)
    if chosen.command == "swap":
        chosen.topics = {**_topics(parser, chosen.topic), **_sources(parser, more)}
    elif more:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    return chosen


def swap_message(options: argparse.Namespace) -> dict[str, Any]:
    """Return the control message that the options of a swap ask for."""
    given = {"flow": options.flow, "topics": options.topics, "joinType": options.join}
    found = {name: value for name, value in given.items() if value} | how(options)
    if not {"topics", "joinType"} & set(found):
        raise SettingsError("name what to change: --topic SOURCE=TOPIC, --SOURCE TOPIC or --join")
    return found


def how(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of a control message that say how to take over, as far as was chosen."""
    start = {"startingOffsets": options.starting} if options.starting is not None else {}
    return {**start, **({"force": True} if options.force else {})}


def _topics(parser: argparse.ArgumentParser, given: Sequence[str]) -> dict[str, str]:
    pairs = [pair.partition("=") for pair in given]
    if wrong := [source for source, is_pair, topic in pairs if not (source and is_pair and topic)]:
        parser.error(f"--topic {wrong[0]}: expected SOURCE=TOPIC")
    return {source: topic for source, _, topic in pairs}


def _sources(parser: argparse.ArgumentParser, more: Sequence[str]) -> dict[str, str]:
    """Return the topics of options that are named after sources: `--users TOPIC`."""
    found, rest = {}, list(more)
    while rest:
        name, is_pair, topic = rest.pop(0).partition("=")
        if not name.startswith("--") or not (is_pair or rest):
            parser.error(f"unrecognized arguments: {name}")
        found[name.removeprefix("--")] = topic if is_pair else rest.pop(0)
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tidegrid",
        description="Kafka topics as live tables in a browser.",
        epilog=_ABOUT_ALL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tidegrid {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, about in COMMANDS.items():
        examples = "".join(f"  {example}\n" for example in about.examples)
        command = commands.add_parser(
            name,
            help=about.help,
            description=f"{about.help[0].upper()}{about.help[1:]}.\nNeeds {about.needs}.",
            epilog=f"examples:\n{examples}\n{_ABOUT_SETTINGS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            # An option of a swap may have the name of a source.
            allow_abbrev=False,
        )
        _add(name, command)
        command.add_argument(
            "--settings",
            type=Path,
            metavar="FILE",
            help="settings file (default: tidegrid.toml in this folder, if it is there)",
        )
    return parser


def _add(name: str, command: argparse.ArgumentParser) -> None:
    """Add what only one command takes."""
    add = command.add_argument
    if name == "swap":
        command.usage = "%(prog)s [--SOURCE TOPIC ...] [--join HOW] [--flow FLOW] [--from START]"
        add(
            "--topic",
            action="append",
            default=[],
            metavar="SOURCE=TOPIC",
            help="the topic of a source; --SOURCE TOPIC is short for it, such as --orders shop.v2 "
            "(default: as they are)",
        )
        add("--join", choices=("left", "inner"), help="(default: as it is)")
        add("--flow", help="needed if several flows have such a source, or a join")
    if name in ("swap", "apply"):
        add("--from", dest="starting", metavar="START", help=_START)
        add("--force", action="store_true", help="take over whatever the guard says")
    if name == "rollback":
        add("--flow", help="(default: the only one that can go back)")
    if name == "plan":
        add("file", type=Path, metavar="FILE", help="a flow file")
    if name == "apply":
        add("files", type=Path, nargs="+", metavar="FILE", help="flow files, one after the other")
    if name == "remove":
        add("flow", metavar="FLOW", help="its name")
    if name == "infer":
        add("topic", metavar="TOPIC")
        add("--key", action="append", default=[], help="a field that tells rows apart; repeatable")
        add("--name", default="", help="of the flow (default: after the topic)")
        add("--records", type=int, default=200, metavar="N", help="20 to 1000 (default: 200)")
        add("--apply", action="store_true", help="run it at once, instead of printing it")
    if name == "doctor":
        add("--json", action="store_true", help="one JSON object for each finding, in lines")
    if name == "settings":
        add("--format", choices=("text", "json"), default="text", help="(default: text)")
    if name == "tables":
        add(
            "--print-config",
            action="store_true",
            help="show what a Deephaven server of your own needs to serve Tidegrid, and end",
        )
        add(
            "--into",
            type=Path,
            metavar="FOLDER",
            help="with --print-config: write it there, with the page",
        )
    if name == "up":
        add(
            "--without",
            action="append",
            default=[],
            choices=("broker", "feed", "pipeline", "tables"),
            help="leave a part out, such as the broker when you have your own Kafka",
        )
        add(
            "--pair",
            action="store_true",
            help="run two pipelines, so that viewers see neither a crash nor a commit of one "
            "(default: the setting pipeline.pair)",
        )
