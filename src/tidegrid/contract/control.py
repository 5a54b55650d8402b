"""Control: what a message on the control topic asks for, and what becomes of it.

Everything here is pure: from the bytes of a message and what is known, to a decision. A message
that cannot be used is refused with a reason, whatever its bytes are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.contract.topics import PREFIX
from tidegrid.contract.views import Flow

TOPIC = "tidegrid.control"
#: The consumer group whose one member is the pipeline that acts on messages.
GROUP = "tidegrid-pipeline"
TOPIC_CONFIG = {"cleanup.policy": "delete", "retention.ms": "604800000"}
MAX_BYTES = 65536
NO_CHANGE = "nothing changes: the newest generation is like that already"

Join = Literal["left", "inner"]
#: The source that each field of a message names, and the flow it belongs to.
SOURCES = {
    "usersTopic": ("customers", "users"),
    "accountsTopic": ("customers", "accounts"),
    "positionsTopic": ("positions", "positions"),
}
_OTHERS = {"joinType", "startingOffsets", "action", "flow"}
_TOPIC_NAME = re.compile(r"[A-Za-z0-9._-]{1,249}\Z")


@dataclass(frozen=True)
class Swap:
    """Change some sources of a flow, or how they are joined."""

    flow: str
    sources: dict[str, str]
    join: str = ""
    starting: str = "earliest"


@dataclass(frozen=True)
class Rollback:
    """Go back to the generation that was live before."""

    flow: str


@dataclass(frozen=True)
class Known:
    """What a decision about a flow depends on."""

    #: Sources, join and start of the generation that is live or, if one is being built, of that.
    sources: dict[str, str] = field(default_factory=dict)
    join: str = "left"
    starting: str = "earliest"
    #: The generation that lingers, which a rollback goes back to.
    lingering: int | None = None
    building: bool = False


@dataclass(frozen=True)
class Build:
    """Start a generation."""

    sources: dict[str, str]
    join: str
    starting: str


@dataclass(frozen=True)
class GoBack:
    """Make a generation that lingers the live one again."""

    generation: int


@dataclass(frozen=True)
class Skip:
    """Do nothing: all is as the message wants it."""


@dataclass(frozen=True)
class Refuse:
    """Do nothing, and say why."""

    reason: str


Decision = Build | GoBack | Skip | Refuse


def parse(value: bytes | None) -> Swap | Rollback | Refuse:
    """Read a message."""
    if not value:
        return Refuse("empty message")
    if len(value) > MAX_BYTES:
        return Refuse(f"message of {len(value)} bytes, at most {MAX_BYTES} are read")
    try:
        message: Any = json.loads(value.decode("utf-8"))
    except RecursionError:
        return Refuse("not JSON that can be read: nested too deep")
    except ValueError:
        return Refuse("not JSON")
    if not isinstance(message, dict):
        return Refuse("not a JSON object")
    if not message:
        return Refuse("an empty object: it names no topic, no joinType and no action")
    unknown = sorted(set(message) - set(SOURCES) - _OTHERS)
    if unknown:
        allowed = ", ".join([*SOURCES, *sorted(_OTHERS)])
        return Refuse(f"unknown field {shown(unknown[0])}; known are {allowed}")
    wrong = [name for name, text in message.items() if not isinstance(text, str)]
    if wrong:
        return Refuse(f"{wrong[0]}: expected a text")
    return _rollback(message) if "action" in message else _swap(message)


def decide(
    request: Swap | Rollback, known: Known, existing: Collection[str], flows: Collection[str]
) -> Decision:
    """Return what to do about a request; `existing` are the broker's topics."""
    if request.flow not in flows:
        return Refuse(f"there is no flow {request.flow} here")
    if isinstance(request, Rollback):
        if known.building:
            return Refuse("a newer generation is being built; wait for it, then roll back")
        if known.lingering is None:
            return Refuse("nothing to roll back to: no earlier generation lingers")
        return GoBack(known.lingering)
    sources = {**known.sources, **request.sources}
    for name, (flow, source) in SOURCES.items():
        if flow == request.flow and source not in sources:
            return Refuse(f"{name} is not named, and there is no generation to take it from")
    join = request.join or known.join
    if (sources, join, request.starting) == (known.sources, known.join, known.starting):
        return Skip()
    for topic in request.sources.values():
        problem = not_a_source(topic, existing)
        if problem:
            return Refuse(problem)
    missing = sorted(set(sources.values()) - set(existing))
    if missing:
        return Refuse(f"topic {missing[0]} does not exist")
    if len(set(sources.values())) < len(sources):
        return Refuse("the same topic twice: each source needs a topic of its own")
    return Build(sources, join, request.starting)


