"""Environment variables: the one of each setting, the names that others use for it, secrets."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import fields

from tidegrid.contract.declaration import environment
from tidegrid.errors import SettingsError
from tidegrid.kafka.connection import SECRET_VARIABLE
from tidegrid.settings.sections import sections

PSK_VARIABLE = "TIDEGRID_PSK"
HOME_VARIABLE = "TIDEGRID_HOME"
#: Where the settings file is, for the parts that a command starts.
SETTINGS_VARIABLE = "TIDEGRID_SETTINGS"
#: Set for the parts that `up` starts: they stop when their standard input ends.
STOP_WITH_STDIN = "TIDEGRID_STOP_WITH_STDIN"
#: What is read from the environment only and never shown.
SECRETS = (PSK_VARIABLE, SECRET_VARIABLE)
#: Names that others use for our settings; of two for the same, the later one counts.
ALIASES = {
    "KAFKA_BOOTSTRAP": ("kafka", "bootstrap"),
    "KAFKA_CLIENT_ID": ("kafka", "client_id"),
    "OAUTH_TOKEN_URL": ("kafka", "token_url"),
    "OAUTH_SUB_CLAIM": ("kafka", "sub_claim"),
    "LOGICAL_CLUSTER": ("kafka", "logical_cluster"),
    "IDENTITY_POOL": ("kafka", "identity_pool"),
    "TIDEGRID_LOG": ("logs", "level"),
    "IDENTITY_POOL_ID": ("kafka", "identity_pool"),
}


def own() -> dict[str, tuple[str, str]]:
    """Return the environment variable of each setting, with its section and name."""
    return {
        f"TIDEGRID_{section}_{f.name}".upper(): (section, f.name)
        for section, kind in sections().items()
        for f in fields(kind)
    }


def names(section: str, name: str) -> tuple[str, ...]:
    """Return the variables of a setting, the one that counts most first."""
    aliases = [alias for alias, place in ALIASES.items() if place == (section, name)]
    return f"TIDEGRID_{section}_{name}".upper(), *reversed(aliases)


def given(environ: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Return the variable that sets each setting, of those that the environment sets.

    An alias that is empty sets nothing: those who share it may have it so.
    """
    aliases = {alias: place for alias, place in ALIASES.items() if environ.get(alias)}
    places = aliases | own()
    return {place: variable for variable, place in places.items() if variable in environ}


def values(environ: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return what the environment sets, by section and name."""
    found: dict[str, dict[str, str]] = {}
    for (section, name), variable in given(environ).items():
        found.setdefault(section, {})[name] = environ[variable]
    return found


def check(
    environ: Mapping[str, str], asked: Mapping[str, set[str]], off: Iterable[str] = ()
) -> None:
    """Fail if a variable looks like one of a setting, and is none, nor of a flow that is off."""
    known = set(own()).union(*asked.values())
    of_others = tuple(map(environment.prefix, off))
    for variable in environ:
        if not variable.startswith("TIDEGRID_") or variable in known:
            continue
        if variable.startswith(of_others):
            continue
        section = variable.removeprefix("TIDEGRID_").partition("_")[0].lower()
        # Others may be for flows that are off, applied from elsewhere, or none of ours.
        meant = difflib.get_close_matches(section, sections(), 1, 0.8)
        near = difflib.get_close_matches(variable, own(), 1, 0.85) if meant else []
        if near or section in sections():
            hint = f"; did you mean {near[0]}?" if near else ""
            raise SettingsError(f"environment variable {variable}: there is no such setting{hint}")


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for flow files: what they hold is written to receipts."""
    return {name: value for name, value in environ.items() if name not in SECRETS}
