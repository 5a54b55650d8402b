"""Settings: `tidegrid.toml`, overridden by the environment; secrets only from the environment.

Any setting can be overridden by `TIDEGRID_<SECTION>_<NAME>`, such as `TIDEGRID_TABLES_PORT=8080`.
Some have a second name, such as `KAFKA_BOOTSTRAP` or `TIDEGRID_LOG`. An unknown section or name is
an error, so that a slip of the pen does not pass for a setting.

What is about data is in flow files. A section named after one fills its placeholders: `topic` in
`[orders]` is `${TIDEGRID_ORDERS_TOPIC}` in `orders.toml`, unless the environment sets it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tidegrid.contract.declaration import DeclarationError, environment, files
from tidegrid.contract.declaration.problems import quoted
from tidegrid.errors import SettingsError
from tidegrid.kafka.connection import SECRET_VARIABLE, Secret
from tidegrid.page.psk import problem as psk_problem
from tidegrid.settings import file, variables
from tidegrid.settings.check import check, check_flows
from tidegrid.settings.sections import (  # noqa: F401  - every part takes them from here
    PAGE_PATH,
    SHIPPED_FLOWS,
    Broker,
    Flows,
    Kafka,
    Logs,
    Pipeline,
    Settings,
    Tables,
    is_loopback,
    sections,
)
from tidegrid.settings.values import held, override, plain
from tidegrid.settings.variables import (  # noqa: F401  - and these
    ALIASES,
    HOME_VARIABLE,
    PSK_VARIABLE,
    SETTINGS_VARIABLE,
    STOP_WITH_STDIN,
)

#: What is said of an address, when it is in the clear.
IN_THE_CLEAR = (
    "tables.host is %s and there is no certificate: viewers' keys and all rows cross the network "
    "unencrypted. Set tables.certificate and tables.key, or tables.host to 127.0.0.1 with a proxy "
    "in front that has TLS"
)


def load(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from a file and the environment.

    `path`, or the one in `TIDEGRID_SETTINGS`, must exist when given; without it `tidegrid.toml` in
    this folder is read if it is there.
    """
    chosen = file.find(path, environ)
    given = file.read(chosen)
    home = given.pop("home", str(Settings.home))
    if not isinstance(home, str):
        raise SettingsError(f"setting home in {chosen}: expected a text, got {quoted(home)}")
    settings = Settings(
        home=Path(environ.get(HOME_VARIABLE) or home),
        secret=Secret(environ.get(SECRET_VARIABLE, "")),
    )
    of_flows = {name: given.pop(name) for name in list(given) if name not in sections()}
    for section, values in given.items():
        settings = override(settings, section, values, f"in {chosen}")
    for section, values in variables.values(environ).items():
        settings = override(settings, section, values, "in the environment")
    check(settings)
    try:
        asked = _placeholders(settings.flows)
        variables.check(environ, asked, settings.flows.left_out)
        wanted = {n: v for n, v in of_flows.items() if n not in settings.flows.left_out}
        filled = _fill(wanted, asked, f"in {chosen}")
        settings = replace(settings, values={**filled, **variables.without_secrets(environ)})
        check_flows(settings)
    except DeclarationError as e:
        raise SettingsError(str(e)) from e
    return settings


def psk(environ: Mapping[str, str] = os.environ) -> Secret | None:
    """Return the pre-shared key of the page from the environment, if it is set.

    One that is easy to guess, or that Deephaven would not take as it is, is an error, which never
    shows it.
    """
    value = environ.get(PSK_VARIABLE, "")
    if not value:
        return None
    problem = psk_problem(value)
    if problem:
        raise SettingsError(
            f"{PSK_VARIABLE} {problem}; make another, such as with: openssl rand -hex 24"
        )
    return Secret(value)


def _placeholders(flows: Flows) -> dict[str, set[str]]:
    """Return the names that the flow files that are on ask for."""
    raw = files.read_all(flows.folders, flows.left_out)
    return {name: environment.names(document) for name, document in raw.items()}


def _fill(given: Mapping[str, object], asked: Mapping[str, set[str]], where: str) -> dict[str, str]:
    """Return what the sections that are named after flows say for their placeholders."""
    filled: dict[str, str] = {}
    for section, values in given.items():
        if section not in asked:
            known = ", ".join((*sections(), *asked))
            raise SettingsError(f"setting [{section}] {where}: unknown; there are {known}")
        prefix = environment.prefix(section)
        for name, value in held(section, values, where).items():
            variable = f"{prefix}{name.upper()}"
            if variable not in asked[section]:
                mine = (v.removeprefix(prefix) for v in asked[section] if v.startswith(prefix))
                raise SettingsError(
                    f"setting {section}.{name} {where}: the flow file asks for no {variable}; "
                    f"there are {', '.join(sorted(mine)).lower()}"
                )
            text = plain(f"{section}.{name} {where}", value)
            if filled.setdefault(variable, text) != text:
                raise SettingsError(
                    f"setting {section}.{name} {where}: {variable} is {quoted(filled[variable])} "
                    "by a section of another flow that is spelt alike; give both the same value"
                )
    return filled
