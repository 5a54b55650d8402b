"""A Deephaven without Tidegrid, as a process: serves the direct tables until it is ended.

Its key and topics are in the environment; `--cycle` sets the update cycle, else it is the default.
"""

from __future__ import annotations

import argparse
import os
import threading
from pathlib import Path

from tidegrid.machine.java import java_home
from tidegrid.settings import Tables


def start(port: int, *arguments: str) -> None:
    """Start Deephaven in this process, with the heap that Tidegrid gives it."""
    os.environ["JAVA_HOME"] = java_home()
    from deephaven_server import Server

    server = Server(
        host="127.0.0.1",
        port=port,
        jvm_args=[
            f"-Xmx{Tables().heap_mb}m",
            f"-Dauthentication.psk={os.environ['BENCH_PSK']}",
            "-Ddeephaven.console.disable=true",
            *arguments,
        ],
    )
    server.start()
    # The server ends with the object.
    globals()["_server"] = server


def cycle(milliseconds: int) -> str:
    """Return the JVM argument that sets the update cycle."""
    return f"-DPeriodicUpdateGraph.targetCycleDurationMillis={milliseconds}"


def main() -> None:
    """Serve the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--cycle", type=int)
    given = parser.parse_args()
    tables = f"-Ddeephaven.application.dir={Path(__file__).with_name('direct.d')}"
    start(given.port, tables, *([] if given.cycle is None else [cycle(given.cycle)]))
    threading.Event().wait()


if __name__ == "__main__":
    main()
