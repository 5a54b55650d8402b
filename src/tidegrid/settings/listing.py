"""Every setting as it is now: its variables, its default, its value, and where that comes from.

Secrets are told to be set or not, and never shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from tidegrid.contract.declaration import DeclarationError, environment, files
from tidegrid.settings import file, variables
from tidegrid.settings.sections import Settings, sections

_HIDDEN = "***"
#: A flow file may ask for any variable; one that is called like this is not shown.
_SECRET = re.compile("secret|password|token|credential|psk", re.IGNORECASE)
_WIDEST = 44


@dataclass(frozen=True)
class Entry:
    """A setting; `setting` is empty for what only the environment can set."""

    setting: str
    variables: tuple[str, ...]
    default: Any
    value: Any
    source: Literal["default", "file", "environment"]
    #: The file, or the variable.
    place: str = ""

    @property
    def section(self) -> str:
        """The section that it is in; empty for those that are in none."""
        return self.setting.rpartition(".")[0]


def entries(settings: Settings, path: Path | None, environ: Mapping[str, str]) -> list[Entry]:
    """Return all settings, in the order of their sections, then those of flows, then secrets."""
    given = file.read(path)
    return [
        _home(settings, given, str(path), environ),
        *_of_sections(settings, given, str(path), environ),
        *_of_flows(settings, str(path), environ),
        *_secrets(environ),
    ]


def text(listed: Sequence[Entry], path: Path | None) -> str:
    """Return the settings as lines for a person."""
    rows = [("SETTING", "VALUE", "FROM", "DEFAULT", "VARIABLES")]
    rows += [_row(entry) for entry in listed]
    widths = [min(max(len(row[i]) for row in rows), _WIDEST) for i in range(4)]
    lines, before = [_heading(path)], ""
    for row, section in zip(rows, ["", *(e.section for e in listed)], strict=True):
        if section != before:
            lines.append("")
        before = section
        cells = (cell.ljust(width) for cell, width in zip(row[:4], widths, strict=True))
        lines.append("  ".join((*cells, row[4])))
    return "\n".join(lines) + "\n"


def to_json(listed: Sequence[Entry]) -> str:
    """Return the settings as a JSON list."""
    return json.dumps([asdict(entry) for entry in listed], indent=2) + "\n"


def _heading(path: Path | None) -> str:
    where = str(path) if path else f"none ({file.DEFAULT} in this folder, or --settings FILE)"
    return (
        "The environment counts more than the settings file, and that more than the default.\n"
        f"Secrets come from the environment only, and are shown as {_HIDDEN}.\n"
        f"The settings file: {where}\n"
    )


def _row(entry: Entry) -> tuple[str, str, str, str, str]:
    return (
        entry.setting or "-",
        _shown(entry.value),
        f"{entry.source} {entry.place}".strip(),
        _shown(entry.default),
        ", ".join(entry.variables),
    )


def _shown(value: Any) -> str:
    return _HIDDEN if value == _HIDDEN else json.dumps(value, ensure_ascii=False)


def _home(
    settings: Settings, given: Mapping[str, Any], path: str, environ: Mapping[str, str]
) -> Entry:
    source, place = _source(
        variables.HOME_VARIABLE if environ.get(variables.HOME_VARIABLE) else "",
        path if "home" in given else "",
    )
    default, value = str(Settings.home), str(settings.home)
    return Entry("home", (variables.HOME_VARIABLE,), default, value, source, place)


def _of_sections(
    settings: Settings, given: Mapping[str, Any], path: str, environ: Mapping[str, str]
) -> Iterator[Entry]:
    set_by = variables.given(environ)
    for section, kind in sections().items():
        held = getattr(settings, section)
        for name in (f.name for f in fields(kind)):
            in_file = path if name in given.get(section, {}) else ""
            yield Entry(
                f"{section}.{name}",
                variables.names(section, name),
                _plain(getattr(kind(), name)),
                _plain(getattr(held, name)),
                *_source(set_by.get((section, name), ""), in_file),
            )


def _of_flows(settings: Settings, path: str, environ: Mapping[str, str]) -> Iterator[Entry]:
    """Yield what the flow files that are on take from outside."""
    home = {"home": str(settings.home)}
    for flow, document in files.read_all(settings.flows.folders, settings.flows.left_out).items():
        prefix = f"TIDEGRID_{flow}_".upper().replace("-", "_")
        for name, written in environment.placeholders(document).items():
            if name in home:
                continue
            value = _resolved(written, {**settings.values, **home})
            asked = [n for n in environment.in_order(written) if n not in home]
            # The one whose value it has: which of them counts is for the placeholder to say.
            by = next((n for n in asked if settings.values.get(n) == value), "")
            own = name.removeprefix(prefix)
            yield Entry(
                f"{flow}.{own.lower()}" if own != name else "",
                tuple(asked),
                _resolved(written, home),
                _HIDDEN if value and any(_SECRET.search(n) for n in asked) else value,
                *_source(by if by in environ else "", path if by else ""),
            )


def _secrets(environ: Mapping[str, str]) -> Iterator[Entry]:
    for name in variables.SECRETS:
        is_set = bool(environ.get(name))
        yield Entry(
            "", (name,), "", _HIDDEN if is_set else "", *_source(name if is_set else "", "")
        )


def _source(variable: str, path: str) -> tuple[Literal["default", "file", "environment"], str]:
    if variable:
        return "environment", variable
    return ("file", path) if path else ("default", "")


def _resolved(written: str, values: Mapping[str, str]) -> str:
    """Return what a placeholder stands for; nothing if it has no default and is not set."""
    try:
        return str(environment.resolve({"it": written}, values)["it"])
    except DeclarationError:
        return ""


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: names and values are an object."""
    return dict(value) if isinstance(value, tuple) else value
