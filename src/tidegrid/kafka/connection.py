"""The connection to Kafka: one profile, and the properties each of our three clients takes from it.

Spark brings a Java client of Kafka 3.9, Deephaven one of 4.x, and everything else uses librdkafka.
They name things differently and log in by different code; here is the one place that knows.
Guarantees: the secret is in the properties and nowhere else; hostnames are verified wherever there
is TLS.
What callers get wrong: `java()`, `java4()` and `librdkafka()` hold the secret: they are for the
clients alone.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tidegrid.errors import SettingsError

ID_VARIABLE = "KAFKA_CLIENT_ID"
SECRET_VARIABLE = "KAFKA_CLIENT_SECRET"  # noqa: S105  - its name
#: The JVM property in which Kafka's Java client wants the token endpoints it may ask.
ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls"
#: Properties that may be given beyond the profile, as Java calls them, and as librdkafka does.
MORE: dict[str, str | None] = {
    "client.dns.lookup": "client.dns.lookup",
    "client.rack": "client.rack",
    "connections.max.idle.ms": "connections.max.idle.ms",
    "fetch.max.bytes": "fetch.max.bytes",
    "max.partition.fetch.bytes": "max.partition.fetch.bytes",
    "metadata.max.age.ms": "metadata.max.age.ms",
    "receive.buffer.bytes": "socket.receive.buffer.bytes",
    "reconnect.backoff.max.ms": "reconnect.backoff.max.ms",
    "reconnect.backoff.ms": "reconnect.backoff.ms",
    "request.timeout.ms": "socket.timeout.ms",
    "retry.backoff.ms": "retry.backoff.ms",
    "sasl.login.connect.timeout.ms": None,
    "sasl.login.read.timeout.ms": None,
    "sasl.login.refresh.window.factor": None,
    "send.buffer.bytes": "socket.send.buffer.bytes",
    "socket.connection.setup.timeout.ms": "socket.connection.setup.timeout.ms",
    "ssl.cipher.suites": "ssl.cipher.suites",
}
_TEXTS = {"client.dns.lookup", "client.rack", "ssl.cipher.suites"}
_MODULES = {
    "sasl_plain": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "scram": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "oauth": "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule",
}
_VALIDATOR = "org.apache.kafka.common.security.oauthbearer.ClientJwtValidator"
_LOGIN = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler"


class Secret(str):
    """A text that never shows itself: its `repr` is masked."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Secret(***)"


NO_SECRET = Secret("")


