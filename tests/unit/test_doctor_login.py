"""The login: each wrong part of it is told from the others, and none of it is shown."""

from __future__ import annotations

import base64
import email.utils
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.support import authority, oidc
from tests.support.oidc import Provider
from tidegrid.doctor import claims, login, provider
from tidegrid.doctor.claims import Claims
from tidegrid.doctor.findings import Problem
from tidegrid.doctor.provider import Reply
from tidegrid.doctor.wire import Listener
from tidegrid.kafka.connection import Connection, Kafka, Secret
from tidegrid.machine.ports import free_port

NOW = 1_790_000_000
SECRET = "open sesame"
OAUTH = Connection(
    Kafka(profile="oauth", client_id="ann", token_url="https://login.example/token"),
    Secret(SECRET),
)


def token(**changed: Any) -> str:
    """Make a JWT that nobody signed."""
    made = {"iss": "them", "aud": "kafka", "sub": "ann", "iat": NOW, "exp": NOW + 60, **changed}
    coded = base64.urlsafe_b64encode(json.dumps(made).encode()).decode().rstrip("=")
    return f"e30.{coded}.c2ln"


def reply(status: int, body: object, **headers: str) -> Reply:
    return Reply(status, body if isinstance(body, bytes) else json.dumps(body).encode(), headers)


def problem_of(found: Reply) -> Problem:
    with pytest.raises(Problem) as caught:
        provider.judge(found, OAUTH, NOW)
    return caught.value


@pytest.mark.parametrize(
    ("found", "detail", "fix"),
    [
        (reply(401, {"error": "invalid_client"}), "invalid_client", "KAFKA_CLIENT_SECRET"),
        (reply(400, {"error": "invalid_client"}), "does not know the client id", "KAFKA_CLIENT_ID"),
        (reply(400, {"error": "unauthorized_client"}), "may not log in", "client_credentials"),
        (reply(400, {"error": "invalid_scope"}), "scope", "kafka.scope"),
        (reply(400, {"error": "invalid_request"}), "misses something", "kafka.scope"),
        (reply(401, b""), "refuses client ann", "KAFKA_CLIENT_SECRET"),
        (reply(403, b"<html>"), "refuses client ann", "KAFKA_CLIENT_SECRET"),
        (reply(404, b"<html>"), "no token endpoint at that path", "OAUTH_TOKEN_URL"),
        (reply(405, {}), "no token endpoint at that path", "OAUTH_TOKEN_URL"),
        (reply(302, b"", Location="https://other/"), "https://other/", "OAUTH_TOKEN_URL"),
        (reply(429, b""), "too many", "wait"),
        (reply(500, {"error": "server_error"}), "500, server_error", "those who run it"),
        (reply(503, b""), "status 503", "those who run it"),
        (reply(400, {"error": ["odd"]}), "status 400", "OAUTH_TOKEN_URL"),
        (reply(200, b"<html>Sign in</html>"), "answers with a page", "OAUTH_TOKEN_URL"),
        (reply(200, b"hello"), "not JSON", "OAUTH_TOKEN_URL"),
        (reply(200, [1]), "not JSON", "OAUTH_TOKEN_URL"),
        (reply(200, {"id_token": "x"}), "without an access_token, but with id_token", "OAUTH"),
        (reply(200, {}), "but with nothing", "OAUTH_TOKEN_URL"),
    ],
)
def test_each_answer_without_a_token_says_what_is_wrong(
    found: Reply, detail: str, fix: str
) -> None:
    problem = problem_of(found)
    assert detail in problem.detail
    assert fix in problem.fix


def test_what_the_provider_says_is_passed_on_without_the_secret() -> None:
    said = {"error": "invalid_client", "error_description": f"AADSTS7000215: {SECRET} is wrong"}
    detail = problem_of(reply(401, said)).detail
    assert "AADSTS7000215: *** is wrong" in detail
    assert SECRET not in detail


def test_a_token_says_who_it_is_for_and_is_not_shown() -> None:
    made = token(aud=["kafka", "more"])
    found = provider.judge(reply(200, {"access_token": made}), OAUTH, NOW)
    assert found.state == "ok"
    assert found.detail == "iss them, aud kafka, more, sub ann, for 60 s"
    assert found.found == Claims("them", "kafka, more")
    assert made not in repr(found)
    assert made not in repr(reply(200, {"access_token": made}))


@pytest.mark.parametrize(
    ("made", "detail", "fix"),
    [
        (token(exp=NOW - 5), "has expired, 5 s ago", "live longer"),
        (token(sub=None), "no claim sub", "OAUTH_SUB_CLAIM"),
        (token(exp=None), "no claim exp", "provider"),
        (token(exp="soon"), "no claim exp", "provider"),
    ],
)
def test_a_token_that_cannot_serve_says_why(made: str, detail: str, fix: str) -> None:
    with pytest.raises(Problem) as found:
        claims.judge(made, "sub", NOW, None)
    assert detail in found.value.detail
    assert fix in found.value.fix


