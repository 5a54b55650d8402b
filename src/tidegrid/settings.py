"""Settings: `tidegrid.toml`, overridden by the environment; secrets only from the environment.

Any setting can be overridden by `TIDEGRID_<SECTION>_<NAME>`, such as `TIDEGRID_TABLES_PORT=8080`.
Some have a second name, such as `KAFKA_BOOTSTRAP` or `TIDEGRID_LOG`. An unknown section or name is
an error, so that a slip of the pen does not pass for a setting.
"""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
import types
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from tidegrid import connection
from tidegrid.connection import NO_SECRET, SECRET_VARIABLE, Connection, Kafka, Secret
from tidegrid.contract.topics import PREFIX
from tidegrid.contract.views import POSITION_KEYS
from tidegrid.errors import SettingsError
from tidegrid.psk import problem as psk_problem

PSK_VARIABLE = "TIDEGRID_PSK"
#: Where the page is on its server.
PAGE_PATH = "/js-plugins/tidegrid/"
#: Set for the parts that `up` starts: they stop when their standard input ends.
STOP_WITH_STDIN = "TIDEGRID_STOP_WITH_STDIN"
#: Where the settings file is, for the parts that a command starts.
SETTINGS_VARIABLE = "TIDEGRID_SETTINGS"
#: What is said of an address, when it is in the clear.
IN_THE_CLEAR = (
    "tables.host is %s and there is no certificate: viewers' keys and all rows cross the network "
    "unencrypted. Set tables.certificate and tables.key, or tables.host to 127.0.0.1 with a proxy "
    "in front that has TLS"
)
#: Names that others use for our settings.
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
#: Settings that are names and values, such as {"client.rack" = "a"}.
_PAIRS = tuple[tuple[str, str], ...]
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_INTERVAL = re.compile(r"[1-9]\d* (second|minute)s?\Z")
_HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\Z")
_LONGEST_SESSION = 24 * 60
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}\Z")


@dataclass(frozen=True)
class Broker:
    """The local broker; its port is the one in `kafka.bootstrap`."""

    heap_mb: int = 512


@dataclass(frozen=True)
class Customers:
    """The sources of the `customers` flow."""

    users_topic: str = "users"
    accounts_topic: str = "accounts"
    join: Literal["left", "inner"] = "left"
    encoding: Literal["json", "base64"] = "json"
    event_list: int = 1000
    as_of_depth: int = 16


@dataclass(frozen=True)
class Positions:
    """The source of the `positions` flow, and how its views are made."""

    topic: str = "gold_positions_changes"
    encoding: Literal["json", "base64"] = "json"
    event_list: int = 1000
    keys: str = "symbol"
    history: str = ""
    kpi_short_seconds: int = 300
    kpi_long_seconds: int = 900

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns that tell one position from another."""
        return tuple(name.strip() for name in self.keys.split(","))


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


@dataclass(frozen=True)
class Swap:
    """How a new generation takes over."""

    linger_seconds: int = 20
    timeout_seconds: int = 900


@dataclass(frozen=True)
class Guard:
    """What a new generation must have to take over."""

    min_rows_ratio: float = 0.0


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
    customers: Customers = field(default_factory=Customers)
    positions: Positions = field(default_factory=Positions)
    feed: Feed = field(default_factory=Feed)
    pipeline: Pipeline = field(default_factory=Pipeline)
    swap: Swap = field(default_factory=Swap)
    guard: Guard = field(default_factory=Guard)
    tables: Tables = field(default_factory=Tables)
    logs: Logs = field(default_factory=Logs)
    #: What the login at Kafka is kept secret with.
    secret: Secret = NO_SECRET

    @property
    def connection(self) -> Connection:
        """How to reach Kafka and log in there."""
        return Connection(self.kafka, self.secret)

    @property
    def page_dir(self) -> Path:
        """The folder of the built page."""
        if self.tables.page:
            return Path(self.tables.page)
        return Path(__file__).resolve().parents[2] / "web" / "dist" / "tidegrid"

    def sources(self, flow: str) -> dict[str, str]:
        """Return the topics of a flow, by what they are to it; none if the flow is not wanted."""
        found = {
            "customers": {
                "users": self.customers.users_topic,
                "accounts": self.customers.accounts_topic,
            },
            "positions": {"positions": self.positions.topic},
        }[flow]
        return found if any(found.values()) else {}

    @property
    def history(self) -> str:
        """The Parquet file or folder, or its URI, with the sector and exchange of each symbol."""
        return self.positions.history or str(self.home / "symbols")

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


def load(path: Path | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from a file and the environment.

    `path`, or the one in `TIDEGRID_SETTINGS`, must exist when given; without it `tidegrid.toml` in
    this folder is read if it is there.
    """
    if path is None and environ.get(SETTINGS_VARIABLE):
        path = Path(environ[SETTINGS_VARIABLE])
    chosen = path or Path("tidegrid.toml")
    given: dict[str, Any] = {}
    if path is not None or chosen.exists():
        try:
            given = tomllib.loads(chosen.read_text("utf-8"))
        except OSError as e:
            raise SettingsError(f"settings file {chosen}: {e.strerror}") from e
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
            raise SettingsError(f"settings file {chosen}: not valid TOML: {e}") from e
    home = given.pop("home", None)
    settings = Settings(secret=Secret(environ.get(SECRET_VARIABLE, "")))
    if home is not None:
        if not isinstance(home, str):
            raise SettingsError(f"setting home in {chosen}: expected a text, got {home!r}")
        settings = replace(settings, home=Path(home))
    if environ.get("TIDEGRID_HOME"):
        settings = replace(settings, home=Path(environ["TIDEGRID_HOME"]))
    for section, values in given.items():
        settings = _override(settings, section, values, f"in {chosen}")
    for section, values in _from_environment(environ).items():
        settings = _override(settings, section, values, "in the environment")
    _check(settings)
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


