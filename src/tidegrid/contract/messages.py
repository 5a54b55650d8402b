"""Messages: what a record on the control topic asks for.

A message that cannot be used is refused with a reason, whatever its bytes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, get_args

import msgspec

from tidegrid.contract import declaration, topics
from tidegrid.contract.declaration import DeclarationError
from tidegrid.contract.declaration.types import Flow, How

#: How large a message may be, and one with a whole declaration.
MAX_BYTES, MAX_APPLY_BYTES = 65536, 524288
_TEXTS = ("joinType", "startingOffsets", "action", "flow", "remove")
_OBJECTS = ("topics", "apply")
_FORCE = "force"


@dataclass(frozen=True)
class Swap:
    """Change some sources of a flow, or how they are joined."""

    flow: str
    sources: dict[str, str]
    join: str = ""
    starting: str = "earliest"
    #: Whether it takes over whatever the guard says.
    force: bool = False


@dataclass(frozen=True)
class Apply:
    """Run a flow by this declaration, whether there is one of its name or not."""

    flow: str
    document: dict[str, Any]
    declared: Flow
    starting: str = "earliest"
    force: bool = False


@dataclass(frozen=True)
class Remove:
    """Take a flow away."""

    flow: str


@dataclass(frozen=True)
class Rollback:
    """Go back to the generation that was live before."""

    flow: str


@dataclass(frozen=True)
class Refuse:
    """Do nothing, and say why."""

    reason: str


Request = Swap | Apply | Remove | Rollback


def parse(value: bytes | None, flows: Mapping[str, Flow]) -> Request | Refuse:
    """Read a message; `flows` are those that are known, by their names."""
    if not value:
        return Refuse("empty message")
    if len(value) > MAX_APPLY_BYTES:
        return _too_large(value, MAX_APPLY_BYTES)
    try:
        message: Any = msgspec.json.decode(value)
    except RecursionError:
        return Refuse("not JSON that can be read: nested too deep")
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Refuse("not JSON")
    if not isinstance(message, dict):
        return Refuse("not a JSON object")
    if not message:
        return Refuse("an empty object: it names no topic, no joinType and no action")
    if "apply" not in message and len(value) > MAX_BYTES:
        return _too_large(value, MAX_BYTES)
    return _read(message, flows)


def start_time(starting: str) -> int | None:
    """Return the epoch milliseconds of a start that is a time; None for any other."""
    try:
        at = datetime.fromisoformat(starting)
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return int(at.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def to_json(message: Mapping[str, Any]) -> str:
    """Return a message with these fields."""
    return msgspec.json.encode(message).decode()


def shown(text: str) -> str:
    """Return a text that came from outside, cut short and in plain letters."""
    short = text if len(text) <= 60 else text[:60] + "..."
    return ascii(short)


def _too_large(value: bytes, most: int) -> Refuse:
    return Refuse(f"message of {len(value)} bytes, at most {most} are read")


def _read(message: dict[str, Any], flows: Mapping[str, Flow]) -> Request | Refuse:
    of_sources = list(dict.fromkeys(f"{s}Topic" for flow in flows.values() for s in flow.sources))
    known = (*of_sources, *_TEXTS, *_OBJECTS, _FORCE)
    kinds = {**dict.fromkeys(_OBJECTS, (dict, "an object")), _FORCE: (bool, "true or false")}
    for name, held in message.items():
        if name not in known:
            return Refuse(f"unknown field {shown(name)}; known are {', '.join(known)}")
        kind, words = kinds.get(name, (str, "a text"))
        if not isinstance(held, kind):
            return Refuse(f"{name}: expected {words}")
    starting = message.get("startingOffsets", "earliest")
    if starting not in ("earliest", "latest") and start_time(starting) is None:
        return Refuse(
            f"startingOffsets: {shown(starting)} is neither earliest, latest nor an ISO time"
        )
    flow = message.get("remove", message.get("flow"))
    if "apply" not in message and flow is not None and flow not in flows:
        return Refuse(f"there is no flow {shown(flow)} here; there {_are(flows)}")
    if "apply" in message:
        return _surplus(message, "an apply", "apply", "startingOffsets", _FORCE) or _apply(
            message["apply"], starting, force=message.get(_FORCE, False)
        )
    if "remove" in message:
        return _surplus(message, "a remove", "remove") or Remove(message["remove"])
    if "action" in message:
        return _rollback(message)
    return _swap(message, flows, starting)


def _surplus(message: Mapping[str, Any], what: str, *taken: str) -> Refuse | None:
    more = [name for name in message if name not in taken]
    return Refuse(f"{what} takes no {more[0]}") if more else None


def _apply(given: dict[str, Any], starting: str, *, force: bool) -> Apply | Refuse:
    name = given.get("name")
    if not isinstance(name, str):
        return Refuse("apply: it has no name: the flow it declares is called by it")
    document = {key: held for key, held in given.items() if key != "name"}
    try:
        return Apply(name, document, declaration.parse(document, name), starting, force)
    except DeclarationError as e:
        return Refuse(str(e))


def _rollback(message: dict[str, Any]) -> Rollback | Refuse:
    if message["action"] != "rollback":
        return Refuse(f"unknown action {shown(message['action'])}; known is rollback")
    if "flow" not in message:
        return Refuse("a rollback names its flow")
    return _surplus(message, "a rollback", "action", "flow") or Rollback(message["flow"])


def _swap(message: dict[str, Any], flows: Mapping[str, Flow], starting: str) -> Swap | Refuse:
    named = {f: t for f, t in message.items() if f not in (*_TEXTS, *_OBJECTS, _FORCE)}
    sources = {field.removesuffix("Topic"): topic for field, topic in named.items()}
    for source, topic in message.get("topics", {}).items():
        if not isinstance(topic, str):
            return Refuse(f"topics.{shown(source)}: expected a text")
        if sources.setdefault(source, topic) != topic:
            return Refuse(f"two topics for {shown(source)}: name one")
        named[f"topics.{source}"] = topic
    if not sources and "joinType" not in message:
        return Refuse("it names no topic and no joinType")
    flow = _flow_of(message, sources, flows)
    if isinstance(flow, Refuse):
        return flow
    for field, topic in named.items():
        if not topics.is_legal(topic):
            return Refuse(f"{field}: {shown(topic)} is no legal topic name")
    join = message.get("joinType", "")
    if "joinType" in message and not flow.join:
        return Refuse(f"flow {flow.name} has no joinType")
    if "joinType" in message and join not in get_args(How):
        return Refuse(f"unknown joinType {shown(join)}; known are left and inner")
    return Swap(flow.name, sources, join, starting, message.get(_FORCE, False))


def _flow_of(
    message: Mapping[str, Any], sources: Mapping[str, str], flows: Mapping[str, Flow]
) -> Flow | Refuse:
    """Return the flow that a swap is for: the one it names, or the only one it can be."""
    homes = {s: [f.name for f in flows.values() if s in f.sources] for s in sources}
    if "flow" in message:
        flow = flows[message["flow"]]
        for source, home in homes.items():
            if source not in flow.sources and home:
                return Refuse(f"the topics are of flow {home[0]}, not {flow.name}")
            if source not in flow.sources:
                there = ", ".join(flow.sources)
                return Refuse(f"flow {flow.name} has no source {shown(source)}; it has {there}")
        return flow
    if unknown := [source for source, home in homes.items() if not home]:
        return Refuse(f"no flow has a source {shown(unknown[0])}")
    fitting = [f for f in flows.values() if all(s in f.sources for s in sources)]
    if sources and not fitting:
        return Refuse("topics of two flows in one message: send one for each")
    if not sources:
        fitting = [f for f in fitting if f.join]
    if len(fitting) == 1:
        return fitting[0]
    what = "joinType" if not sources else " and ".join(sources)
    if not fitting:
        return Refuse(f"no flow has a {what}")
    names = ", ".join(f.name for f in fitting)
    return Refuse(f'several flows have {what}: name one of them, as "flow": {names}')


def _are(names: Iterable[str]) -> str:
    return f"are {', '.join(names)}" if names else "is none"
