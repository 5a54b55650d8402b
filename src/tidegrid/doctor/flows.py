"""The declared flows, and how to set what their files leave open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tidegrid.contract.declaration import environment, files, parse
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.layout import layout
from tidegrid.contract.views import Changelog, ColumnType
from tidegrid.settings import Settings


@dataclass(frozen=True)
class Place:
    """Where something is set."""

    name: str
    file: str = ""

    def __str__(self) -> str:
        return f"{self.name} in {self.file}" if self.file else self.name

    def to(self, value: str) -> str:
        """Return what to write there for a text."""
        return self.written(f'"{value}"')

    def written(self, value: str) -> str:
        """Return what to write there for a value that is written as TOML has it."""
        return str(Place(f"{self.name} = {value}", self.file))


@dataclass(frozen=True)
class Declared:
    """A flow, and the file that declares it as it stands there."""

    flow: Flow
    file: str
    raw: Mapping[str, Any]

    def place(self, source: str, key: str) -> Place:
        """Return where a key of a source is set: the file may leave it to a setting."""
        value = self.raw["sources"][source].get(key, "")
        prefix = environment.prefix(self.flow.name)
        asked = sorted(environment.names(value), key=lambda name: not name.startswith(prefix))
        if not asked:
            return Place(f"sources.{source}.{key}", self.file)
        if asked[0].startswith(prefix):
            return Place(f"{self.flow.name}.{asked[0].removeprefix(prefix).lower()}")
        return Place(asked[0], "the environment")

    @property
    def changelogs(self) -> tuple[Changelog, ...]:
        """Its changelogs. What their columns hold is known to Spark alone."""
        text: dict[str, ColumnType] = defaultdict(lambda: "string")
        return layout(self.flow, dict.fromkeys(self.flow.sources, text)).changelogs


def declared(settings: Settings) -> list[Declared]:
    """Return the flows that are on and have topics."""
    there = files.find(settings.flows.folders)
    found = [
        Declared(parse(document, name, str(there[name])), str(there[name]), files.read(there[name]))
        for name, document in settings.declared().items()
    ]
    return [d for d in found if any(d.flow.topics.values())]