@dataclass(frozen=True)
class Kafka:
    """Where the topics are, and how to log in there."""

    bootstrap: str = "127.0.0.1:19092"
    profile: Literal["plaintext", "sasl_plain", "scram", "oauth"] = "plaintext"
    tls: Literal["auto", "on", "off"] = "auto"
    ca: str = ""
    client_id: str = ""
    scram_mechanism: Literal["SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    token_url: str = ""
    scope: str = ""
    sub_claim: str = "sub"
    logical_cluster: str = ""
    identity_pool: str = ""
    extensions: tuple[tuple[str, str], ...] = ()
    properties: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Connection:
    """A profile with its secret."""

    kafka: Kafka
    secret: Secret = NO_SECRET

    @property
    def bootstrap(self) -> str:
        """The brokers' addresses."""
        return self.kafka.bootstrap

    @property
    def encrypted(self) -> bool:
        """Whether the connection is TLS."""
        return self.kafka.tls == "on" or (
            self.kafka.tls == "auto" and self.kafka.profile != "plaintext"
        )

    @property
    def mechanism(self) -> str:
        """The SASL mechanism; empty when nobody logs in."""
        return {
            "plaintext": "",
            "sasl_plain": "PLAIN",
            "scram": self.kafka.scram_mechanism,
            "oauth": "OAUTHBEARER",
        }[self.kafka.profile]

    @property
    def protocol(self) -> str:
        """Kafka's name for how the connection is secured."""
        carrier = "SSL" if self.encrypted else "PLAINTEXT"
        return f"SASL_{carrier}" if self.mechanism else carrier

    @property
    def extensions(self) -> dict[str, str]:
        """What is sent along with a token."""
        named = {
            "logicalCluster": self.kafka.logical_cluster,
            "identityPoolId": self.kafka.identity_pool,
        }
        return {**{k: v for k, v in named.items() if v}, **dict(self.kafka.extensions)}

    def librdkafka(self) -> dict[str, Any]:
        """Return the properties for librdkafka, the secret among them."""
        kafka = self.kafka
        found: dict[str, Any] = {
            "bootstrap.servers": kafka.bootstrap,
            "security.protocol": self.protocol,
        }
        if self.encrypted and kafka.ca:
            found["ssl.ca.location"] = kafka.ca
        if self.mechanism:
            found["sasl.mechanism"] = self.mechanism
        if kafka.profile in ("sasl_plain", "scram"):
            found.update({"sasl.username": kafka.client_id, "sasl.password": str(self.secret)})
        if kafka.profile == "oauth":
            found.update(
                {
                    "sasl.oauthbearer.method": "oidc",
                    "sasl.oauthbearer.client.id": kafka.client_id,
                    "sasl.oauthbearer.client.secret": str(self.secret),
                    "sasl.oauthbearer.token.endpoint.url": kafka.token_url,
                    "sasl.oauthbearer.sub.claim.name": kafka.sub_claim,
                }
            )
            if kafka.scope:
                found["sasl.oauthbearer.scope"] = kafka.scope
            if self.extensions:
                pairs = (f"{k}={v}" for k, v in self.extensions.items())
                found["sasl.oauthbearer.extensions"] = ",".join(pairs)
            trusted = kafka.ca or _system_authorities()
            if kafka.token_url.startswith("https:") and trusted:
                found["https.ca.location"] = trusted
        for name, value in kafka.properties:
            theirs = MORE[name]
            if theirs is not None:
                found[theirs] = value
        return found

    def java4(self) -> dict[str, str]:
        """Return the properties for Kafka's Java client 4.x, the secret among them."""
        if self.kafka.profile != "oauth":
            return self.java()
        # The default could also do what a broker does, for which it wants a jar that is not there.
        return {"sasl.oauthbearer.jwt.validator.class": _VALIDATOR, **self.java()}

    def java(self) -> dict[str, str]:
        """Return the properties for Kafka's Java client 3.9, the secret among them."""
        kafka = self.kafka
        found = {"bootstrap.servers": kafka.bootstrap, "security.protocol": self.protocol}
        trust = {"ssl.truststore.type": "PEM", "ssl.truststore.location": kafka.ca}
        if self.encrypted:
            found["ssl.endpoint.identification.algorithm"] = "https"
            if kafka.ca:
                found.update(trust)
        if self.mechanism:
            found["sasl.mechanism"] = self.mechanism
        if kafka.profile in ("sasl_plain", "scram"):
            login = {"username": kafka.client_id, "password": str(self.secret)}
            found["sasl.jaas.config"] = _jaas(_MODULES[kafka.profile], login)
        if kafka.profile == "oauth":
            login = {"clientId": kafka.client_id, "clientSecret": str(self.secret)}
            if kafka.scope:
                login["scope"] = kafka.scope
            login.update({f"extension_{k}": v for k, v in self.extensions.items()})
            if kafka.ca and kafka.token_url.startswith("https:"):
                # The token endpoint has a trust of its own, which is read from here.
                login.update(trust)
            found.update(
                {
                    "sasl.jaas.config": _jaas(_MODULES["oauth"], login),
                    "sasl.login.callback.handler.class": _LOGIN,
                    "sasl.oauthbearer.token.endpoint.url": kafka.token_url,
                    "sasl.oauthbearer.sub.claim.name": kafka.sub_claim,
                }
            )
        found.update(kafka.properties)
        return found

    def explained(self, said: str) -> str:
        """Return what librdkafka said of a login, with what it means for these settings."""
        kafka = self.kafka
        if "invalid_token" in said:
            return (
                f"the token of {kafka.client_id} is refused: its audience, issuer, signature or "
                f"time is not what the broker expects ({_short(said)}); ask: tidegrid doctor"
            )
        if "invalid_client" in said or "unauthorized_client" in said:
            return (
                f"no token from {kafka.token_url}: {ID_VARIABLE} or {SECRET_VARIABLE} is wrong "
                f"({_short(said)})"
            )
        if "OAUTHBEARER token" in said:
            return f"no token from {kafka.token_url}: {_short(said)}"
        if kafka.profile == "oauth" and "transport failure" in said:
            return f"{_short(said)}; or {kafka.token_url} gives no token; ask: tidegrid doctor"
        return _short(said)

    def jvm(self) -> list[str]:
        """Return the JVM arguments that Java clients need beside their properties; no secret."""
        if self.kafka.profile != "oauth":
            return []
        return [f"-D{ALLOWED_URLS}={self.kafka.token_url}"]


def check(connection: Connection) -> None:
    """Fail, with what to do, if a profile lacks something or has what it must not."""
    kafka = connection.kafka
    for address in kafka.bootstrap.split(","):
        host, _, port = address.strip().rpartition(":")
        if not host or not port.isdigit():
            raise SettingsError(
                f"setting kafka.bootstrap: {address!r} is not HOST:PORT; several take commas"
            )
    if kafka.ca and not Path(kafka.ca).is_file():
        raise SettingsError(f"setting kafka.ca: {kafka.ca!r} is no file with PEM certificates")
    if kafka.ca and not connection.encrypted and not kafka.token_url.startswith("https:"):
        raise SettingsError("setting kafka.ca: the connection is not TLS; set kafka.tls to on")
    _check_login(connection)
    known = ", ".join(MORE)
    for name, value in kafka.properties:
        if name not in MORE:
            raise SettingsError(f"setting kafka.properties: {name!r} is none of {known}")
        if name not in _TEXTS and not value.replace(".", "", 1).lstrip("-").isdigit():
            raise SettingsError(f"setting kafka.properties: {name} is {value!r}, not a number")


def _check_login(connection: Connection) -> None:
    kafka, profile = connection.kafka, connection.kafka.profile
    if profile == "plaintext":
        return
    given = {
        f"kafka.client_id ({ID_VARIABLE})": kafka.client_id,
        f"{SECRET_VARIABLE} in the environment": connection.secret,
    }
    if profile == "oauth":
        given["kafka.token_url (OAUTH_TOKEN_URL)"] = kafka.token_url
    missing = [name for name, value in given.items() if not value]
    if missing:
        raise SettingsError(f"profile {profile} needs {' and '.join(missing)}")
    if any(ord(c) < 32 for c in kafka.client_id + connection.secret):
        raise SettingsError(
            f"{ID_VARIABLE} or {SECRET_VARIABLE} has a line break or the like in it"
        )
    if profile == "oauth" and not kafka.token_url.startswith(("https://", "http://")):
        raise SettingsError(f"setting kafka.token_url: {kafka.token_url!r} is no address")
    if profile == "oauth" and "," in "".join(v for _, v in kafka.extensions):
        raise SettingsError("setting kafka.extensions: a value has a comma in it")


def _short(said: str) -> str:
    """Return a text without what repeats, and not without end: it may hold a whole web page."""
    text = said.removeprefix("Failed to acquire SASL OAUTHBEARER token: ")
    return text if len(text) <= 300 else f"{text[:300]}..."


def _system_authorities() -> str:
    """Return the file with this system's authorities: librdkafka knows where one system has it."""
    known = (
        ssl.get_default_verify_paths().cafile or "",
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem",
    )
    return next((path for path in known if path and Path(path).is_file()), "")


def _jaas(module: str, options: Mapping[str, str]) -> str:
    quoted = (f'{name}="{_escaped(value)}"' for name, value in options.items())
    return f"{module} required {' '.join(quoted)};"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
