"""The commands: what each is for, what it needs to do it, and examples to begin with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command, as its help tells of it."""

    help: str
    needs: str
    examples: tuple[str, ...]


_RUNNING = "Kafka, and a pipeline that runs"

COMMANDS = {
    "up": Command(
        "start everything on this machine and keep it up",
        "a JDK 17 or newer; the first start fetches 60 MB of jars",
        (
            "tidegrid up",
            "tidegrid up --pair",
            "KAFKA_BOOTSTRAP=broker.example:9092 tidegrid up --without broker --without feed",
        ),
    ),
    "broker": Command(
        "run the local Kafka broker",
        "a JDK 17 or newer, and the port of kafka.bootstrap",
        ("tidegrid broker", "KAFKA_BOOTSTRAP=127.0.0.1:9092 tidegrid broker"),
    ),
    "feed": Command(
        "produce sample data for the flows that ship",
        "Kafka; it writes to the topics of these flows, so let it be one of your own",
        ("tidegrid feed", "TIDEGRID_FEED_RATE=1000 tidegrid feed"),
    ),
    "pipeline": Command(
        "run the Spark queries, from source topics to changelogs",
        "a JDK 17 or newer, and Kafka",
        (
            "tidegrid pipeline",
            "KAFKA_BOOTSTRAP=broker.example:9092 tidegrid pipeline",
            "tidegrid pipeline --settings /etc/tidegrid/tidegrid.toml",
        ),
    ),
    "tables": Command(
        "run Deephaven: the live tables and the page",
        "a JDK 17 or newer, Kafka, and TIDEGRID_PSK, the key that viewers log in with",
        (
            "tidegrid tables",
            "tidegrid tables --print-config",
            "tidegrid tables --print-config --into /opt/tidegrid",
        ),
    ),
    "flows": Command(
        "list the flows: what runs of each, its topics and its tables",
        "Kafka",
        ("tidegrid flows", "KAFKA_BOOTSTRAP=broker.example:9092 tidegrid flows"),
    ),
    "infer": Command(
        "write a flow file for a topic, from its newest records",
        "Kafka, and a topic with JSON records; --apply also a pipeline that runs",
        (
            "tidegrid infer shop.orders > orders.toml",
            "tidegrid infer shop.orders --name orders --key orderId",
            "tidegrid infer shop.orders --apply",
        ),
    ),
    "plan": Command(
        "say what would change if a flow file were applied",
        "Kafka, and a flow file",
        ("tidegrid plan orders.toml", "tidegrid plan flows/customers.toml"),
    ),
    "apply": Command(
        "run flows as their files declare them, and follow it until they are live",
        f"{_RUNNING}, and flow files",
        (
            "tidegrid apply orders.toml",
            "tidegrid apply flows/*.toml",
            "tidegrid apply orders.toml --from 2026-11-15T08:00:00Z",
        ),
    ),
    "remove": Command(
        "take a flow and its tables away",
        _RUNNING,
        ("tidegrid flows", "tidegrid remove orders"),
    ),
    "swap": Command(
        "show other topics in the same tables, and follow it until they are live",
        _RUNNING,
        (
            "tidegrid swap --users users.v2 --accounts accounts.v2",
            "tidegrid swap --topic orders=shop.orders.v2 --flow orders",
            "tidegrid swap --join inner",
        ),
    ),
    "rollback": Command(
        "go back to the generation before the last swap, while it lingers",
        f"{_RUNNING}, and a swap within swap.linger_seconds",
        ("tidegrid rollback", "tidegrid rollback --flow positions"),
    ),
    "doctor": Command(
        "check everything on the way of a message, and say how to fix what is wrong",
        "nothing: what is missing is what it says",
        ("tidegrid doctor", "tidegrid doctor --json"),
    ),
    "status": Command(
        "show each part, its health, rows per view and the age of the newest event",
        "Kafka",
        ("tidegrid status", "KAFKA_BOOTSTRAP=broker.example:9092 tidegrid status"),
    ),
    "settings": Command(
        "list every setting: its variables, default and value, and where that comes from",
        "nothing",
        (
            "tidegrid settings",
            "tidegrid settings --settings /etc/tidegrid/tidegrid.toml",
            "tidegrid settings --format json",
        ),
    ),
}
