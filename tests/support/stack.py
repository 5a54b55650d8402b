"""A whole Tidegrid for the tests: a broker, a pipeline and tables, on ports of their own.

The broker has three doors: an open one, one for tokens that live for seconds, and one for
passwords, the latter two over TLS. The parts use the open one, but where a test says otherwise:
tokens and TLS take half as much time again, of which a run has little.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from tests.support import authority, oidc
from tests.support.secured import PLAIN_PASSWORD, PLAIN_USER, SecuredBroker
from tidegrid import kafka
from tidegrid.contract import topics
from tidegrid.contract.receipts import layout_of
from tidegrid.contract.views import SHOWS
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.machine.ports import free_port
from tidegrid.settings import Broker, Kafka, Pipeline, Settings, Tables
from tidegrid.stack.status import newest_health

PSK = "a key for the tests"
#: A part that is started for a test or two is over before the second compiler has paid off: with
#: the first alone it is up in half the time. Its code is too slow for much load.
QUICK = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=160m"}
#: Seconds that a generation lingers here.
LINGER = 12
POSITIONS = "gold_positions_changes"
#: The other pipeline of a pair, and another tables process, as parts.
SECOND, REPLICA = "second", "replica"
_COMMANDS = {SECOND: "pipeline", REPLICA: "tables"}
#: Seconds that the rolling windows look back here.
SHORT, LONG = 30, 60
T = TypeVar("T")


def eventually(
    what: str, probe: Callable[[], T | None], seconds: float = 60, every: float = 0.1
) -> T:
    """Return the first true answer of a probe; fail with the last one seen."""
    deadline = time.monotonic() + seconds
    seen: T | None = None
    while time.monotonic() < deadline:
        seen = probe()
        if seen:
            return seen
        time.sleep(every)
    raise AssertionError(f"{what}: not within {seconds:.0f} s; last seen: {seen!r}")


def share_jars(home: Path) -> None:
    """Give a home folder the jars that `make run` keeps: they are the same for every run."""
    shared = Path(__file__).parents[2] / ".tidegrid" / "jars"
    shared.mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    (home / "jars").symlink_to(shared.resolve())


class Stack:
    """The parts as processes, so that they can be killed."""

    def __init__(self, home: Path) -> None:
        share_jars(home)
        self.settings = Settings(
            home=home,
            kafka=Kafka(bootstrap=f"127.0.0.1:{free_port()}"),
            broker=Broker(),
            pipeline=Pipeline(metrics_port=free_port()),
            tables=Tables(port=free_port()),
        )
        self.connection = self.settings.connection
        self.authority = authority.make(home / "authority")
        self.provider = oidc.Provider(self.authority, free_port())
        self.broker = SecuredBroker(self.settings, self.authority, self.provider)
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        self._more: dict[str, dict[str, str]] = {}
        #: How long the log of each part was before a test first did harm; empty until then.
        self.before_harm: dict[str, int] = {}
        self._producer: Any = None

    def start(self) -> None:
        """Start everything and return when a record goes all the way."""
        self.provider.start()
        self.broker.start()
        kafka.ensure_topics(self.connection, {"users": 2, "accounts": 2, POSITIONS: 2}, {})
        self._producer = kafka.producer(self.connection, **{"message.max.bytes": 4194304})
        self.start_part("pipeline")
        self.start_part("tables")
        # A row for each table, so that a test may come back to these topics whatever ran before.
        self.produce("users", {"userId": "first", "name": "First"})
        self.produce("accounts", {"userId": "first", "accountType": "CHK", "balance": 1})
        self.produce(POSITIONS, {"symbol": "first", "price": 1, "qty": 1})
        self.flush()
        eventually("the first row", self._has_a_row, 180)

    def _has_a_row(self) -> bool:
        """Return whether a record went all the way; fail at once if a part has ended instead."""
        for name, part in self.parts.items():
            log = self.settings.home / f"{name}.log"
            assert part.poll() is None, f"{name} ended: {log.read_text('utf-8')[-2000:]}"
        return self.view_rows().get("users_ui", 0) > 0

    def start_part(self, name: str, **more: str) -> None:
        """Start one part, with settings of its own; its log is in the home folder.

        The first pipeline is to stay, others are not.
        """
        log = self.settings.home / f"{name}.log"
        if name in self._more or name != "pipeline":
            more = {**QUICK, **more}
        self._more[name] = more
        self.parts[name] = self.start_process(_COMMANDS.get(name, name), log, **more)

    def start_process(self, command: str, log: Path, **more: str) -> subprocess.Popen[bytes]:
        """Start a command with the settings of this stack, and some of its own."""
        with log.open("ab") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "tidegrid", command],
                env={**self.environment, "TIDEGRID_PSK": PSK, **more},
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def environment(self) -> dict[str, str]:
        """The environment that has the settings of this stack, without the key."""
        return {
            **os.environ,
            "TIDEGRID_HOME": str(self.settings.home),
            "KAFKA_BOOTSTRAP": self.settings.kafka.bootstrap,
            "TIDEGRID_TABLES_PORT": str(self.settings.tables.port),
            "TIDEGRID_PIPELINE_CHECKPOINT_INTERVAL": "15 seconds",
            # It would take half of a core from the tests that follow a start.
            "TIDEGRID_PIPELINE_REHEARSE": "false",
            "TIDEGRID_PIPELINE_METRICS_PORT": str(self.settings.pipeline.metrics_port),
            "TIDEGRID_LOGS_FORMAT": "json",
            "TIDEGRID_SWAP_LINGER_SECONDS": str(LINGER),
            "TIDEGRID_POSITIONS_KPI_SHORT_SECONDS": str(SHORT),
            "TIDEGRID_POSITIONS_KPI_LONG_SECONDS": str(LONG),
            # Lets everything pass but an empty view.
            "TIDEGRID_GUARD_MIN_ROWS_RATIO": "0.000001",
        }

    def login(self, client: str = oidc.CLIENT) -> dict[str, str]:
        """Return the environment of a part that logs in with tokens."""
        return {
            "KAFKA_BOOTSTRAP": f"127.0.0.1:{self.broker.oauth}",
            "TIDEGRID_KAFKA_PROFILE": "oauth",
            "TIDEGRID_KAFKA_CA": str(self.authority.ca),
            "KAFKA_CLIENT_ID": client,
            "KAFKA_CLIENT_SECRET": oidc.SECRET,
            "OAUTH_TOKEN_URL": f"{self.provider.issuer}/token",
            "LOGICAL_CLUSTER": "lkc-tests",
            "IDENTITY_POOL_ID": "pool-tests",
        }

    def password(self) -> dict[str, str]:
        """Return the environment of a part that logs in with a password instead."""
        self.broker.add_user(oidc.CLIENT, oidc.SECRET)
        return {
            **self.login(),
            "KAFKA_BOOTSTRAP": f"127.0.0.1:{self.broker.passwords}",
            "TIDEGRID_KAFKA_PROFILE": "scram",
        }

    def plain_password(self) -> dict[str, str]:
        """Return the environment of a part that shows its password to the broker."""
        return {
            **self.password(),
            "TIDEGRID_KAFKA_PROFILE": "sasl_plain",
            "KAFKA_CLIENT_ID": PLAIN_USER,
            "KAFKA_CLIENT_SECRET": PLAIN_PASSWORD,
        }

    def harm(self) -> None:
        """Note that something is killed or broken on purpose: from here on logs may tell of it."""
        if not self.before_harm:
            logs = {name: self.settings.home / f"{name}.log" for name in ("pipeline", "tables")}
            self.before_harm = {name: log.stat().st_size for name, log in logs.items()}

    def kill_part(self, name: str) -> None:
        """End a part and all it started, at once, as a crash would."""
        self.harm()
        part = self.parts.pop(name)
        os.killpg(part.pid, signal.SIGKILL)
        part.wait()

    def keep_up(self) -> None:
        """Start a part again that ended by itself, as `tidegrid up` and systemd do."""
        for name, part in self.parts.items():
            if part.poll() is not None:
                self.start_part(name, **self._more[name])

    def restart_broker(self) -> None:
        """Kill the broker as a crash would, and start it again on its data."""
        self.harm()
        assert self.broker.process is not None
        self.broker.process.kill()
        self.broker.process.wait()
        self.broker.start()

    def stop(self) -> None:
        """Stop everything."""
        for name in list(self.parts):
            self.kill_part(name)
        self.broker.stop()
        self.provider.stop()

    def produce(
        self,
        topic: str,
        value: dict[str, object] | bytes | None,
        key: str | None = None,
        at: int | None = None,
    ) -> None:
        """Produce one record; a dict is written as JSON and keyed by what it is about."""
        if isinstance(value, dict):
            key = key or str(value.get("userId", value.get("symbol")))
            value = json.dumps(value).encode()
        extra = {} if at is None else {"timestamp": at}
        while True:
            try:
                self._producer.produce(topic, key=key, value=value, **extra)
                return
            except BufferError:
                self._producer.poll(0.1)

    def flush(self) -> None:
        """Wait until the broker has everything produced."""
        assert self._producer.flush(60) == 0

    def view_rows(self) -> dict[str, int]:
        """Return the rows of each view, as the tables last reported them."""
        report = newest_health(self.connection).get("tables")
        return report.rows if report else {}

    def changelog(self, name: str = "customers", flow: str = "customers") -> list[dict[str, Any]]:
        """Return all rows of a changelog of the live generation, in the order they were written."""
        live = ReceiptLog.read(self.connection).ledger.live(flow) or 1
        topic = topics.changelog(flow, live, name)
        messages = kafka.read_all(self.connection, topic)
        return [json.loads(m.value() or b"null") for m in messages]

    def rows_of(self, view: str, user_ids: Iterable[str]) -> list[dict[str, Any]]:
        """Return the rows of a view of the customers flow for some users."""
        wanted = set(user_ids)
        ledger = ReceiptLog.read(self.connection).ledger
        live = ledger.live("customers") or 1
        letter = layout_of(ledger.lives("customers")[live].birth).view(view).letter
        rows = (row for row in self.changelog() if letter in row[SHOWS])
        return [row for row in rows if row.get("userId") in wanted]

    @property
    def url(self) -> str:
        """The page."""
        return self.settings.url
