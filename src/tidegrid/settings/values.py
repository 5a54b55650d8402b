"""Values of settings: texts, numbers, switches and lists as a file or the environment has them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tidegrid.contract.declaration.problems import quoted
from tidegrid.errors import SettingsError
from tidegrid.settings.sections import Settings, sections

#: Settings that are names and values, such as {"client.rack" = "a"}.
_PAIRS = tuple[tuple[str, str], ...]
_WHOLE = re.compile(r"-?[0-9]+\Z")
#: A switch as the environment has it.
_SWITCH = {"true": True, "false": False}


def override(settings: Settings, section: str, values: object, where: str) -> Settings:
    """Return the settings with other values in a section; `where` says what they are from."""
    hints = get_type_hints(sections()[section])
    parsed = {}
    for name, value in held(section, values, where).items():
        if name not in hints:
            raise SettingsError(
                f"setting {section}.{name} {where}: unknown; there are {', '.join(hints)}"
            )
        parsed[name] = _parse(f"{section}.{name} {where}", hints[name], value)
    return replace(settings, **{section: replace(getattr(settings, section), **parsed)})


def _parse(what: str, kind: Any, value: object) -> object:
    if get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
        raise SettingsError(
            f"setting {what}: {quoted(value)} is none of {', '.join(get_args(kind))}"
        )
    if kind == _PAIRS:
        return _pairs(what, value)
    if kind is bool:
        return _switch(what, value)
    if kind is str and isinstance(value, str):
        return value
    if kind is str and isinstance(value, list) and all(isinstance(v, str) for v in value):
        return ",".join(value)
    try:
        if kind is int and not isinstance(value, bool) and _WHOLE.match(str(value)):
            return int(str(value))
        if kind is float and not isinstance(value, bool) and isinstance(value, int | float | str):
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise SettingsError(f"setting {what}: expected {kind.__name__}, got {quoted(value)}")


def _switch(what: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in _SWITCH:
        return _SWITCH[value]
    raise SettingsError(f"setting {what}: expected true or false, got {quoted(value)}")


def _pairs(what: str, value: object) -> tuple[tuple[str, str], ...]:
    if isinstance(value, str):
        parts = (part.partition("=") for part in value.split(",") if part.strip())
        value = {name.strip(): text.strip() for name, _, text in parts}
    if not isinstance(value, dict) or not all(
        isinstance(v, str | int | float) for v in value.values()
    ):
        raise SettingsError(f"setting {what}: expected names and values, such as a=1,b=2")
    return tuple(sorted((name, str(text)) for name, text in value.items()))


def held(section: str, values: object, where: str) -> dict[str, Any]:
    """Return what a section holds; fails if it is none."""
    if not isinstance(values, dict):
        raise SettingsError(
            f"setting [{section}] {where}: expected a section, got {quoted(values)}"
        )
    return values


def plain(what: str, value: object) -> str:
    """Return a value as the text that a placeholder stands for."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise SettingsError(f"setting {what}: expected a text or a number, got {quoted(value)}")
