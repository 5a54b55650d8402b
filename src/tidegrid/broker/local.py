"""Start, probe and stop the local broker. Its data stays between runs."""

from __future__ import annotations

import base64
import subprocess
import threading
import time
import uuid
from pathlib import Path

from tidegrid import logs
from tidegrid.errors import KafkaError
from tidegrid.kafka import cluster_id
from tidegrid.machine import jars
from tidegrid.machine.classes import Archive
from tidegrid.machine.java import java_command
from tidegrid.machine.ports import free_port, require_free
from tidegrid.settings import Settings

_log = logs.get("broker")

_PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={data}
num.partitions=2
auto.create.topics.enable=false
message.max.bytes=4194304
group.initial.rebalance.delay.ms=0
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
share.coordinator.state.topic.num.partitions=1
"""


class LocalBroker:
    """One broker process and its data folder."""

    def __init__(self, settings: Settings) -> None:
        self.port = port_of(settings.kafka.bootstrap)
        self._connection = settings.connection
        self._heap_mb = settings.broker.heap_mb
        self._home = settings.home
        self._folder = settings.home / "broker"
        #: More JVM arguments.
        self.jvm: list[str] = []
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, timeout: float = 60) -> None:
        """Start the broker and return when it answers."""
        require_free(self.port, "kafka.bootstrap (KAFKA_BOOTSTRAP)")
        self._folder.mkdir(parents=True, exist_ok=True)
        config = self._folder / "server.properties"
        data = (self._folder / "data").resolve()
        config.write_text(self.properties(data, free_port()), "utf-8")
        if not (data / "meta.properties").exists():
            _log.info("making a new data folder at %s", data)
            self._java(
                "kafka.tools.StorageTool", "format", "-t", new_cluster_id(), "-c", str(config)
            )
        log_path = self._folder / "broker.log"
        with log_path.open("wb") as log:
            self.process = subprocess.Popen(
                self._command("kafka.Kafka", str(config)),
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
            )
        deadline = time.monotonic() + timeout
        while not self.answers():
            if self.process.poll() is not None:
                raise KafkaError(f"the broker ended at start: {_last_error(log_path)}")
            if time.monotonic() > deadline:
                self.stop()
                raise KafkaError(f"the broker did not answer in {timeout:.0f} s; see {log_path}")
        _log.info("answers on 127.0.0.1:%d, data in %s", self.port, data)

    def properties(self, data: Path, controller: int) -> str:
        """Return the broker's configuration."""
        return _PROPERTIES.format(port=self.port, controller=controller, data=data)

    def answers(self) -> bool:
        """Whether the broker answers a metadata request."""
        try:
            return bool(cluster_id(self._connection, timeout=1))
        except KafkaError:
            return False

    def stop(self, timeout: float = 15) -> None:
        """Ask the broker to end, so that it closes its files, and make it if it does not."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _command(self, main: str, *arguments: str) -> list[str]:
        classpath = jars.broker_classpath(self._home)
        jvm = [f"-Xmx{self._heap_mb}m", "-XX:+UseSerialGC", *self.jvm]
        return [java_command(), *jvm, "-cp", classpath, main, *arguments]

    def _java(self, main: str, *arguments: str) -> None:
        done = subprocess.run(
            self._command(main, *arguments), capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            tail = " ".join((done.stdout + done.stderr).split())[-300:]
            raise KafkaError(f"the broker's data folder could not be made: {tail}")


def port_of(bootstrap: str) -> int:
    """Return the port of a local bootstrap address."""
    host, _, port = bootstrap.rpartition(":")
    if host not in ("127.0.0.1", "localhost"):
        raise KafkaError(
            f"kafka.bootstrap is {bootstrap}: the local broker serves 127.0.0.1 only; "
            "leave the broker out to use yours"
        )
    return int(port)


def new_cluster_id() -> str:
    """Return the id of a new cluster: one that Kafka's tool does not take for an option."""
    while (made := base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("="))[0] == "-":
        pass
    return made


def _last_error(log: Path) -> str:
    lines = log.read_text("utf-8", "replace").splitlines()
    telling = [line for line in lines if " ERROR " in line or "Caused by" in line] or lines
    return f"{telling[-1].strip() if telling else 'it said nothing'} (log: {log})"


def run(settings: Settings, stop: threading.Event) -> None:
    """Run the broker until `stop` is set, or fail if it ends by itself."""
    class_path = jars.broker_classpath(settings.home)
    archive = Archive(
        settings.home, "broker", Path(class_path).parent.glob("*.jar"), settings.broker.heap_mb
    )
    broker = LocalBroker(settings)
    broker.jvm += archive.arguments()
    broker.start()
    archive.make_later(class_path)
    try:
        while not stop.wait(0.5):
            if broker.process is not None and broker.process.poll() is not None:
                raise KafkaError(f"the broker ended with code {broker.process.returncode}")
    finally:
        _log.info("stopping")
        broker.stop()
