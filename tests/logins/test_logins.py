"""Logins at Kafka: what is said of a wrong one, and what comes back by itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from confluent_kafka import TopicPartition

from tests.support import oidc
from tests.support.stack import POSITIONS, Stack, eventually
from tests.support.worlds import live, lives
from tidegrid import kafka, settings
from tidegrid.errors import KafkaError

#: What is wrong, and what is said of it.
WRONG: list[tuple[str, Mapping[str, str], str]] = [
    ("secret", {"KAFKA_CLIENT_SECRET": "guessed"}, "KAFKA_CLIENT_SECRET is wrong"),
    ("client", {"KAFKA_CLIENT_ID": "nobody"}, "KAFKA_CLIENT_ID or"),
    ("audience", {"KAFKA_CLIENT_ID": "other-audience"}, "its audience, issuer, signature"),
    ("issuer", {"KAFKA_CLIENT_ID": "other-issuer"}, "is not what the broker expects"),
    ("key", {"KAFKA_CLIENT_ID": "other-key"}, "the token of other-key is refused"),
    ("expired", {"KAFKA_CLIENT_ID": "expired"}, "Must supply an unexpired token"),
    ("html", {"KAFKA_CLIENT_ID": "html"}, "Response is not JSON encoded: text/html"),
    ("broken", {"KAFKA_CLIENT_ID": "broken"}, "gives no token; ask: tidegrid doctor"),
    ("away", {"OAUTH_TOKEN_URL": "https://localhost:1/token"}, "Could not connect to server"),
    ("authority", {"TIDEGRID_KAFKA_CA": ""}, "OpenSSL verify result"),
]


def said(environment: Mapping[str, str]) -> str:
    """Return what is said when somebody tries to log in; empty if it works."""
    try:
        kafka.cluster_id(settings.load(None, environment).connection, timeout=4)
    except KafkaError as e:
        return str(e)
    return ""


def test_what_is_wrong_with_a_login_is_said(stack: Stack) -> None:
    with ThreadPoolExecutor(len(WRONG)) as pool:
        told = list(pool.map(lambda w: said({**stack.login(), **w[1]}), WRONG))
    for (name, _, words), text in zip(WRONG, told, strict=True):
        assert words in text, name
        assert oidc.SECRET not in text
    assert said(stack.login()) == ""


def test_a_password_is_as_good_and_a_wrong_one_is_said(stack: Stack) -> None:
    for right in (stack.password(), stack.plain_password()):
        assert said(right) == ""
        assert "Authentication failed" in said({**right, "KAFKA_CLIENT_SECRET": "guessed"})


def produce_user(stack: Stack, user: str) -> int:
    """Produce a user to the topic that is shown now, and return how many users there were."""
    eventually("rows", lambda: stack.view_rows().get("users_ui"), 120)
    before = stack.view_rows()["users_ui"]
    topic = lives(stack)[live(stack)].birth.sources["users"]
    stack.produce(topic, {"userId": user, "name": user.title()})
    stack.flush()
    return before


def arrives(stack: Stack, before: int) -> None:
    """Wait until there are more users than before."""

    def arrived() -> bool:
        # Deephaven ends itself when several of its consumers are turned away at once.
        stack.keep_up()
        return stack.view_rows().get("users_ui", 0) > before

    eventually("the event all the way", arrived, 120)


@pytest.fixture(scope="module")
def tokens(stack: Stack) -> None:
    """Start the parts that hold the data with tokens instead of the open door.

    While they are away, records of positions come and go that were never read.
    """
    for part in ("pipeline", "tables"):
        stack.kill_part(part)
    for n in range(20):
        stack.produce(POSITIONS, {"symbol": f"away.{n}", "price": 1, "qty": 1})
    stack.flush()
    ends = kafka.latest(stack.connection, {POSITIONS: 2})[POSITIONS]
    gone = [TopicPartition(POSITIONS, int(p), end - 1) for p, end in ends.items()]
    for done in kafka.admin(stack.connection).delete_records(gone).values():
        done.result(10)
    for part in ("pipeline", "tables"):
        stack.start_part(part, **stack.login())


@pytest.mark.usefixtures("tokens")
def test_records_that_are_gone_are_not_waited_for(stack: Stack) -> None:
    """What cannot go on is built anew from what is there: the last record of each partition."""
    eventually("the two positions", lambda: stack.view_rows().get("gold_latest") == 2, 120)
    stack.produce(POSITIONS, {"symbol": "back", "price": 1, "qty": 1})
    stack.flush()
    eventually("a third one", lambda: stack.view_rows().get("gold_latest") == 3)


@pytest.mark.usefixtures("tokens")
def test_tokens_are_renewed_and_keys_may_change(stack: Stack) -> None:
    arrives(stack, produce_user(stack, "first of all"))
    stack.provider.rotate()
    began = time.monotonic()
    renewed = lambda: stack.provider.granted[stack.provider.kid] > 5  # noqa: E731
    eventually("tokens of the new key", renewed, 6 * oidc.LIFETIME)
    arrives(stack, produce_user(stack, "rotated"))
    assert time.monotonic() - began < 6 * oidc.LIFETIME


@pytest.mark.usefixtures("tokens")
def test_it_goes_on_when_the_token_endpoint_is_back(stack: Stack) -> None:
    """Away for longer than two tokens live: nobody can be logged in any more at its end."""
    stack.provider.stop()
    try:
        time.sleep(2.2 * oidc.LIFETIME)
        before = produce_user(stack, "meanwhile")
    finally:
        stack.provider.start()
    arrives(stack, before)
