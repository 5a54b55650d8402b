"""The handout: what somebody adds to a Deephaven server of their own to get Tidegrid.

It holds no secret: neither the viewers' key, which is that server's own, nor Kafka's.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tidegrid.errors import SettingsError
from tidegrid.settings import PAGE_PATH, Settings
from tidegrid.tables import config

#: Where the paths of a handout point that is only shown.
EXAMPLE = Path("/opt/tidegrid")
APP, PLUGINS, PROPERTIES, ARGUMENTS = "app.d", "js-plugins", "deephaven.prop", "jvm.args"

_STEPS = """\
Tidegrid in a Deephaven server of your own (42.7, Python 3.11), in {folder}

1. Python: install Tidegrid where the server's Python finds it. Without Spark, that is
     pip install --no-deps PATH_OF_TIDEGRID && pip install confluent-kafka msgspec
2. {app}: the application. If your server has a deephaven.application.dir already, copy the two
   files there and leave that property out.
3. {plugins}: the page. If your server has a deephaven.jsPlugins.resourceBase already, copy the
   folder tidegrid there, add the entry of this manifest.json to yours, and leave that property
   out.
4. {properties}: the properties. If your server has a file of its own, add these lines to it.
5. {arguments}: the JVM arguments. Choose the heap for all that your server does.
6. The environment of the server, the same as the pipeline's:
     KAFKA_BOOTSTRAP            the broker
     KAFKA_CLIENT_ID, KAFKA_CLIENT_SECRET  and the like, if it wants a login
     TIDEGRID_SETTINGS          absolute path of tidegrid.toml, if you have one
     TIDEGRID_FLOWS_FOLDER      absolute path of the folder with your flow files, if you have any
     TIDEGRID_<SECTION>_<NAME>  single settings
7. Start it, such as with
     deephaven server --no-browser --jvm-args "$(cat {folder}/{arguments})"
   The page is at {page} of the server, and viewers log in with its pre-shared key,
   authentication.psk. Run no `tidegrid tables` beside it.
"""
_ABOUT = {
    "includefiles": "Deephaven's own defaults.",
    "deephaven.console.disable": "Nobody runs code from a browser; leave it out if they should.",
    "PeriodicUpdateGraph.targetCycleDurationMillis": (
        "How often all tables of the server are updated. Deephaven's default is 1000."
    ),
    "ThreadProfiler.cpuProfilingEnabled": "Costs a third of all time at a short cycle.",
    "http.session.durationMs": "How long the server remembers a viewer who is gone.",
    "ssl.identity.type": "TLS, for the page and all clients.",
    "http.add.header.Content-Security-Policy.enabled": (
        "Headers of every answer. Deephaven's own pages, such as /ide/, do not pass this policy: "
        "leave these two lines out if people use them, for the page has it inside as well."
    ),
}


def files(settings: Settings, folder: Path) -> dict[str, str]:
    """Return the text files of the handout by their path in a folder."""
    found = {
        f"{APP}/{path.name}": path.read_text("utf-8")
        for path in sorted(config.APP_FOLDER.iterdir())
        if path.suffix in (".app", ".py")
    }
    found[PROPERTIES] = _properties(settings, folder)
    root = f"-DConfiguration.rootFile={folder / PROPERTIES}"
    found[ARGUMENTS] = "\n".join([*config.jvm_arguments(settings), root]) + "\n"
    return found


def show(settings: Settings) -> str:
    """Return the steps and the files, as text for a person."""
    parts = [_steps(EXAMPLE)]
    for name, text in files(settings, EXAMPLE).items():
        parts.append(f"\n==> {EXAMPLE / name} <==\n{text}")
    return "".join(parts)


def write(settings: Settings, folder: Path) -> str:
    """Write the files and the page into a folder, and return the steps."""
    folder = folder.resolve()
    if any(c.isspace() for c in str(folder)):
        raise SettingsError(
            f"--into {folder}: blanks in a path end a JVM argument there; choose another folder"
        )
    config.publish_page(settings, folder / PLUGINS)
    shutil.rmtree(folder / APP, ignore_errors=True)
    (folder / APP).mkdir()
    for name, text in files(settings, folder).items():
        (folder / name).write_text(text, "utf-8")
    return _steps(folder)


def _steps(folder: Path) -> str:
    return _STEPS.format(
        folder=folder,
        app=APP,
        plugins=PLUGINS,
        properties=PROPERTIES,
        arguments=ARGUMENTS,
        page=PAGE_PATH,
    )


def _properties(settings: Settings, folder: Path) -> str:
    lines = []
    found = config.properties(settings, folder / APP, folder / PLUGINS)
    for name, value in {"includefiles": "dh-defaults.prop", **found}.items():
        if name in _ABOUT:
            lines.append(f"# {_ABOUT[name]}")
        lines.append(f"{name}={value}")
    return "\n".join(lines) + "\n"
