"""Swaps: what control messages ask of one flow, done or refused, with a receipt for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tidegrid import logs
from tidegrid.contract import control, topics
from tidegrid.contract.control import Build, GoBack
from tidegrid.contract.declaration import DeclarationError
from tidegrid.contract.messages import Apply, Refuse, Remove, Request, Swap
from tidegrid.contract.receipts import Receipt, now
from tidegrid.errors import KafkaError, PipelineError
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.pipeline.due import REMOVED
from tidegrid.pipeline.generations import Generations, held
from tidegrid.pipeline.slots import Engine

_log = logs.get("pipeline")

#: Letters of a reason that are kept: a declaration may have very many problems.
_MOST_LETTERS = 20_000


def superseded(requests: Sequence[tuple[int, Request | Refuse]]) -> dict[int, int]:
    """Return which messages of a burst another one stands for: of each flow the last one wins.

    A swap changes some of a flow only, so it does not stand for a declaration before it.
    """
    found: dict[int, int] = {}
    for place, (offset, request) in enumerate(requests):
        if isinstance(request, Swap | Apply):
            winning = Swap | Apply | Remove if isinstance(request, Swap) else Apply | Remove
            later = [o for o, r in requests[place + 1 :] if _is(r, winning, request.flow)]
            if later:
                found[offset] = later[-1]
    return found


def act(
    generations: Generations,
    engine: Engine,
    offset: int,
    request: Request,
    document: Mapping[str, Any],
    existing: Collection[str],
    free_slots: int,
) -> bool:
    """Act on a control message; true if it changed what the flow is."""
    flow, ledger = generations.flow, generations.ledger
    decision = control.decide(request, control.known(ledger, flow, document), existing)
    if isinstance(decision, Build):
        return _swap(generations, engine, offset, decision, free_slots)
    if isinstance(decision, Remove):
        for number in generations.numbers():
            generations.end(number, "closed", f"{REMOVED} {offset}", offset)
        return True
    if isinstance(decision, GoBack):
        # The tables flip to a generation that has caught up, and say `live`.
        generations.log(decision.generation, f"going back to it, as message {offset} asks")
        generations.step(decision.generation, "caught-up", offset=offset)
        return False
    # With a receipt, so that it is not read again when more has happened.
    reason = decision.reason if isinstance(decision, Refuse) else control.NO_CHANGE
    refuse(generations.receipts, flow, offset, reason)
    return False


def refuse(receipt_log: ReceiptLog, flow: str, offset: int, reason: str) -> None:
    """Say why a control message is not followed."""
    place: dict[str, object] = {"topic": topics.CONTROL, "partition": 0, "offset": offset}
    told = reason[:_MOST_LETTERS]
    _log.warning(
        "control message %d refused: %s",
        offset,
        " | ".join(told.splitlines()),
        extra={"flow": flow, **place} if flow else place,
    )
    receipt_log.write(Receipt(flow, 0, "refused", now(), control=offset, reason=told))


def _swap(
    generations: Generations, engine: Engine, offset: int, wanted: Build, free_slots: int
) -> bool:
    flow, ledger = generations.flow, generations.ledger
    lives = ledger.lives(flow).items()
    making_way = {n: life for n, life in lives if life.state == "lingering" or life.pending}
    running = generations.running
    stopping = [
        *(running[n] for n in making_way if n in running),
        *generations.removals.stopping,
    ]
    try:
        generation = generations.draft(engine.spark, wanted, offset)
        demand, room = generation.demand.slots, free_slots + held(stopping)
        if demand > room:
            raise PipelineError(
                f"these topics need {demand} task slots beside the live ones, and Spark has "
                f"{room} left: give it more cores, or name topics with fewer partitions"
            )
        # Before anything makes way for it.
        generation.make_topics()
    except (DeclarationError, KafkaError, PipelineError) as e:
        refuse(generations.receipts, flow, offset, str(e))
        return False
    for number, life in making_way.items():
        if life.pending:
            generations.end(number, "refused", f"superseded by message {offset}")
        else:
            generations.end(number, "closed", "a newer swap came")
    if demand > free_slots:
        for one in stopping:
            one.stop()
    generations.begin(engine, generation)
    return True


def _is(request: Request | Refuse, kinds: Any, flow: str) -> bool:
    return isinstance(request, kinds) and request.flow == flow
