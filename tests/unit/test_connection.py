"""Connection profiles: what each of the three clients is given, and what is said of a wrong one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka.admin import AdminClient

from tidegrid import settings
from tidegrid.errors import SettingsError
from tidegrid.kafka import connection
from tidegrid.kafka.connection import ALLOWED_URLS, MORE, Connection, Kafka, Secret

SECRET = 'a "quoted\\" secret'
OAUTH = Kafka(
    bootstrap="kafka.example:9092",
    profile="oauth",
    client_id="tidegrid",
    token_url="https://login.example/token",
    scope="kafka",
    sub_claim="client",
    logical_cluster="lkc-1",
    identity_pool="pool-1",
    extensions=(("tenant", "blue"),),
)


def of(kafka: Kafka) -> Connection:
    return Connection(kafka, Secret(SECRET))


def test_plaintext_needs_nothing_but_an_address() -> None:
    plain = Connection(Kafka(bootstrap="here:1"))
    expected = {"bootstrap.servers": "here:1", "security.protocol": "PLAINTEXT"}
    assert plain.librdkafka() == expected
    assert plain.java() == expected
    assert plain.jvm() == []


def test_tls_alone_trusts_a_private_authority(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    ca.touch()
    secured = Connection(Kafka(tls="on", ca=str(ca)))
    connection.check(secured)
    assert secured.librdkafka()["security.protocol"] == "SSL"
    assert secured.librdkafka()["ssl.ca.location"] == str(ca)
    assert secured.java()["ssl.truststore.location"] == str(ca)
    assert secured.java()["ssl.truststore.type"] == "PEM"
    assert secured.java()["ssl.endpoint.identification.algorithm"] == "https"


@pytest.mark.parametrize(
    ("profile", "mechanism", "module"),
    [("sasl_plain", "PLAIN", "PlainLoginModule"), ("scram", "SCRAM-SHA-512", "ScramLoginModule")],
)
def test_a_password_goes_to_both_kinds_of_clients(
    profile: str, mechanism: str, module: str
) -> None:
    kafka = replace(Kafka(client_id="ann"), profile=profile)  # type: ignore[arg-type]
    theirs = of(kafka).librdkafka()
    assert theirs["security.protocol"] == "SASL_SSL"
    assert theirs["sasl.mechanism"] == mechanism
    assert (theirs["sasl.username"], theirs["sasl.password"]) == ("ann", SECRET)
    java = of(kafka).java()
    assert java["sasl.mechanism"] == mechanism
    assert java["sasl.jaas.config"] == (
        f"org.apache.kafka.common.security.{module[:5].lower()}.{module} required "
        'username="ann" password="a \\"quoted\\\\\\" secret";'
    )


def test_oauth_for_librdkafka() -> None:
    given = of(OAUTH).librdkafka()
    assert given["sasl.oauthbearer.method"] == "oidc"
    assert given["sasl.oauthbearer.client.id"] == "tidegrid"
    assert given["sasl.oauthbearer.client.secret"] == SECRET
    assert given["sasl.oauthbearer.token.endpoint.url"] == "https://login.example/token"
    assert given["sasl.oauthbearer.scope"] == "kafka"
    assert given["sasl.oauthbearer.sub.claim.name"] == "client"
    assert given["sasl.oauthbearer.extensions"] == (
        "logicalCluster=lkc-1,identityPoolId=pool-1,tenant=blue"
    )


def test_oauth_for_java() -> None:
    given = of(OAUTH).java()
    assert given["sasl.login.callback.handler.class"] == (
        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler"
    )
    for part in ('clientId="tidegrid"', 'scope="kafka"', 'extension_logicalCluster="lkc-1"'):
        assert part in given["sasl.jaas.config"]
    assert 'extension_identityPoolId="pool-1" extension_tenant="blue"' in given["sasl.jaas.config"]
    assert given.items() < of(OAUTH).java4().items()
    assert of(OAUTH).jvm() == [f"-D{ALLOWED_URLS}=https://login.example/token"]


def test_the_token_endpoint_is_trusted_by_the_same_authority(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    ca.touch()
    secured = of(replace(OAUTH, ca=str(ca)))
    assert f'ssl.truststore.location="{ca}"' in secured.java()["sasl.jaas.config"]
    assert secured.librdkafka()["https.ca.location"] == str(ca)


def test_a_secret_never_shows_itself() -> None:
    kept = settings.load(
        None,
        {
            "TIDEGRID_KAFKA_PROFILE": "oauth",
            "KAFKA_CLIENT_ID": "tidegrid",
            "KAFKA_CLIENT_SECRET": SECRET,
            "OAUTH_TOKEN_URL": "https://login.example/token",
            "IDENTITY_POOL": "pool-2",
        },
    )
    assert kept.connection.librdkafka()["sasl.oauthbearer.client.secret"] == SECRET
    assert kept.kafka.identity_pool == "pool-2"
    for shown in (repr(kept), str(kept), repr(kept.connection), f"{kept.connection}"):
        assert SECRET not in shown
        assert "secret" in shown
    assert SECRET not in " ".join(kept.connection.jvm())


def test_more_properties_go_to_those_who_know_them() -> None:
    more = (("request.timeout.ms", "9000"), ("sasl.login.read.timeout.ms", "7000"))
    given = Connection(Kafka(properties=more))
    connection.check(given)
    assert given.java()["request.timeout.ms"] == "9000"
    assert given.java()["sasl.login.read.timeout.ms"] == "7000"
    assert given.librdkafka()["socket.timeout.ms"] == "9000"
    assert "sasl.login.read.timeout.ms" not in given.librdkafka()


def test_librdkafka_knows_every_name_we_map_to_it() -> None:
    values = {
        "client.dns.lookup": "use_all_dns_ips",
        "client.rack": "a",
        "ssl.cipher.suites": "ALL",
    }
    more = tuple((name, values.get(name, "10000")) for name in MORE)
    AdminClient(Connection(Kafka(properties=more)).librdkafka())


@pytest.mark.parametrize(
    ("kafka", "said"),
    [
        (Kafka(bootstrap="nowhere"), "kafka.bootstrap: 'nowhere' is not HOST:PORT"),
        (Kafka(profile="scram"), "profile scram needs kafka.client_id"),
        (replace(OAUTH, token_url=""), "needs kafka.token_url"),
        (replace(OAUTH, token_url="login"), "'login' is no address"),
        (replace(OAUTH, client_id="a\nb"), "has a line break"),
        (replace(OAUTH, extensions=(("a", "b,c"),)), "has a comma"),
        (Kafka(ca="/no/such.pem", tls="on"), "kafka.ca: '/no/such.pem' is no file"),
        (Kafka(ca=__file__), "kafka.ca: the connection is not TLS"),
        (Kafka(properties=(("sasl.password", "x"),)), "'sasl.password' is none of client.dns"),
        (Kafka(properties=(("request.timeout.ms", "soon"),)), "is 'soon', not a number"),
    ],
)
def test_what_is_wrong_is_said(kafka: Kafka, said: str) -> None:
    with pytest.raises(SettingsError) as failed:
        connection.check(of(kafka))
    assert said in str(failed.value)
    assert SECRET not in str(failed.value)


def test_a_missing_secret_is_named() -> None:
    with pytest.raises(SettingsError, match="needs KAFKA_CLIENT_SECRET in the environment"):
        connection.check(Connection(OAUTH))


def test_properties_come_from_the_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text('[kafka.properties]\n"client.rack" = "a"\n"request.timeout.ms" = 9000\n')
    assert settings.load(file, {}).kafka.properties == (
        ("client.rack", "a"),
        ("request.timeout.ms", "9000"),
    )
    given = {"TIDEGRID_KAFKA_PROPERTIES": "client.rack=b"}
    assert settings.load(file, given).kafka.properties == (("client.rack", "b"),)
    file.write_text("[kafka]\nproperties = 3\n")
    with pytest.raises(SettingsError, match="expected names and values"):
        settings.load(file, {})
