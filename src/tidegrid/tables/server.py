"""The tables process: Deephaven with Tidegrid's app and page, until it is told to stop."""

from __future__ import annotations

import json
import os
import shutil
import threading
from pathlib import Path

from tidegrid import logs
from tidegrid.errors import MachineError, SettingsError, TablesError
from tidegrid.java import java_home
from tidegrid.ports import require_free
from tidegrid.settings import PSK_VARIABLE, Settings, psk

_APP_FOLDER = Path(__file__).with_name("app.d")
_log = logs.get("tables")


def run(settings: Settings, stop: threading.Event) -> None:
    """Run Deephaven until `stop` is set."""
    key = psk()
    if key is None:
        raise SettingsError(
            f"{PSK_VARIABLE} is not set: it is the key viewers log in with. Set it to a long "
            f"random text, such as from: openssl rand -hex 24"
        )
    require_free(settings.tables.port, "tables.port (TIDEGRID_TABLES_PORT)", settings.tables.host)
    os.environ["JAVA_HOME"] = java_home()
    plugins = _publish_page(settings)
    from deephaven_server import Server

    _log.info("starting Deephaven on %s:%d", settings.tables.host, settings.tables.port)
    # The JVM lives in this process, so that its arguments are in no process list.
    server = Server(
        host=settings.tables.host,
        port=settings.tables.port,
        jvm_args=[*jvm_arguments(settings, plugins), f"-Dauthentication.psk={key}"],
    )
    try:
        server.start()
    except Exception as e:
        raise TablesError(f"Deephaven did not start: {_cause(e)}") from e
    _log.info("page at %s", settings.url)
    stop.wait()
    _log.info("stopping")
    # Deephaven's own shutdown waits for open browsers; nothing here needs saving.
    logs.flush()
    os._exit(0)


def jvm_arguments(settings: Settings, plugins: Path) -> list[str]:
    """Return the JVM arguments of Deephaven, without the key."""
    tables = settings.tables
    return [
        f"-Xmx{tables.heap_mb}m",
        f"-DPeriodicUpdateGraph.targetCycleDurationMillis={tables.cycle_ms}",
        # It would ask the system for the thread's time twice for each table in each cycle, which
        # took a third of all time.
        "-DThreadProfiler.cpuProfilingEnabled=false",
        "-DThreadProfiler.memoryProfilingEnabled=false",
        "-Ddeephaven.console.disable=true",
        f"-Ddeephaven.application.dir={_APP_FOLDER}",
        f"-Ddeephaven.jsPlugins.resourceBase={plugins.resolve()}",
        *settings.connection.jvm(),
    ]


def _publish_page(settings: Settings) -> Path:
    """Copy the built page to where Deephaven serves it from, and return that folder."""
    page = settings.page_dir
    if not (page / "index.html").exists():
        raise MachineError(f"the page is not built: {page}/index.html is missing; run: make page")
    folder = settings.home / "page"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(page, folder / "tidegrid")
    plugin = {"name": "tidegrid", "version": "0.1.0", "main": "index.html"}
    (folder / "manifest.json").write_text(json.dumps({"plugins": [plugin]}), "utf-8")
    return folder


def _cause(error: Exception) -> str:
    """Return the line of a Java or Python error that says what was wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("at ", "File ", "Traceback", "..."))]
    return (telling or [repr(error)])[-1]
