"""The sections of the settings: what can be set, and what it is if nobody does."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_type_hints

from tidegrid.contract.declaration import DeclarationError, files
from tidegrid.errors import SettingsError
from tidegrid.kafka.connection import NO_SECRET, Connection, Kafka, Secret

_PACKAGE = Path(__file__).resolve().parents[1]
#: The flows that ship.
SHIPPED_FLOWS = _PACKAGE / "flows"
#: Where `make page` builds the page to: data of this package, in a checkout and in a wheel.
BUILT_PAGE = _PACKAGE / "page" / "dist"
#: Where the page is on its server.
PAGE_PATH = "/js-plugins/tidegrid/"


@dataclass(frozen=True)
class Broker:
    """The local broker; its port is the one in `kafka.bootstrap`."""

    heap_mb: int = 512


@dataclass(frozen=True)
class Flows:
    """Where flow files are, beside the ones that ship, and which flows are left out."""

    folder: str = "flows"
    off: str = ""

    @property
    def left_out(self) -> tuple[str, ...]:
        """The names of the flows that are left out."""
        return tuple(name.strip() for name in self.off.split(",") if name.strip())

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders with flow files: a file replaces one of the same name in those before."""
        return SHIPPED_FLOWS, Path(self.folder)


@dataclass(frozen=True)
class Feed:
    """The sample data."""

    seed: int = 7
    users: int = 2000
    rate: int = 200
    symbols: int = 300
    position_rate: int = 100
    bad_ratio: float = 0.01
    partitions: int = 2


@dataclass(frozen=True)
class Pipeline:
    """Spark."""

    master: str = ""
    driver_host: str = ""
    heap_mb: int = 2048
    executor_heap_mb: int = 2048
    checkpoints: str = ""
    shuffle_partitions: int = 2
    checkpoint_interval: str = "5 minutes"
    max_value_bytes: int = 65536
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"
    pair: bool = False
    rehearse: bool = True


@dataclass(frozen=True)
class Swap:
    """How a new generation takes over."""

    linger_seconds: int = 20
    timeout_seconds: int = 900


@dataclass(frozen=True)
class Guard:
    """What a new generation must have to take over."""

    min_rows_ratio: float = 0.0
    max_reject_ratio: float = 0.5


@dataclass(frozen=True)
class Tables:
    """Deephaven and the page it serves."""

    host: str = "127.0.0.1"
    port: int = 10000
    name: str = ""
    certificate: str = ""
    key: str = ""
    session_minutes: int = 5
    heap_mb: int = 2048
    cycle_ms: int = 50
    page: str = ""
    exports: bool = True

    @property
    def host_name(self) -> str:
        """The name that viewers reach the server by."""
        return self.name or self.host

    @property
    def in_the_clear(self) -> bool:
        """Whether others on the network could read the key and the rows on their way."""
        return not self.certificate and not is_loopback(self.host)


@dataclass(frozen=True)
class Logs:
    """What the parts write to standard error."""

    format: Literal["text", "json"] = "text"
    level: str = "INFO"


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, with where this machine keeps its data."""

    home: Path = Path(".tidegrid")
    kafka: Kafka = field(default_factory=Kafka)
    broker: Broker = field(default_factory=Broker)
    flows: Flows = field(default_factory=Flows)
    feed: Feed = field(default_factory=Feed)
    pipeline: Pipeline = field(default_factory=Pipeline)
    swap: Swap = field(default_factory=Swap)
    guard: Guard = field(default_factory=Guard)
    tables: Tables = field(default_factory=Tables)
    logs: Logs = field(default_factory=Logs)
    #: What the login at Kafka is kept secret with.
    secret: Secret = NO_SECRET
    #: What flow files may ask for; never shown, for it is the environment.
    values: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def connection(self) -> Connection:
        """How to reach Kafka and log in there."""
        return Connection(self.kafka, self.secret)

    @property
    def page_dir(self) -> Path:
        """The folder of the built page."""
        return Path(self.tables.page) if self.tables.page else BUILT_PAGE

    @property
    def placeholders(self) -> dict[str, str]:
        """What the placeholders of flow files stand for."""
        return {**self.values, "home": str(self.home)}

    def declared(self) -> dict[str, dict[str, Any]]:
        """Return the document of each flow file that is on, by the name of its flow."""
        try:
            return files.documents(self.flows.folders, self.flows.left_out, self.placeholders)
        except DeclarationError as e:
            raise SettingsError(str(e)) from e

    @property
    def checkpoints(self) -> Path:
        """The folder of the checkpoints; on a cluster every machine has it."""
        chosen = self.pipeline.checkpoints
        return Path(chosen) if chosen else self.home / "checkpoints"

    @property
    def url(self) -> str:
        """Where the page is."""
        scheme = "https" if self.tables.certificate else "http"
        return f"{scheme}://{self.tables.host_name}:{self.tables.port}{PAGE_PATH}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def sections() -> dict[str, type[Any]]:
    """Return the sections of the settings and the types that hold them."""
    hints = get_type_hints(Settings)
    others = ("home", "secret", "values")
    return {f.name: hints[f.name] for f in fields(Settings) if f.name not in others}
