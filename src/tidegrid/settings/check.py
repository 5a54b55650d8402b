"""Checking the settings: which values they may have, and that the flow files go together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from tidegrid.contract import declaration
from tidegrid.contract.declaration import DeclarationError, clashes, files
from tidegrid.errors import SettingsError
from tidegrid.kafka import connection
from tidegrid.settings.sections import Flows, Settings, sections

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_INTERVAL = re.compile(r"[1-9]\d* (second|minute)s?\Z")
_HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\Z")
_LONGEST_SESSION = 24 * 60
#: Whole numbers with a rule of their own; all others are at least 1.
_OTHERWISE = ("feed.seed", "pipeline.metrics_port", "tables.port")


def check(settings: Settings) -> None:
    """Raise the first value that cannot be used."""
    for name, said in (*_numbers(settings), *_texts(settings)):
        raise SettingsError(f"setting {name}: {said}")
    if bool(settings.tables.certificate) != bool(settings.tables.key):
        raise SettingsError(
            "settings tables.certificate and tables.key: only one of the two is set; TLS needs "
            "both, and plain HTTP neither"
        )
    connection.check(settings.connection)


def _numbers(settings: Settings) -> Iterator[tuple[str, str]]:
    for section in sections():
        held = getattr(settings, section)
        for name, value in ((f"{section}.{f.name}", getattr(held, f.name)) for f in fields(held)):
            # Python counts a switch as a whole number.
            whole = isinstance(value, int) and not isinstance(value, bool)
            if whole and value < 1 and name not in _OTHERWISE:
                yield name, f"{value} must be at least 1"
            if isinstance(value, float) and not 0 <= value <= 1:
                yield name, f"{value} is not in 0 to 1"
    port, minutes = settings.tables.port, settings.tables.session_minutes
    if not 0 < port < 65536:
        yield "tables.port", f"{port} is no port"
    if minutes > _LONGEST_SESSION:
        yield "tables.session_minutes", f"{minutes} is more than {_LONGEST_SESSION}, a day"
    if not 0 <= (port := settings.pipeline.metrics_port) < 65536:
        yield "pipeline.metrics_port", f"{port} is no port; 0 turns the metrics off"


def _texts(settings: Settings) -> Iterator[tuple[str, str]]:
    if (name := settings.tables.name) and not _HOST_NAME.match(name):
        what = "is not a name such as tables.example.com, without scheme and port"
        yield "tables.name", f"{name!r} {what}"
    if (level := settings.logs.level).upper() not in _LEVELS:
        yield "logs.level (TIDEGRID_LOG)", f"{level!r} is none of {', '.join(_LEVELS)}"
    if not _INTERVAL.match(interval := settings.pipeline.checkpoint_interval):
        what = "is not a time such as '2 minutes' or '90 seconds'"
        yield "pipeline.checkpoint_interval", f"{interval!r} {what}"
    if ":/" in (folder := settings.pipeline.checkpoints):
        what = "is a URI; object stores and HDFS are not supported"
        yield "pipeline.checkpoints", f"{folder!r} {what}: name a folder, such as a mounted share"


def check_flows(settings: Settings) -> None:
    """Check every flow file that is on, and that they go together."""
    folder, there = Path(settings.flows.folder), files.find(settings.flows.folders)
    if settings.flows.folder != Flows.folder and not folder.is_dir():
        raise SettingsError(f"setting flows.folder: there is no folder {str(folder)!r}")
    for name in settings.flows.left_out:
        if name not in there:
            raise SettingsError(
                f"setting flows.off: there is no flow {name!r}; there are {', '.join(there)}"
            )
    raw = files.read_all(settings.flows.folders, settings.flows.left_out)
    values = settings.placeholders
    read = files.each(raw, lambda n: declaration.read(raw[n], values, n, str(there[n])))
    flows = [flow for _, flow in read.values()]
    if problems := clashes(flows):
        raise DeclarationError(problems)
    if flows and not any(topic for flow in flows for topic in flow.topics.values()):
        raise SettingsError(
            f"flows {', '.join(flow.name for flow in flows)}: no topic is named; name one in a "
            "flow file, or turn the flows off with flows.off"
        )
