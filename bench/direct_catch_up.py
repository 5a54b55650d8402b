"""A process in which Deephaven alone reads the backlog, several times in one warm JVM.

It prints one JSON line for each pass, as `spark_catch_up` does.
"""

from __future__ import annotations

import argparse
import json
import os
import time

from bench import direct_server
from bench.systems import QUICK_MS
from tidegrid import kafka
from tidegrid.ports import free_port

_POLL = 0.05


def main() -> None:
    """Run the passes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passes", type=int, required=True)
    parser.add_argument("--cap", type=float, required=True)
    given = parser.parse_args()
    bootstrap = os.environ["BENCH_BOOTSTRAP"]
    topics = (os.environ["BENCH_USERS_TOPIC"], os.environ["BENCH_ACCOUNTS_TOPIC"])
    ends = kafka.latest(bootstrap, kafka.partitions(bootstrap, topics))
    wanted = sum(offset for partitions in ends.values() for offset in partitions.values())
    direct_server.start(free_port(), direct_server.cycle(QUICK_MS))
    # Deephaven can be imported only once its server runs.
    from deephaven.liveness_scope import LivenessScope

    for _ in range(given.passes):
        scope = LivenessScope()
        with scope.open():
            print(json.dumps(_pass(bootstrap, topics, wanted, given.cap)), flush=True)
        scope.release()
    os._exit(0)


def _pass(
    bootstrap: str, topics: tuple[str, str], wanted: int, cap: float
) -> dict[str, float | bool]:
    """Build the tables anew and wait until they have taken every record."""
    from deephaven import agg
    from deephaven import numpy as dhnp

    from bench import direct_tables

    begun = time.monotonic()
    streams = direct_tables.streams(bootstrap, *topics)
    views = direct_tables.views(*streams)
    counts = [rows.agg_by(agg.count_("n")) for rows in streams]
    while True:
        time.sleep(_POLL)
        done = sum(int(dhnp.to_numpy(c)[0, 0]) for c in counts if c.size)
        passed = time.monotonic() - begun
        if done >= wanted or passed > cap:
            assert all(table.size for table in views.values())
            return {"records": done, "seconds": passed, "capped": done < wanted}


if __name__ == "__main__":
    main()
