"""The three systems that are compared, each with topics of its own."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from bench.events import Sources
from bench.processes import Processes
from bench.report import say
from tidegrid import kafka
from tidegrid.connection import Connection, Kafka
from tidegrid.ports import free_port
from tidegrid.settings import Tables

PARTITIONS = 2
#: The viewport interval of Tidegrid's page.
QUICK_MS = 10


@dataclass(frozen=True)
class System:
    """One way from the topics to a browser."""

    name: str
    sources: Sources
    port: int
    key: str
    #: How often the browser asks to be told, in milliseconds; None is Deephaven's default.
    interval: int | None

    def environment(self, bootstrap: str) -> Mapping[str, str]:
        """Return what the processes of this system are told."""
        return {
            "BENCH_BOOTSTRAP": bootstrap,
            "BENCH_USERS_TOPIC": self.sources.users,
            "BENCH_ACCOUNTS_TOPIC": self.sources.accounts,
            "BENCH_POSITIONS_TOPIC": self.sources.positions,
            "BENCH_PSK": self.key,
            "KAFKA_BOOTSTRAP": bootstrap,
            "TIDEGRID_CUSTOMERS_USERS_TOPIC": self.sources.users,
            "TIDEGRID_CUSTOMERS_ACCOUNTS_TOPIC": self.sources.accounts,
            # Without a topic of its own the flow waits for one that nobody makes.
            "TIDEGRID_POSITIONS_TOPIC": self.sources.positions or "bench.none",
            "TIDEGRID_TABLES_PORT": str(self.port),
            "TIDEGRID_PSK": self.key,
        }


def all_systems() -> list[System]:
    """Return the systems to compare, the one under test first."""
    return [
        system("tidegrid", QUICK_MS),
        system("deephaven_direct", QUICK_MS),
        system("deephaven_defaults", None),
    ]


def make_topics(bootstrap: str, sources: Sources) -> None:
    """Make the source topics of a system."""
    names = filter(None, (sources.users, sources.accounts, sources.positions))
    kafka.ensure_topics(Connection(Kafka(bootstrap)), dict.fromkeys(names, PARTITIONS), {})


def start_tables(system: System, processes: Processes, bootstrap: str, home: str) -> None:
    """Start the Deephaven of a system and return when it listens; not the pipeline."""
    say(f"{system.name}: starting Deephaven")
    environment = {**system.environment(bootstrap), "TIDEGRID_HOME": home}
    if system.name.startswith("tidegrid"):
        arguments = ["tidegrid", "tables"]
    else:
        cycle = [] if system.interval is None else ["--cycle", str(Tables().cycle_ms)]
        arguments = ["bench.direct_server", str(system.port), *cycle]
    processes.start(system.name, *arguments, environment=environment)
    processes.wait_for_port(system.name, system.port)


def system(name: str, interval: int | None, *, gold: bool = False) -> System:
    """Return a system with topics of its own; positions only for those that measure them."""
    topics = (f"bench.{name}.{of}" for of in ("users", "accounts", *(["positions"] * gold)))
    sources = Sources(*topics)
    return System(name, sources, free_port(), secrets.token_urlsafe(24), interval)
