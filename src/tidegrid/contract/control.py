"""Control: what becomes of a message on the control topic.

Everything here is pure: from a request and what is known, to a decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tidegrid.contract.declaration import clashes
from tidegrid.contract.declaration.files import with_topics
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.messages import (
    Apply,
    Refuse,
    Remove,
    Request,
    Rollback,
    Swap,
    parse,
    to_json,
)
from tidegrid.contract.receipts import Ledger, Offsets, Receipt, flow_of
from tidegrid.contract.topics import COPIES, not_a_source
from tidegrid.contract.views import Layout

#: The consumer group whose one member is the pipeline that acts on messages.
GROUP = "tidegrid-pipeline"
#: Those whose members are the pipelines of a pair, by the copy that each writes.
GROUPS_OF_PAIR = {copy: f"{GROUP}-{copy}" for copy in COPIES}
#: The one whose one member is the tables process that writes receipts.
GROUP_OF_TABLES = "tidegrid-tables"
NO_CHANGE = "nothing changes: the newest generation is like that already"


@dataclass(frozen=True)
class Build:
    """A generation: the document of its flow, and what counts instead of what that says."""

    document: dict[str, Any]
    sources: dict[str, str]
    join: str
    starting: str = "earliest"
    force: bool = False

    @property
    def resolved(self) -> dict[str, Any]:
        """The document with these topics and this join in it."""
        return with_topics(self.document, self.sources, self.join)

    def is_like(self, other: Build | None) -> bool:
        """Whether another would look the same; the order of columns and tables counts."""
        return other is not None and _text(self) == _text(other)


@dataclass(frozen=True)
class Known:
    """What a decision about a flow depends on."""

    #: The generation that is live or, if one is being built, that.
    newest: Build | None = None
    #: What the flow is declared as where nothing of it runs.
    document: dict[str, Any] = field(default_factory=dict)
    #: The generation that lingers, which a rollback goes back to.
    lingering: int | None = None
    building: bool = False
    #: The other flows that run.
    others: tuple[Flow, ...] = ()


@dataclass(frozen=True)
class GoBack:
    """Make a generation that lingers the live one again."""

    generation: int


@dataclass(frozen=True)
class Skip:
    """Do nothing: all is as the message wants it."""


@dataclass(frozen=True)
class Unused:
    """How many of the newest records of a topic cannot be used, and why, most often."""

    records: int
    rejects: int
    reason: str


Decision = Build | GoBack | Remove | Skip | Refuse


def decide(request: Request, known: Known, existing: Collection[str]) -> Decision:
    """Return what to do about a request; `existing` are the broker's topics."""
    if isinstance(request, Rollback):
        if known.building:
            return Refuse("a newer generation is being built; wait for it, then roll back")
        if known.lingering is None:
            return Refuse("nothing to roll back to: no earlier generation lingers")
        return GoBack(known.lingering)
    if isinstance(request, Remove):
        if known.newest is None:
            return Refuse(
                "nothing of it runs; take its file away, or its name into flows.off, if it is not "
                "to run later either"
            )
        return request
    before = known.newest.sources if known.newest is not None else {}
    if isinstance(request, Apply):
        named = {s: t for s, t in request.declared.topics.items() if t}
        document, join = request.document, request.declared.join
        if problems := clashes([*known.others, request.declared]):
            return Refuse("\n".join(map(str, problems)))
    else:
        named = request.sources
        document = known.newest.document if known.newest is not None else known.document
        if not document:
            # It was to be made by a message before this one, which was refused.
            return Refuse(f"there is no flow {request.flow} here")
        join = request.join or (
            known.newest.join if known.newest is not None else join_of(document)
        )
    sources = {**before, **named}
    for source in document["sources"]:
        if source not in sources:
            return Refuse(f"{source}Topic is not named, and there is no generation to take it from")
    sources = {source: sources[source] for source in document["sources"]}
    wanted = Build(document, sources, join, request.starting, request.force)
    if wanted.is_like(known.newest):
        return Skip()
    return _unusable(named, sources, existing) or wanted


def flows_of(ledger: Ledger) -> dict[str, Flow]:
    """Return the flows that run, each as its newest generation has it."""
    births = {flow: ledger.newest(flow) for flow in ledger.flows}
    return {f: flow_of(b) for f, b in births.items() if b is not None and b.of_this_version}


