"""A process that runs Tidegrid's queries over a backlog, several times in one warm Spark.

Each pass is a generation of its own, with its own changelogs and checkpoints. It prints one JSON
line for each pass: the source records done, the seconds they took, and whether it was cut short.
"""

from __future__ import annotations

import argparse
import json
import time

from tidegrid import kafka
from tidegrid.contract.receipts import Receipt
from tidegrid.errors import KafkaError
from tidegrid.pipeline import session
from tidegrid.pipeline.generation import CustomersGeneration
from tidegrid.settings import Settings, load

_FIRST_GENERATION = 101
#: Changelogs with exactly one row for each record of a source: users' by the first query,
#: accounts' by the second, so that together they tell when both queries are through.
_EXACT = {"users": "users", "accounts": "accounts"}
_POLL, _QUIET = 0.25, 1.0


def main() -> None:
    """Run the passes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", type=int, required=True)
    parser.add_argument("--cap", type=float, required=True)
    given = parser.parse_args()
    settings = load()
    bootstrap = settings.kafka.bootstrap
    sources = {
        "users": settings.customers.users_topic,
        "accounts": settings.customers.accounts_topic,
    }
    found = kafka.partitions(bootstrap, sources.values())
    start, end = kafka.earliest(bootstrap, found), kafka.latest(bootstrap, found)
    spark = None
    for number in range(_FIRST_GENERATION, _FIRST_GENERATION + given.passes):
        receipt = Receipt(
            "customers", number, "building", at="", sources=sources, start=start, end=end
        )
        folder = settings.home / "checkpoints" / str(number)
        generation = CustomersGeneration(settings, receipt, folder)
        if spark is None:
            spark = session.start(settings, session.slots_needed(generation.demands))
        generation.make_topics()
        begun = time.monotonic()
        generation.start(spark)
        try:
            print(json.dumps(_follow(settings, generation, begun, given.cap)), flush=True)
        finally:
            generation.stop()
        kafka.delete_topics(bootstrap, generation.topics.values())


def _follow(
    settings: Settings, generation: CustomersGeneration, begun: float, cap: float
) -> dict[str, float | bool]:
    """Watch the changelogs grow until every source record has its row and nothing more comes."""
    bootstrap = settings.kafka.bootstrap
    counts = dict.fromkeys(generation.topics.values(), 0)
    found = kafka.partitions(bootstrap, counts)
    receipt = generation.receipt
    wanted = {name: sum(receipt.end[receipt.sources[s]].values()) for name, s in _EXACT.items()}
    grown = begun
    while True:
        try:
            ends = kafka.latest(bootstrap, found)
            seen = {topic: sum(partitions.values()) for topic, partitions in ends.items()}
        except KafkaError:
            # A topic that was just made may have no leader yet: asked again soon.
            seen = counts
        now = time.monotonic()
        if seen != counts:
            counts, grown = seen, now
        rows = {name: counts[generation.topics[name]] for name in wanted}
        complete = all(rows[name] >= wanted[name] for name in wanted)
        if complete and now - grown >= _QUIET:
            return {"records": sum(wanted.values()), "seconds": grown - begun, "capped": False}
        if now - begun > cap:
            done = sum(min(rows[name], wanted[name]) for name in wanted)
            return {"records": done, "seconds": now - begun, "capped": True}
        restarts = sum(query.restarts for query in generation.queries)
        if restarts:
            # A query that starts again writes rows again, and then counts say nothing.
            raise SystemExit(f"Error: a query ended: {generation.queries[0].last_error}")
        time.sleep(_POLL)


if __name__ == "__main__":
    main()
