"""The systems that are compared, each with topics of its own."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.events import Sources
from bench.ground import Ground
from bench.report import say
from tidegrid import kafka
from tidegrid.machine.ports import free_port
from tidegrid.settings import Tables

PARTITIONS = 2
#: The viewport interval of Tidegrid's page.
QUICK_MS = 10


@dataclass(frozen=True)
class System:
    """One way from the topics to a browser."""

    name: str
    base: Ground
    sources: Sources
    #: How often the browser asks to be told, in milliseconds; None is Deephaven's default.
    interval: int | None = QUICK_MS
    port: int = field(default_factory=free_port)
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def environment(self) -> Mapping[str, str]:
        """What the processes of this system are told."""
        return {
            "BENCH_BOOTSTRAP": self.base.bootstrap,
            "BENCH_USERS_TOPIC": self.sources.users,
            "BENCH_ACCOUNTS_TOPIC": self.sources.accounts,
            "BENCH_POSITIONS_TOPIC": self.sources.positions,
            "BENCH_PSK": self.key,
            "KAFKA_BOOTSTRAP": self.base.bootstrap,
            "TIDEGRID_HOME": str(self.base.settings.home),
            "TIDEGRID_CUSTOMERS_USERS_TOPIC": self.sources.users,
            "TIDEGRID_CUSTOMERS_ACCOUNTS_TOPIC": self.sources.accounts,
            # Without a topic of its own the flow waits for one that nobody makes.
            "TIDEGRID_POSITIONS_TOPIC": self.sources.positions or "bench.none",
            "TIDEGRID_TABLES_PORT": str(self.port),
            "TIDEGRID_PSK": self.key,
        }


def tidegrid(base: Ground, *, gold: bool = False) -> System:
    """Return Tidegrid in the version of a ground."""
    return make_system(base.version.name, base, gold=gold)


def make_system(
    name: str, base: Ground, interval: int | None = QUICK_MS, *, gold: bool = False
) -> System:
    """Return a system with topics of its own; positions only for those that measure them."""
    topics = (f"bench.{name}.{of}" for of in ("users", "accounts", *(["positions"] * gold)))
    return System(name, base, Sources(*topics), interval)


def make_topics(base: Ground, sources: Sources) -> None:
    """Make the source topics of a system."""
    names = filter(None, (sources.users, sources.accounts, sources.positions))
    kafka.ensure_topics(base.connection, dict.fromkeys(names, PARTITIONS), {})


def start_tables(system: System) -> None:
    """Start the Deephaven of a system and return when it listens; not the pipeline."""
    say(f"{system.name}: starting Deephaven")
    base = system.base
    if system.name.startswith("tidegrid"):
        arguments = ["tidegrid", "tables"]
    else:
        cycle = [] if system.interval is None else ["--cycle", str(Tables().cycle_ms)]
        arguments = ["bench.direct_server", str(system.port), *cycle]
    base.processes.start(
        system.name, *arguments, version=base.version, environment=system.environment
    )
    base.processes.wait_for_port(system.name, system.port)


def start_pipeline(
    system: System, told: Mapping[str, str] | None = None, name: str = "pipeline"
) -> None:
    """Start Tidegrid's pipeline, or the second of a pair; `told` is what else it is to know."""
    say(f"{system.name}: starting the {name}")
    system.base.processes.start(
        name,
        "tidegrid",
        "pipeline",
        version=system.base.version,
        environment={**system.environment, **(told or {})},
    )