def known(ledger: Ledger, flow: str, document: Mapping[str, Any]) -> Known:
    """Return what the receipts tell about a flow; `document` is its file's, where nothing runs."""
    birth, lives = ledger.newest(flow), ledger.lives(flow)
    lingering = [g for g, life in lives.items() if life.state == "lingering"]
    return Known(
        asked(birth) if birth is not None and birth.declaration else None,
        dict(document),
        lingering[-1] if lingering else None,
        building=ledger.pending(flow) is not None,
        others=tuple(f for name, f in flows_of(ledger).items() if name != flow),
    )


def asked(birth: Receipt) -> Build:
    """Return what a generation was begun as."""
    return Build(birth.declaration, birth.sources, birth.join, birth.starting, birth.force)


def problem(message: Mapping[str, Any], flows: Mapping[str, Flow], ledger: Ledger) -> str:
    """Return why there is no use in sending a message; nothing if there is."""
    request = parse(to_json(message).encode(), flows)
    if isinstance(request, Refuse):
        return request.reason
    if ledger.live(request.flow) is None or ledger.pending(request.flow) is not None:
        return ""
    now = known(ledger, request.flow, {})
    if isinstance(request, Swap | Apply) and now.newest is not None:
        named = request.sources if isinstance(request, Swap) else request.declared.topics
        every = {*now.newest.sources.values(), *named.values()}
        if isinstance(decide(request, now, every), Skip):
            return NO_CHANGE
    return ""


def guard(step: Receipt, layout: Layout, ratio: float) -> str:
    """Return why a flip would empty the screens too much, or nothing if it would not."""
    # Event lists have a fixed size, so their row count says nothing about the data.
    measured = {v.name for v in layout.views if not v.is_list}
    for view, rows in step.before.items():
        if view in measured and step.rows.get(view, 0) < ratio * rows:
            return (
                f"guard: {view} would go from {rows} rows to {step.rows.get(view, 0)}, "
                f"and guard.min_rows_ratio is {ratio}"
            )
    return ""


def newest_unused(
    start: Offsets, seen: Offsets, rejects: Iterable[tuple[str, int, int, str]], keep: int
) -> dict[str, Unused]:
    """Return what became of the newest `keep` records of each partition, as far as they have come.

    `rejects` are topic, partition, offset and kind of reason. A list of them has the newest of each
    slot, however long ago that was: older ones are not counted.
    """
    newest = {
        topic: {p: seen.get(topic, {}).get(p, first - 1) for p, first in places.items()}
        for topic, places in start.items()
    }
    kinds: dict[str, Counter[str]] = {topic: Counter() for topic in start}
    for topic, partition, offset, kind in rejects:
        # A partition may have been added since.
        last = newest.get(topic, {}).get(str(partition))
        if last is not None and offset > last - keep:
            kinds[topic][kind] += 1
    return {
        topic: Unused(
            sum(min(newest[topic][p] + 1 - first, keep) for p, first in places.items()),
            kinds[topic].total(),
            next((kind for kind, _ in kinds[topic].most_common(1)), ""),
        )
        for topic, places in start.items()
    }


def guard_rejects(unused: Mapping[str, Unused], ratio: float) -> str:
    """Return why records that mostly cannot be used must not take over, or nothing if they may.

    `unused` says of each source topic what became of its newest records; an empty one is no reason.
    """
    for topic, found in unused.items():
        if found.records and found.rejects > ratio * found.records:
            return (
                f"guard: {found.rejects:,} of the newest {found.records:,} records of {topic} "
                f"cannot be used, most often since: {found.reason}; guard.max_reject_ratio is "
                f"{ratio}, and a message with force takes over all the same"
            )
    return ""


def _unusable(
    named: Mapping[str, str], sources: Mapping[str, str], existing: Collection[str]
) -> Refuse | None:
    for topic in named.values():
        if reason := not_a_source(topic, existing):
            return Refuse(reason)
    if missing := sorted(set(sources.values()) - set(existing)):
        return Refuse(f"topic {missing[0]} does not exist")
    if len(set(sources.values())) < len(sources):
        return Refuse("the same topic twice: each source needs a topic of its own")
    return None


def join_of(document: Mapping[str, Any]) -> str:
    """Return how the joins of a checked document join, which are all alike; empty without any."""
    views = document["views"].values()
    return next((str(v.get("how", "left")) for v in views if "join" in v), "")


def _text(build: Build) -> bytes:
    return msgspec.json.encode((build.resolved, build.starting))
