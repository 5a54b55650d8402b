"""`tidegrid up`: broker, feed, pipeline and tables as child processes."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tidegrid import kafka, logs
from tidegrid.broker.local import port_of
from tidegrid.contract.declaration import files
from tidegrid.contract.health import SECOND
from tidegrid.contract.topics import RECEIPTS
from tidegrid.errors import KafkaError, PartError
from tidegrid.machine import jars
from tidegrid.machine.disk import require_room
from tidegrid.machine.java import java_command
from tidegrid.machine.ports import require_free
from tidegrid.page import probe as page
from tidegrid.settings import (
    PSK_VARIABLE,
    SHIPPED_FLOWS,
    STOP_WITH_STDIN,
    Secret,
    Settings,
    psk,
)
from tidegrid.stack.status import newest_health
from tidegrid.tables.server import check as check_tables

_log = logs.get("up")

PARTS = ("broker", "feed", "pipeline", "tables")
#: Seconds until a part is started again that ended twice within a minute; the first time at once.
_RESTART_AFTER = 1.0
#: Seconds between two looks at the parts.
_LOOK_EVERY = 0.1
#: A part that ends this often within a minute is given up on.
_MOST_RESTARTS = 5


@dataclass
class Child:
    """A part as a process, and when it was started again."""

    name: str
    #: The command that it runs.
    command: str
    log: Path
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    restarts: list[float] = field(default_factory=list)
    #: Whether it keeps ending, and another one does its work meanwhile.
    spared: bool = False

    def start(self) -> None:
        """Start the process, its output going to its log."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tidegrid", self.command],
                stdout=log,
                stderr=subprocess.STDOUT,
                # Its end tells the part that this process is gone, however that came about.
                stdin=subprocess.PIPE,
                env=self.environment,
                # Ctrl-C reaches this process alone, which then stops the parts in order.
                start_new_session=True,
            )

    @property
    def ended(self) -> int | None:
        """The exit code, if the process has ended."""
        return self.process.poll() if self.process else None

    def stop(self, timeout: float = 25) -> None:
        """Ask the process group to end, and make it if it does not."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                _log.warning("%s did not stop in %.0f s; ending it", self.name, timeout)
        # Whatever it started itself (a JVM) is in its group.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        # It also closes the pipe.
        self.process.communicate()


def run(
    settings: Settings,
    stop: threading.Event,
    without: Iterable[str] = (),
    *,
    pair: bool = False,
) -> None:
    """Bring the parts up, print the address and the key, and keep them up until `stop` is set.

    With `pair` there are two pipelines, whatever the settings say.
    """
    pair |= settings.pipeline.pair
    parts = [p for p in PARTS if p not in set(without)]
    key = psk() or Secret(secrets.token_urlsafe(24))
    _check_machine(settings, parts)
    java_command()
    jars.ensure(settings.home)
    folder = settings.home / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    children = [_child(settings, name, folder, key, pair=pair) for name in parts]
    second = (
        [_child(settings, SECOND, folder, key, pair=True)] if pair and "pipeline" in parts else []
    )
    began = time.monotonic()
    try:
        _start(settings, children, stop)
        if not stop.is_set():
            _announce(settings, key, generated=psk() is None, seconds=time.monotonic() - began)
        # What viewers see does not wait for it.
        for child in () if stop.is_set() else second:
            _log.info("starting the %s", child.name)
            child.start()
        children += second
        while not stop.wait(_LOOK_EVERY):
            for child in children:
                others = [c for c in children if c.command == child.command and c is not child]
                _keep_up(child, others)
    finally:
        _log.info("stopping")
        for child in reversed(children):
            child.stop()
        _log.info("all parts have stopped")


def _child(settings: Settings, name: str, folder: Path, key: Secret, *, pair: bool) -> Child:
    environment = dict(os.environ)
    environment["TIDEGRID_HOME"] = str(settings.home.resolve())
    environment["PYTHONUNBUFFERED"] = "1"
    environment[STOP_WITH_STDIN] = "1"
    environment.pop(PSK_VARIABLE, None)
    if name == "tables":
        environment[PSK_VARIABLE] = str(key)
    if pair:
        environment["TIDEGRID_PIPELINE_PAIR"] = "true"
    if name == SECOND:
        # The port is for the first one.
        environment["TIDEGRID_PIPELINE_METRICS_PORT"] = "0"
    log = folder / f"{name.replace(' ', '-')}.log"
    log.unlink(missing_ok=True)
    return Child(name, "pipeline" if name == SECOND else name, log, environment)


def _check_machine(settings: Settings, parts: list[str]) -> None:
    settings.home.mkdir(parents=True, exist_ok=True)
    require_room(settings.home)
    if "broker" in parts:
        port = port_of(settings.kafka.bootstrap)
        require_free(port, "kafka.bootstrap (KAFKA_BOOTSTRAP)")
    if "pipeline" in parts and settings.pipeline.metrics_port:
        require_free(
            settings.pipeline.metrics_port,
            "pipeline.metrics_port (TIDEGRID_PIPELINE_METRICS_PORT)",
            settings.pipeline.metrics_host,
        )
    if "tables" in parts:
        check_tables(settings)


def _start(settings: Settings, children: Sequence[Child], stop: threading.Event) -> None:
    """Start the parts and wait until all work; one that did and has ended is kept up meanwhile.

    At once, for each waits for what it needs of the others. Only where two would be in each
    other's way the pipeline comes behind the tables: those show what it wrote before.
    """
    began, began_clock = time.monotonic(), time.time()
    waiting, later, said = list(children), list(children), began
    while waiting and not stop.is_set():
        for child in list(later):
            tables = any(c.name == "tables" for c in waiting)
            if child.name != "pipeline" or not tables or not _crowded():
                later.remove(child)
                _log.info("starting %s", child.name)
                child.start()
        for child in children:
            if child not in waiting:
                _keep_up(child)
            elif child.ended is not None:
                raise PartError(f"{child.name} did not start: {_last_line(child.log)}")
        # No other part works before the broker does.
        for child in waiting[:1] if waiting[0].name == "broker" else list(waiting):
            if child not in later and _ready(settings, child.name, began_clock):
                waiting.remove(child)
                _log.info("%s is up after %.1f s", child.name, time.monotonic() - began)
        if waiting and time.monotonic() - said > 5:
            said = time.monotonic()
            names = " and ".join(c.name for c in waiting)
            _log.info("still starting %s, %.0f s", names, said - began)
        stop.wait(0.2)


def _crowded() -> bool:
    """Whether Spark and Deephaven, which keep two cores busy each, would hold each other up."""
    return (os.cpu_count() or 1) <= 2


def _ready(settings: Settings, name: str, since: float) -> bool:
    """Whether a part does its work, as seen from outside it."""
    connection = settings.connection
    try:
        if name == "broker":
            return bool(kafka.cluster_id(connection, timeout=1))
        if name == "feed":
            wanted = _fed(settings)
            return len(kafka.partitions(connection, wanted)) == len(wanted)
        if name == "pipeline":
            found = newest_health(connection).get(name)
            return found is not None and found.at > since and found.state == "running"
        return not page.ask(settings, timeout=1) and bool(kafka.partitions(connection, [RECEIPTS]))
    except KafkaError:
        return False


def _fed(settings: Settings) -> list[str]:
    """Return the topics that the feed fills: those of the flows that ship."""
    shipped = files.find([SHIPPED_FLOWS])
    flows = (document for name, document in settings.declared().items() if name in shipped)
    topics = (source.get("topic", "") for flow in flows for source in flow["sources"].values())
    return [topic for topic in topics if topic]


def _keep_up(child: Child, others: Iterable[Child] = ()) -> None:
    """Start a part again that ended by itself; give up on one that keeps ending.

    If one of the others, which do the same, is up, that goes on, and this one is tried again later.
    """
    code = child.ended
    if code is None:
        return
    now = time.monotonic()
    child.restarts = [t for t in child.restarts if now - t < 60]
    if len(child.restarts) >= _MOST_RESTARTS:
        if any(other.process is not None and other.ended is None for other in others):
            if not child.spared:
                child.spared = True
                _log.error(
                    "%s keeps ending: %s; the other one goes on", child.name, _last_line(child.log)
                )
            return
        raise PartError(
            f"{child.name} ended {_MOST_RESTARTS} times within a minute, "
            f"the last time with: {_last_line(child.log)}"
        )
    _log.warning("%s ended with code %d; starting it again (log: %s)", child.name, code, child.log)
    child.spared = False
    child.stop()
    if child.restarts:
        time.sleep(_RESTART_AFTER)
    child.restarts.append(now)
    child.start()


def _announce(settings: Settings, key: Secret, *, generated: bool, seconds: float) -> None:
    shown = str(key) if generated else f"the one in {PSK_VARIABLE}"
    sys.stdout.write(
        f"\nTidegrid is up after {seconds:.0f} s.\n"
        f"  page  {settings.url}\n"
        f"  key   {shown}\n"
        f"  logs  {settings.home / 'logs'}\n"
        "Ctrl-C stops everything.\n\n"
    )
    sys.stdout.flush()


def _last_line(log: Path) -> str:
    lines = [x for x in log.read_text("utf-8", "replace").splitlines() if x.strip()]
    return f"{logs.message(lines[-1]) if lines else 'it said nothing'} (log: {log})"
