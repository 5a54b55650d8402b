"""A process that runs Tidegrid's queries over a backlog, several times in one warm Spark.

Each pass is a generation of its own, with its own changelogs and checkpoints. It prints one JSON
line for each pass: the source records done, the seconds they took, and whether it was cut short.
"""

from __future__ import annotations

import argparse
import json
import time

from confluent_kafka import TopicPartition

from tidegrid import kafka
from tidegrid.contract import receipts
from tidegrid.contract.declaration import parse
from tidegrid.contract.receipts import Receipt
from tidegrid.pipeline import session
from tidegrid.pipeline.generation import Generation, recipe
from tidegrid.settings import Settings, load

_FLOW, _FIRST_GENERATION = "customers", 101


def main() -> None:
    """Run the passes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", type=int, required=True)
    parser.add_argument("--cap", type=float, required=True)
    given = parser.parse_args()
    settings = load()
    connection = settings.connection
    document = settings.declared()[_FLOW]
    sources = parse(document, _FLOW).topics
    found = kafka.partitions(connection, sources.values())
    start, end = kafka.earliest(connection, found), kafka.latest(connection, found)
    engine = None
    for number in range(_FIRST_GENERATION, _FIRST_GENERATION + given.passes):
        receipt = Receipt(
            _FLOW,
            number,
            "building",
            at=receipts.now(),
            sources=sources,
            join="left",
            start=start,
            end=end,
            recipe=recipe(settings),
            declaration=document,
            types={name: {} for name in sources},
        )
        generation = Generation(settings, receipt, settings.home / "checkpoints")
        if engine is None:
            engine = session.start(settings, generation.demand.slots)
        generation.make_topics()
        begun = time.monotonic()
        generation.start(engine)
        try:
            print(json.dumps(_follow(settings, generation, begun, given.cap)), flush=True)
        finally:
            generation.stop()
        kafka.delete_topics(connection, generation.topics.values())


def _follow(
    settings: Settings, generation: Generation, begun: float, cap: float
) -> dict[str, float | bool]:
    """Read the changelogs until a row of the last record of every source partition is there."""
    connection = settings.connection
    receipt = generation.birth
    total = sum(sum(partitions.values()) for partitions in receipt.end.values())
    reader = kafka.reader(connection)
    reader.assign([TopicPartition(topic, 0, 0) for topic in generation.topics.values()])
    seen: dict[str, dict[str, int]] = {}
    try:
        while True:
            for message in reader.consume(5000, 0.05):
                if message.error() is None:
                    row = json.loads(message.value() or b"")
                    place = seen.setdefault(row["topic"], {})
                    partition = str(row["partition"])
                    place[partition] = max(place.get(partition, -1), row["offset"])
            seconds = time.monotonic() - begun
            if receipts.reached(receipt, seen):
                return {"records": total, "seconds": seconds, "capped": False}
            if seconds > cap:
                done = sum(1 + offset for places in seen.values() for offset in places.values())
                return {"records": done, "seconds": seconds, "capped": True}
            if generation.query is not None and generation.query.restarts:
                raise SystemExit(f"Error: a query ended: {generation.query.last_error}")
    finally:
        reader.close()


if __name__ == "__main__":
    main()
