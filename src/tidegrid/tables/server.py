"""The tables process: Deephaven with Tidegrid's app and page, until it is told to stop."""

from __future__ import annotations

import contextlib
import os
import re
import threading
from pathlib import Path

from tidegrid import logs
from tidegrid.errors import SettingsError, TablesError
from tidegrid.machine.classes import Archive
from tidegrid.machine.java import java_home
from tidegrid.machine.ports import require_free
from tidegrid.page import tls
from tidegrid.settings import IN_THE_CLEAR, PSK_VARIABLE, Settings, psk
from tidegrid.tables import config

_log = logs.get("tables")

#: Java's second compiler is at work for minutes after a start, and on few cores what it takes is
#: taken from Deephaven and from Spark beside it: there it gets what they leave. It also begins
#: sooner: at twenty cycles a second it takes long until a method has been called often.
_FEW_CORES, _SOONER = 4, "-XX:CompileThresholdScaling=0.2"
#: How its thread's name begins, and how far it steps back.
_SECOND_COMPILER, _NICENESS = "C2 Compiler", 10
#: The jars that formulas need: those of the engine, without what it reads and writes files with.
_OF_FORMULAS = re.compile(r"(deephaven-(?!extensions-|web-)|annotations-|commons-lang3-|jpy-)")


def run(settings: Settings, stop: threading.Event) -> None:
    """Run Deephaven until `stop` is set."""
    key = psk()
    if key is None:
        raise SettingsError(
            f"{PSK_VARIABLE} is not set: it is the key viewers log in with. Set it to a long "
            f"random text, such as from: openssl rand -hex 24"
        )
    check(settings)
    tables = settings.tables
    # Others at this home have a folder of their own, which nobody changes while they read it.
    plugins = settings.home / "page" / str(tables.port)
    config.publish_page(settings, plugins)
    os.environ["JAVA_HOME"] = java_home()
    import deephaven_server

    own = (Path(deephaven_server.__file__).parent / "jars").glob("*.jar")
    archive = Archive(settings.home, "tables", own, tables.heap_mb)
    _log.info("starting Deephaven on %s:%d", tables.host, tables.port)
    # The JVM lives in this process, so that its arguments are in no process list.
    arguments = [*jvm_arguments(settings, plugins), *archive.arguments()]
    server = deephaven_server.Server(
        host=tables.host,
        port=tables.port,
        jvm_args=[*arguments, f"-Dauthentication.psk={key}"],
    )
    if few_cores():
        step_back()
    class_path = _class_path()
    # Java's compiler opens all jars of it for each formula, which was most of a start.
    _class_path(of_formulas(class_path))
    try:
        server.start()
    except Exception as e:
        raise TablesError(f"Deephaven did not start: {_cause(e)}") from e
    _log.info("page at %s", settings.url)
    archive.make_later(class_path)
    stop.wait()
    _log.info("stopping")
    # Deephaven's own shutdown waits for open browsers; nothing here needs saving.
    logs.flush()
    os._exit(0)


def check(settings: Settings) -> None:
    """Fail if the address or the certificate cannot be used; warn if what is sent can be read."""
    tables = settings.tables
    require_free(tables.port, "tables.port (TIDEGRID_TABLES_PORT)", tables.host)
    if tables.certificate:
        tls.check(Path(tables.certificate), Path(tables.key), tables.host_name)
    if tables.in_the_clear:
        _log.warning(IN_THE_CLEAR, tables.host)


def few_cores(cores: int | None = None) -> bool:
    """Whether a compiler at work is felt by all else; of this machine, unless cores are given.

    >>> few_cores(2), few_cores(4), few_cores(5)
    (True, True, False)
    """
    return (cores or os.cpu_count() or 1) <= _FEW_CORES


def step_back() -> None:
    """Give the second compiler's threads of this process a low priority; those it makes have it."""
    for task in Path("/proc/self/task").glob("*"):
        with contextlib.suppress(OSError):
            if (task / "comm").read_text("utf-8").startswith(_SECOND_COMPILER):
                os.setpriority(os.PRIO_PROCESS, int(task.name), _NICENESS)


def jvm_arguments(settings: Settings, plugins: Path, cores: int | None = None) -> list[str]:
    """Return the JVM arguments of Deephaven, without the key."""
    chosen = config.properties(settings, config.APP_FOLDER, plugins)
    return [
        *config.jvm_arguments(settings),
        *([_SOONER] if few_cores(cores) else []),
        *(f"-D{name}={value}" for name, value in chosen.items()),
    ]


def of_formulas(class_path: str) -> str:
    """Return the part of Deephaven's class path that its formulas are compiled with."""
    jars = class_path.split(os.pathsep)
    return os.pathsep.join(jar for jar in jars if _OF_FORMULAS.match(Path(jar).name))


def _class_path(new: str = "") -> str:
    """Return the class path of the JVM in this process, and set another for who asks from now."""
    import jpy

    system, name = jpy.get_type("java.lang.System"), "java.class.path"
    return str(system.setProperty(name, new) if new else system.getProperty(name))


def _cause(error: Exception) -> str:
    """Return the line of a Java or Python error that says what was wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("at ", "File ", "Traceback", "..."))]
    return (telling or [repr(error)])[-1]
