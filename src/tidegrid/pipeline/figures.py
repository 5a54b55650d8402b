"""Figures: what the pipeline reports of itself and of its generations."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping

from tidegrid.contract.health import SECOND, Figure, Health
from tidegrid.contract.receipts import Ledger, Offsets
from tidegrid.kafka.ends import Whom
from tidegrid.pipeline.generation import Generation
from tidegrid.pipeline.lead import Lead


def report(part: str, leads: Collection[Lead], slots: int, ends: Mapping[Whom, Offsets]) -> Health:
    """Return a pipeline's report: all flows it runs, on a Spark with so many task slots."""
    every = [lead.generations for lead in leads]
    queries = [g.query for of in every for g in of.running.values() if g.query is not None]
    down = [q for q in queries if not q.running]
    waiting = [q.waiting for q in queries if q.waiting]
    waiting += [f"{of.flow} {n} does not run here yet" for of in every for n in of.absent()]
    notes = dict.fromkeys(note for q in queries for note in q.notes)
    room = sum(of.room for of in every)
    if slots < room and not waiting:
        notes[f"Spark has {slots} task slots and swaps need {room}: one may be refused"] = None
    problems = [lead.problem for lead in leads if lead.problem]
    errors = [q.last_error for q in down if q.last_error]
    found = [f for of in every for f in of_flow(of.flow, of.running, ends)]
    if part != SECOND:
        found += [f for of in every for f in of_ledger(of.flow, of.ledger, of.running)]
    found += [Figure("errors", lead.errors, lead.flow) for lead in leads]
    return Health(
        part=part,
        at=time.time(),
        state="waiting" if waiting else "restarting" if down else "running",
        generation=max((number for of in every for number in of.running), default=0),
        detail="; ".join([*waiting, *errors, *problems, *notes]),
        restarts=sum(q.restarts for q in queries),
        figures=tuple(found),
    )


def of_flow(
    flow: str, running: Mapping[int, Generation], ends: Mapping[Whom, Offsets]
) -> Iterator[Figure]:
    """Yield what a pipeline measures itself of a flow: restarts, commits, state and rows."""
    for number, generation in running.items():
        if generation.query is not None:
            yield Figure("restarts", generation.query.restarts, flow, number)
            if bulk := generation.query.in_bulk:
                yield Figure("bulk", bulk, flow, number)
            if committed := generation.query.committed_at:
                yield Figure("committed_at", round(committed, 1), flow, number)
            for where, size in generation.query.state.items():
                yield Figure("state_bytes", size, flow, number, label=where)
        written = ends.get((flow, number), {})
        for name, topic in generation.topics.items():
            # A changelog has one partition and no transactions: its end is the rows it was given.
            if topic in written:
                yield Figure("rows_written", written[topic]["0"], flow, number, label=name)


def of_ledger(flow: str, ledger: Ledger, running: Collection[int]) -> Iterator[Figure]:
    """Yield what the receipts say of a flow: its live generation, their states, its last swap."""
    live = ledger.live(flow)
    if live is not None:
        yield Figure("live_generation", live, flow)
    lives = ledger.lives(flow)
    for number in running:
        if number in lives:
            yield Figure("generation_state", 1, flow, number, label=lives[number].state)
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