def sections() -> dict[str, type[Any]]:
    """Return the sections of the settings and the types that hold them."""
    hints = get_type_hints(Settings)
    return {f.name: hints[f.name] for f in fields(Settings) if f.name not in ("home", "secret")}


def _from_environment(environ: Mapping[str, str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    known = {f"TIDEGRID_{s}_{f.name}".upper() for s, k in sections().items() for f in fields(k)}
    for variable in environ:
        section = variable.removeprefix("TIDEGRID_").partition("_")[0].lower()
        if variable.startswith("TIDEGRID_") and section in sections() and variable not in known:
            raise SettingsError(f"environment variable {variable}: there is no such setting")
    for alias, (section, name) in ALIASES.items():
        if environ.get(alias):
            found.setdefault(section, {})[name] = environ[alias]
    for section, kind in sections().items():
        for f in fields(kind):
            value = environ.get(f"TIDEGRID_{section}_{f.name}".upper())
            if value is not None:
                found.setdefault(section, {})[f.name] = value
    return found


def _override(settings: Settings, section: str, values: object, where: str) -> Settings:
    kinds = sections()
    if section not in kinds:
        raise SettingsError(f"setting [{section}] {where}: unknown; there are {', '.join(kinds)}")
    if not isinstance(values, dict):
        raise SettingsError(f"setting [{section}] {where}: expected a section, got {values!r}")
    hints = get_type_hints(kinds[section])
    parsed = {}
    for name, value in values.items():
        if name not in hints:
            raise SettingsError(
                f"setting {section}.{name} {where}: unknown; there are {', '.join(hints)}"
            )
        parsed[name] = _parse(f"{section}.{name} {where}", hints[name], value)
    return replace(settings, **{section: replace(getattr(settings, section), **parsed)})


def _parse(what: str, kind: Any, value: object) -> object:
    if get_origin(kind) is Literal:
        if value in get_args(kind):
            return value
        raise SettingsError(f"setting {what}: {value!r} is none of {', '.join(get_args(kind))}")
    if kind == _PAIRS:
        return _pairs(what, value)
    assert not isinstance(kind, types.UnionType)
    if kind is str and isinstance(value, str):
        return value
    try:
        if isinstance(value, bool):
            raise ValueError
        if kind is int and (isinstance(value, int) or str(value).lstrip("-").isdigit()):
            return int(str(value))
        if kind is float and isinstance(value, int | float | str):
            return float(value)
    except ValueError:
        pass
    raise SettingsError(f"setting {what}: expected {kind.__name__}, got {value!r}")


def _pairs(what: str, value: object) -> tuple[tuple[str, str], ...]:
    if isinstance(value, str):
        parts = (part.partition("=") for part in value.split(",") if part.strip())
        value = {name.strip(): text.strip() for name, _, text in parts}
    if not isinstance(value, dict) or not all(
        isinstance(v, str | int | float) for v in value.values()
    ):
        raise SettingsError(f"setting {what}: expected names and values, such as a=1,b=2")
    return tuple(sorted((name, str(text)) for name, text in value.items()))


def _check(settings: Settings) -> None:
    positive = {
        "broker.heap_mb": settings.broker.heap_mb,
        "customers.event_list": settings.customers.event_list,
        "customers.as_of_depth": settings.customers.as_of_depth,
        "positions.event_list": settings.positions.event_list,
        "positions.kpi_short_seconds": settings.positions.kpi_short_seconds,
        "positions.kpi_long_seconds": settings.positions.kpi_long_seconds,
        "feed.users": settings.feed.users,
        "feed.rate": settings.feed.rate,
        "feed.symbols": settings.feed.symbols,
        "feed.position_rate": settings.feed.position_rate,
        "feed.partitions": settings.feed.partitions,
        "pipeline.heap_mb": settings.pipeline.heap_mb,
        "pipeline.executor_heap_mb": settings.pipeline.executor_heap_mb,
        "pipeline.shuffle_partitions": settings.pipeline.shuffle_partitions,
        "pipeline.max_value_bytes": settings.pipeline.max_value_bytes,
        "swap.linger_seconds": settings.swap.linger_seconds,
        "swap.timeout_seconds": settings.swap.timeout_seconds,
        "tables.heap_mb": settings.tables.heap_mb,
        "tables.cycle_ms": settings.tables.cycle_ms,
        "tables.session_minutes": settings.tables.session_minutes,
    }
    for name, value in positive.items():
        if value < 1:
            raise SettingsError(f"setting {name}: {value} must be at least 1")
    if not 0 <= settings.feed.bad_ratio <= 1:
        raise SettingsError(f"setting feed.bad_ratio: {settings.feed.bad_ratio} is not in 0 to 1")
    if not 0 <= settings.guard.min_rows_ratio <= 1:
        raise SettingsError(
            f"setting guard.min_rows_ratio: {settings.guard.min_rows_ratio} is not in 0 to 1"
        )
    if not 0 < settings.tables.port < 65536:
        raise SettingsError(f"setting tables.port: {settings.tables.port} is no port")
    if settings.tables.session_minutes > _LONGEST_SESSION:
        raise SettingsError(
            f"setting tables.session_minutes: {settings.tables.session_minutes} is more than "
            f"{_LONGEST_SESSION}, a day"
        )
    if bool(settings.tables.certificate) != bool(settings.tables.key):
        raise SettingsError(
            "settings tables.certificate and tables.key: only one of the two is set; TLS needs "
            "both, and plain HTTP neither"
        )
    if settings.tables.name and not _HOST_NAME.match(settings.tables.name):
        raise SettingsError(
            f"setting tables.name: {settings.tables.name!r} is not a name such as "
            "tables.example.com, without scheme and port"
        )
    if not 0 <= settings.pipeline.metrics_port < 65536:
        raise SettingsError(
            f"setting pipeline.metrics_port: {settings.pipeline.metrics_port} is no port; "
            "0 turns the metrics off"
        )
    if settings.logs.level.upper() not in _LEVELS:
        raise SettingsError(
            f"setting logs.level (TIDEGRID_LOG): {settings.logs.level!r} is none of "
            f"{', '.join(_LEVELS)}"
        )
    connection.check(settings.connection)
    customers = {
        "customers.users_topic": settings.customers.users_topic,
        "customers.accounts_topic": settings.customers.accounts_topic,
    }
    if not settings.sources("customers"):
        customers = {}
    named = {**customers, "positions.topic": settings.positions.topic}
    if not settings.positions.topic:
        del named["positions.topic"]
    for name, topic in named.items():
        if not _TOPIC.match(topic) or topic in (".", ".."):
            raise SettingsError(f"setting {name}: {topic!r} is not a topic name")
        if topic.startswith(PREFIX):
            raise SettingsError(f"setting {name}: {topic!r} is one of Tidegrid's own")
    unknown = [k for k in settings.positions.key_columns if k not in POSITION_KEYS]
    if unknown:
        raise SettingsError(
            f"setting positions.keys: {unknown[0]!r} is none of {', '.join(POSITION_KEYS)}"
        )
    if settings.positions.kpi_short_seconds > settings.positions.kpi_long_seconds:
        raise SettingsError("setting positions.kpi_short_seconds is more than kpi_long_seconds")
    if not _INTERVAL.match(settings.pipeline.checkpoint_interval):
        raise SettingsError(
            f"setting pipeline.checkpoint_interval: {settings.pipeline.checkpoint_interval!r} is "
            "not a time such as '2 minutes' or '90 seconds'"
        )
    if ":/" in settings.pipeline.checkpoints:
        raise SettingsError(
            f"setting pipeline.checkpoints: {settings.pipeline.checkpoints!r} is a URI; object "
            "stores and HDFS are not supported: name a folder, such as a mounted share"
        )
    if len(set(named.values())) < len(named):
        raise SettingsError(
            f"settings {', '.join(named)}: the same topic twice; each needs its own"
        )
    if not named:
        raise SettingsError("settings customers.users_topic and positions.topic: no topic is named")
