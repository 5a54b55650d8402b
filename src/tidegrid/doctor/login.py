"""The login at the broker: what it takes, and what is wrong with what it is given."""

from __future__ import annotations

import re
import time

from tidegrid import kafka
from tidegrid.doctor.claims import Claims
from tidegrid.doctor.findings import Answer, Problem, shown
from tidegrid.doctor.wire import Listener
from tidegrid.errors import KafkaError
from tidegrid.kafka.connection import ID_VARIABLE, SECRET_VARIABLE, Connection

#: Seconds to wait for a broker, and between two looks at whether it refused.
_TIMEOUT, _LOOK_EVERY = 10.0, 1.5
_NO_ANSWER = "see the log of the broker: it takes connections and does not answer"
_PROFILES = {
    "PLAIN": 'kafka.profile = "sasl_plain"',
    "SCRAM-SHA-256": 'kafka.profile = "scram" with kafka.scram_mechanism = "SCRAM-SHA-256"',
    "SCRAM-SHA-512": 'kafka.profile = "scram"',
    "OAUTHBEARER": 'kafka.profile = "oauth"',
}


def log_in(connection: Connection, listener: Listener, claims: Claims | None) -> Answer[str]:
    """Log in, and return the id of the cluster."""
    fits(connection, listener)
    cluster = _cluster(connection, claims)
    if not connection.mechanism:
        return Answer(f"cluster {cluster}, where nobody logs in", cluster)
    who = f"as {connection.kafka.client_id} ({connection.mechanism})"
    return Answer(f"cluster {cluster}, {who}", cluster)


def _cluster(connection: Connection, claims: Claims | None) -> str:
    deadline = time.monotonic() + _TIMEOUT
    while True:
        try:
            return kafka.cluster_id(connection, _LOOK_EVERY)
        except KafkaError as e:
            # A client would go on trying, whatever the broker said.
            said = kafka.refusal(connection)
            if said:
                raise refused(connection, plainly(said, connection.secret), claims) from e
            if time.monotonic() > deadline:
                raise Problem(shown(str(e), 300, connection.secret), _NO_ANSWER) from e


def fits(connection: Connection, listener: Listener) -> None:
    """Fail if a listener does not take the login of the profile."""
    taken, ours = listener.mechanisms, connection.mechanism
    if taken is None or ours in taken or not (ours or taken):
        return
    if not taken:
        carrier = ' and kafka.tls = "on"' if connection.encrypted else ""
        raise Problem(
            f"the broker takes no login there, and profile {connection.kafka.profile} has one",
            f'set kafka.profile = "plaintext"{carrier}, or name the port of a listener with a '
            "login in kafka.bootstrap",
        )
    ways = [_PROFILES[name] for name in taken if name in _PROFILES]
    raise Problem(
        f"the broker takes {', '.join(taken)} there, and profile {connection.kafka.profile} "
        f"{f'is {ours}' if ours else 'has no login'}",
        f"set {' or '.join(ways)}" if ways else "use a listener that takes one of our profiles",
    )


def plainly(said: str, secret: str) -> str:
    """Return what librdkafka says of a login, without where and how long it took."""
    short = re.sub(r" \(after \d+ms in state \w+\)", "", re.sub(r"\A\w+://\S+: ", "", said))
    return shown(short, 300, secret)


def refused(connection: Connection, said: str, claims: Claims | None) -> Problem:
    """Say what may be wrong with a login that the broker takes and refuses."""
    kafka_settings = connection.kafka
    if kafka_settings.profile == "oauth":
        issuer, audience = (claims.issuer, claims.audience) if claims else ("", "")
        extensions = ", ".join(f"{k}={v}" for k, v in connection.extensions.items())
        return Problem(
            f"the broker refuses a token with aud {audience or 'none'} and iss {issuer or 'none'}"
            f"{f', sent with {shown(extensions, 100)}' if extensions else ''}: {said}",
            "the broker expects another audience or issuer, cannot get the provider's keys, or "
            "does not know the logical cluster or identity pool: compare them with its "
            "sasl.oauthbearer.expected.audience and .issuer, and set kafka.scope, "
            "kafka.logical_cluster or kafka.identity_pool accordingly",
        )
    if kafka_settings.profile in ("scram", "sasl_plain"):
        return Problem(
            f"the broker refuses user {kafka_settings.client_id} with that password: {said}",
            f"check {ID_VARIABLE} and {SECRET_VARIABLE}; the user must be known to the broker for "
            f"{connection.mechanism}",
        )
    return Problem(said, _NO_ANSWER)
