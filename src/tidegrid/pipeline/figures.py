"""Figures: what the pipeline knows of its generations, for its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tidegrid.contract.health import Figure
from tidegrid.contract.receipts import Ledger, Offsets
from tidegrid.ends import Whom
from tidegrid.pipeline.generation import Generation


def of_flow(
    flow: str,
    ledger: Ledger,
    running: Mapping[int, Generation],
    ends: Mapping[Whom, Offsets],
) -> Iterator[Figure]:
    """Yield the figures of a flow: its generations, their restarts and rows, its last swap."""
    live = ledger.live(flow)
    if live is not None:
        yield Figure("live_generation", live, flow)
    lives = ledger.lives(flow)
    for number, generation in running.items():
        if number in lives:
            yield Figure("generation_state", 1, flow, number, label=lives[number].state)
        if generation.query is not None:
            yield Figure("restarts", generation.query.restarts, flow, number)
            for where, size in generation.query.state.items():
                yield Figure("state_bytes", size, flow, number, label=where)
        written = ends.get((flow, number), {})
        for name, topic in generation.topics.items():
            # A changelog has one partition and no transactions: its end is the rows it was given.
            if topic in written:
                yield Figure("rows_written", written[topic]["0"], flow, number, label=name)
    last = ledger.last_takeover(flow)
    if last is not None:
        for step, seconds in {
            "catch-up": last.catch_up,
            "flip": last.flip,
            "total": last.catch_up + last.flip,
        }.items():
            value = round(seconds, 3)
            yield Figure("last_swap_seconds", value, flow, last.generation, label=step)


def written(
    flow: str, running: Mapping[int, Generation], ends: Mapping[Whom, Offsets]
) -> dict[Whom, Offsets]:
    """Return the changelogs of the generations, each with its end as far as it is known."""
    return {
        (flow, number): {
            t: ends.get((flow, number), {}).get(t, {"0": 0}) for t in g.topics.values()
        }
        for number, g in running.items()
    }
