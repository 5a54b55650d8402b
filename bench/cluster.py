"""From event to screen with the pipeline on a standalone Spark cluster of a master and two workers.

A measure of its own, so that a run of this part alone leaves what the others measured.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.browser import chromium
from bench.ground import ground
from bench.latency import MEASURES, first_rows, one_round, send
from bench.options import Options
from bench.report import say
from bench.rows import Row, Spread, over_rounds
from bench.standalone import Standalone
from bench.systems import make_system, make_topics, start_tables

_NAME = "tidegrid_cluster"
#: Slots and memory of each of two workers: one alone could run everything.
_CORES, _MEMORY_MB = 16, 1536


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Start everything, warm it up, and measure rounds."""
    with (
        ground() as base,
        chromium() as browser,
        Standalone(base.settings.home / "cluster") as standalone,
    ):
        tested = make_system(_NAME, base)
        make_topics(base, tested.sources)
        send(tested, options)
        base.processes.wait("load", 60)
        say(f"{_NAME}: starting a master and two workers")
        standalone.add_workers(2, _CORES, _MEMORY_MB)
        start_tables(tested)
        told = {
            "TIDEGRID_PIPELINE_MASTER": standalone.master,
            "TIDEGRID_PIPELINE_CHECKPOINTS": str(base.settings.home / "checkpoints"),
            "TIDEGRID_PIPELINE_EXECUTOR_HEAP_MB": str(_MEMORY_MB),
        }
        first_rows(browser, tested, told)
        seen: dict[str, list[Spread]] = {}
        # Round 0 warms up and does not count.
        for number in range(options.rounds + 1):
            for table, result in one_round(browser, tested, options, number).items():
                if number > 0:
                    seen.setdefault(table, []).append(result)
    for table, rounds in seen.items():
        add(over_rounds(f"{MEASURES[table]}_cluster", _NAME, f"{options.rate}/s", rounds))