def test_clocks_that_differ_are_a_warning() -> None:
    ahead = email.utils.formatdate(NOW + 300, usegmt=True)
    body = {"access_token": token(iat=NOW + 300, exp=NOW + 600)}
    found = provider.judge(reply(200, body, Date=ahead), OAUTH, NOW)
    assert found.state == "warning"
    assert "clock is 300 s ahead of this one" in found.detail


def test_a_clock_that_makes_a_token_expired_is_named() -> None:
    behind = email.utils.formatdate(NOW - 300, usegmt=True)
    body = {"access_token": token(exp=NOW - 240)}
    problem = problem_of(reply(200, body, Date=behind))
    assert "clock is 300 s behind this one" in problem.detail
    assert problem.fix == "set the clock of this machine"


@pytest.mark.parametrize("opaque", ["abc", "a.b.c", "a.bnVsbA.c", "e30.W10.c2ln"])
def test_a_token_that_is_no_jwt_is_a_warning(opaque: str) -> None:
    assert claims.judge(opaque, "sub", NOW, None).state == "warning"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Provider, Kafka]]:
    made = authority.make(tmp_path_factory.mktemp("provider"))
    started = Provider(made, free_port())
    started.start()
    url = f"{started.issuer}/token"
    yield started, Kafka(profile="oauth", client_id="tidegrid", token_url=url, ca=str(made.ca))
    started.stop()


def test_a_real_provider_gives_a_token(running: tuple[Provider, Kafka]) -> None:
    started, kafka = running
    connection = Connection(kafka, Secret(oidc.SECRET))
    reached = provider.fetch(connection)
    assert reached.status == 200
    found = claims.judge(json.loads(reached.body)["access_token"], "sub", 0, None)
    assert found.found == Claims(started.issuer, oidc.AUDIENCE)


@pytest.mark.parametrize(
    ("client", "secret", "detail"),
    [
        ("tidegrid", "wrong", "invalid_client"),
        ("nobody", oidc.SECRET, "invalid_client"),
        ("broken", oidc.SECRET, "status 500"),
        ("html", oidc.SECRET, "answers with a page"),
        ("expired", oidc.SECRET, "has expired"),
    ],
)
def test_a_real_provider_that_gives_none_says_why(
    running: tuple[Provider, Kafka], client: str, secret: str, detail: str
) -> None:
    connection = Connection(replace(running[1], client_id=client), Secret(secret))
    with pytest.raises(Problem, match=detail) as found:
        provider.judge(provider.fetch(connection), connection, time.time())
    assert secret not in found.value.detail + found.value.fix


@pytest.mark.parametrize("url", ["https://", "https://host:abc/token", "http://[::1/token"])
def test_an_address_that_is_none_is_said(url: str) -> None:
    with pytest.raises(Problem) as found:
        provider.place(url)
    assert "kafka.token_url" in found.value.fix


@pytest.mark.parametrize(
    ("profile", "taken", "detail", "fix"),
    [
        ("plaintext", ("OAUTHBEARER",), "has no login", '"oauth"'),
        ("scram", ("OAUTHBEARER",), "profile scram is SCRAM-SHA-512", '"oauth"'),
        ("scram", ("SCRAM-SHA-256",), "takes SCRAM-SHA-256", "kafka.scram_mechanism"),
        ("oauth", ("GSSAPI",), "takes GSSAPI", "use a listener"),
        ("sasl_plain", (), "takes no login there", 'kafka.profile = "plaintext" and kafka.tls'),
    ],
)
def test_a_profile_that_a_listener_does_not_take_names_the_right_one(
    profile: Any, taken: tuple[str, ...], detail: str, fix: str
) -> None:
    with pytest.raises(Problem) as found:
        login.fits(Connection(Kafka(profile=profile)), Listener(taken))
    assert detail in found.value.detail
    assert fix in found.value.fix


@pytest.mark.parametrize(
    ("profile", "taken"),
    [
        ("plaintext", ()),
        ("plaintext", None),
        ("scram", ("PLAIN", "SCRAM-SHA-512")),
        ("oauth", None),
    ],
)
def test_a_profile_that_a_listener_takes_passes(
    profile: Any, taken: tuple[str, ...] | None
) -> None:
    login.fits(Connection(Kafka(profile=profile)), Listener(taken))


def test_a_refused_token_is_named_by_its_audience_and_issuer() -> None:
    sent = Connection(replace(OAUTH.kafka, identity_pool="pool-1"), OAUTH.secret)
    problem = login.refused(sent, "invalid_token", Claims("them", "kafka"))
    assert "aud kafka and iss them, sent with identityPoolId=pool-1" in problem.detail


def test_what_librdkafka_says_is_cut_to_what_matters() -> None:
    said = "sasl_ssl://a:1/bootstrap: SASL authentication error: no (after 3ms in state AUTH_REQ)"
    assert login.plainly(said, "") == "SASL authentication error: no"


def test_a_refused_password_names_the_user() -> None:
    connection = Connection(Kafka(profile="scram", client_id="ann"), Secret(SECRET))
    problem = login.refused(connection, "invalid credentials", None)
    assert "refuses user ann" in problem.detail
    assert "SCRAM-SHA-512" in problem.fix
