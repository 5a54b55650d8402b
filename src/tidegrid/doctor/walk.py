"""The walk: every check, in the order in which a message meets what they look at."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from tidegrid import kafka
from tidegrid.contract.topics import OWN
from tidegrid.doctor import flows, login, machine, network, parts, provider, sample, tls, topics
from tidegrid.doctor.claims import Claims
from tidegrid.doctor.findings import Answer, Finding, Problem, Steps
from tidegrid.doctor.flows import Declared
from tidegrid.doctor.network import Place
from tidegrid.doctor.wire import Listener
from tidegrid.kafka.connection import Connection
from tidegrid.settings import Secret, Settings


def walk(
    settings: Settings,
    key: Secret | None,
    tell: Callable[[Finding], None],
    busy: Callable[[str], None],
) -> bool:
    """Make every check, tell each finding as soon as it is known, and say whether none failed.

    `key` is the page's, if it is known here; `busy` is told what takes long.
    """
    steps = Steps(tell, busy)
    machine.check(steps, settings)
    door, listener = _door(steps, settings.connection)
    logged_in = _login(steps, settings.connection, door, listener)
    steps.take(
        "brokers",
        "connecting to every broker",
        lambda: _brokers(settings.connection),
        after=[logged_in],
    )
    declared = flows.declared(settings)
    partitions = _sources(steps, settings, declared, logged_in)
    _rights(steps, settings, declared, logged_in)
    steps.take("spark", "connecting to the master", lambda: parts.spark(settings.pipeline.master))
    topics_of = [f"topic {t}" for d in declared for t in d.flow.topics.values()]
    steps.take(
        "slots",
        "counting",
        lambda: parts.slots(settings, partitions),
        after=["spark", logged_in, *topics_of],
    )
    steps.take("deephaven", f"asking for {settings.url}", lambda: parts.page(settings))
    steps.take(
        "deephaven login",
        "logging in with the key",
        lambda: parts.log_in(settings, key),
        after=["deephaven"],
    )
    return steps.well


def _door(steps: Steps, connection: Connection) -> tuple[str, Listener]:
    """Go up to the brokers; return the check that a login stands on, and what a listener said."""
    checks: dict[str, Listener | None] = {}
    for place in network.places(connection.bootstrap, "kafka.bootstrap"):
        check = f"tls {place}"
        checks[check] = steps.take(
            check,
            "shaking hands",
            partial(tls.broker, place, connection.encrypted, connection.kafka.ca),
            after=[network.reach(steps, place)],
        )
    # One address that works is enough for a client.
    for check, listener in checks.items():
        if listener is not None:
            return check, listener
    return next(iter(checks)), Listener(None)


def _login(steps: Steps, connection: Connection, door: str, listener: Listener) -> str:
    """Log in, with a token if the profile has one; return the name of the last check."""
    after, claims = [door], None
    if connection.kafka.profile == "oauth":
        claims = _token(steps, connection)
        after.append("token")
    steps.take(
        "login",
        "logging in at the broker",
        lambda: login.log_in(connection, listener, claims),
        after=after,
    )
    return "login"


def _token(steps: Steps, connection: Connection) -> Claims | None:
    url, ca = connection.kafka.token_url, connection.kafka.ca
    way = "token endpoint"
    place = steps.take(way, "reading the setting", lambda: provider.place(url))
    if place is not None:
        way = network.reach(steps, place)
        if url.startswith("https:"):
            check = f"tls {place}"
            steps.take(check, "shaking hands", lambda: tls.endpoint(place, ca), after=[way])
            way = check
    return steps.take(
        "token",
        f"asking {url}",
        lambda: provider.judge(provider.fetch(connection), connection, time.time()),
        after=[way],
    )


def _brokers(connection: Connection) -> Answer[None]:
    """Look at every broker where it says it is: clients go there, not to the bootstrap address."""
    found = kafka.admin(connection).list_topics(timeout=10).brokers.values()
    for broker in found:
        place = Place(str(broker.host), int(broker.port), "the broker's advertised.listeners")
        try:
            network.resolve(place)
            with network.connected(place):
                pass
        except Problem as e:
            raise Problem(
                f"broker {broker.id} says it is at {place}: {e.detail}",
                "it must advertise an address that this machine can reach; see the broker's "
                "advertised.listeners",
            ) from e
    names = ", ".join(f"{b.host}:{b.port}" for b in found)
    return Answer(f"{len(found)} can be reached: {names}", None)


def _sources(
    steps: Steps, settings: Settings, declared: Sequence[Declared], logged_in: str
) -> dict[str, int]:
    """Look at every source and its newest records; return the partitions of each flow."""
    found = {d.flow.name: 0 for d in declared}
    for of in declared:
        for name, topic in of.flow.topics.items():
            check = f"topic {topic}"
            count = steps.take(
                check,
                "asking for the topic",
                partial(topics.source, settings.connection, topic, of.place(name, "topic")),
                after=[logged_in],
            )
            steps.take(
                f"sample {topic}",
                "reading the newest records",
                partial(sample.look, settings, of, name),
                after=[check],
            )
            found[of.flow.name] += count or 0
    return found


def _rights(steps: Steps, settings: Settings, declared: Sequence[Declared], logged_in: str) -> None:
    connection = settings.connection
    for topic in OWN:
        steps.take(
            f"topic {topic}",
            "asking for the topic",
            partial(topics.own, connection, topic),
            after=[logged_in],
        )
    steps.take(
        "changelogs",
        "asking whether topics may be made",
        lambda: topics.changelogs(connection, declared),
        after=[logged_in],
    )
    steps.take(
        "group",
        "asking for the group",
        lambda: topics.groups(connection, pair=settings.pipeline.pair),
        after=[logged_in],
    )