def problem(fields: Mapping[str, str], ledger: Ledger) -> str:
    """Return why there is no use in sending a message with these fields; nothing if there is."""
    request = parse(to_json(fields).encode())
    if isinstance(request, Refuse):
        return request.reason
    live = ledger.live(request.flow)
    if isinstance(request, Rollback) or live is None or ledger.coming(request.flow) is not None:
        return ""
    birth = ledger.lives(request.flow)[live].birth
    known = Known(birth.sources, birth.join, birth.starting)
    every = {*birth.sources.values(), *request.sources.values()}
    if isinstance(decide(request, known, every, {request.flow}), Skip):
        return NO_CHANGE
    return ""


def guard(step: Receipt, flow: Flow, ratio: float) -> str:
    """Return why a flip would empty the screens too much, or nothing if it would not."""
    # What has slots is as long as what came last, not as what there is.
    lists = {v.name for v in flow.views if {"slot", "ring"} & set(v.key)}
    for view, rows in step.before.items():
        if view not in lists and step.rows.get(view, 0) < ratio * rows:
            return (
                f"guard: {view} would go from {rows} rows to {step.rows.get(view, 0)}, "
                f"and guard.min_rows_ratio is {ratio}"
            )
    return ""


def start_time(starting: str) -> int | None:
    """Return the epoch milliseconds of a start that is a time; None for any other."""
    try:
        at = datetime.fromisoformat(starting)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return int(at.timestamp() * 1000)


def to_json(fields: Mapping[str, str]) -> str:
    """Return a message with these fields."""
    return json.dumps(dict(fields), separators=(",", ":"))


def _rollback(message: dict[str, str]) -> Rollback | Refuse:
    if message["action"] != "rollback":
        return Refuse(f"unknown action {shown(message['action'])}; known is rollback")
    more = sorted(set(message) - {"action", "flow"})
    if more:
        return Refuse(f"a rollback takes no {more[0]}")
    if "flow" not in message:
        return Refuse("a rollback names its flow")
    return Rollback(message["flow"])


def _swap(message: dict[str, str]) -> Swap | Refuse:
    named = {name: topic for name, topic in message.items() if name in SOURCES}
    flows = {SOURCES[name][0] for name in named}
    if len(flows) > 1:
        return Refuse("topics of two flows in one message: send one for each")
    flow = next(iter(flows), message.get("flow", "customers"))
    if message.get("flow", flow) != flow:
        return Refuse(f"the topics are of flow {flow}, not {shown(message['flow'])}")
    if "joinType" in message and flow != "customers":
        return Refuse(f"flow {flow} has no joinType")
    if not named and "joinType" not in message:
        return Refuse("it names no topic and no joinType")
    for name, topic in named.items():
        if not _TOPIC_NAME.match(topic) or topic in (".", ".."):
            return Refuse(f"{name}: {shown(topic)} is no legal topic name")
    join = message.get("joinType", "")
    if "joinType" in message and join not in get_args(Join):
        return Refuse(f"unknown joinType {shown(join)}; known are left and inner")
    starting = message.get("startingOffsets", "earliest")
    if starting not in ("earliest", "latest") and start_time(starting) is None:
        return Refuse(
            f"startingOffsets: {shown(starting)} is neither earliest, latest nor an ISO time"
        )
    return Swap(flow, {SOURCES[n][1]: topic for n, topic in named.items()}, join, starting)


def not_a_source(topic: str, existing: Collection[str]) -> str:
    """Return why a topic cannot be a source, or nothing if it can."""
    if topic.startswith(PREFIX):
        return f"{topic} is one of Tidegrid's own topics"
    if topic.startswith("__"):
        return f"{topic} is an internal topic of Kafka"
    return "" if topic in existing else f"topic {topic} does not exist"


def shown(text: str) -> str:
    """Return a text that came from outside, cut short and in plain letters."""
    short = text if len(text) <= 60 else text[:60] + "..."
    return ascii(short)
