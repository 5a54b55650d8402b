"""The doctor against real parts: all is well, or the one thing that is not is named."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from tests.support import oidc
from tests.support.stack import PSK, Stack
from tidegrid import kafka
from tidegrid.doctor.findings import Finding

WRONG = "another key, which is wrong"
SECRETS = (oidc.SECRET, PSK, WRONG)
USERS, ACCOUNTS, POSITIONS, CODED = (
    f"doctor.{name}" for name in ("users", "accounts", "positions", "coded")
)


@dataclass(frozen=True)
class Case:
    """Something that is wrong, and how the doctor is to name it."""

    check: str
    detail: str
    fix: str
    environment: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def sources(stack: Stack) -> Iterator[dict[str, str]]:
    """Make topics that no other test writes to, and return the settings that name them."""
    user = {"userId": "d", "name": "Doctor"}
    records: dict[str, bytes] = {
        USERS: json.dumps(user).encode(),
        ACCOUNTS: b'{"userId":"d","accountType":"CHK","balance":1}',
        POSITIONS: b'{"symbol":"D","price":1,"qty":2,"event_ts":1}',
        CODED: base64.b64encode(json.dumps(user).encode()),
    }
    kafka.ensure_topics(stack.connection, dict.fromkeys(records, 2), {})
    for topic, value in records.items():
        for n in range(6):
            stack.produce(topic, value, key=str(n))
    stack.flush()
    yield {
        "TIDEGRID_CUSTOMERS_USERS_TOPIC": USERS,
        "TIDEGRID_CUSTOMERS_ACCOUNTS_TOPIC": ACCOUNTS,
        "TIDEGRID_POSITIONS_TOPIC": POSITIONS,
    }
    kafka.delete_topics(stack.connection, records)


def doctor(stack: Stack, environment: dict[str, str], *more: str) -> tuple[int, str]:
    """Run the command, and return its code and what it said; none of it is a secret."""
    done = subprocess.run(
        [sys.executable, "-m", "tidegrid", "doctor", *more],
        env={**stack.environment, **stack.login(), "TIDEGRID_PSK": PSK, **environment},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said
    assert [secret for secret in SECRETS if secret in said] == []
    return done.returncode, done.stdout


def test_all_is_well_with_the_right_settings(stack: Stack, sources: dict[str, str]) -> None:
    code, said = doctor(stack, sources)
    states = {line[9:40].strip(): line.split()[0] for line in said.splitlines()}
    # The certificates of the tests live for a day.
    soon = {check for check in states if check.startswith("tls ")}
    assert len(soon) == 2
    assert {c: s for c, s in states.items() if s != ("warning" if c in soon else "ok")} == {}
    assert code == 0
    asked = {
        *("java", "jars", "disk", "checkpoints", "page", "token", "login", "brokers"),
        *(f"{what} {topic}" for what in ("topic", "sample") for topic in sources.values()),
        *(f"topic tidegrid.{name}" for name in ("control", "receipts", "health")),
        *("changelogs", "group", "spark", "slots", "deephaven", "deephaven login"),
    }
    assert asked <= set(states)
    assert "20 are needed" in said


def test_what_is_wrong_is_the_one_thing_that_failed(stack: Stack, sources: dict[str, str]) -> None:
    door = f"tls 127.0.0.1:{stack.broker.oauth}"
    scram = {**stack.password(), "KAFKA_CLIENT_SECRET": WRONG}
    url = {"OAUTH_TOKEN_URL": f"{stack.provider.issuer}/nothing"}
    cases = [
        Case("token", "invalid_client", "SECRET", {"KAFKA_CLIENT_SECRET": WRONG}),
        Case("token", "status 500", "wait", stack.login("broken")),
        Case("token", "answers with a page", "OAUTH_TOKEN_URL", stack.login("html")),
        Case("token", "has expired", "clock", stack.login("expired")),
        Case("token", "unsupported_grant_type", "kafka.token_url", url),
        Case("login", "aud something else", "another audience", stack.login("other-audience")),
        Case("login", "iss https://elsewhere", "issuer", stack.login("other-issuer")),
        Case("login", "takes OAUTHBEARER", '"oauth"', {"TIDEGRID_KAFKA_PROFILE": "scram"}),
        Case("login", "refuses user tidegrid", "KAFKA_CLIENT_SECRET", scram),
        Case(door, "not vouched for", "set kafka.ca", {"TIDEGRID_KAFKA_CA": ""}),
        Case(door, "speaks TLS", 'kafka.tls = "on"', {"TIDEGRID_KAFKA_TLS": "off"}),
        Case(
            f"topic {USERS}s",
            f"there is {USERS}",
            "customers.users_topic",
            {"TIDEGRID_CUSTOMERS_USERS_TOPIC": f"{USERS}s"},
        ),
        Case(
            f"sample {CODED}",
            "not JSON",
            'customers.encoding = "base64"',
            {"TIDEGRID_CUSTOMERS_USERS_TOPIC": CODED},
        ),
        Case("deephaven login", "refuses the key", "TIDEGRID_PSK", {"TIDEGRID_PSK": WRONG}),
    ]
    with ThreadPoolExecutor(3) as pool:
        runs = list(
            pool.map(lambda c: doctor(stack, {**sources, **c.environment}, "--json"), cases)
        )
    for case, (code, said) in zip(cases, runs, strict=True):
        found = [Finding(**json.loads(line)) for line in said.splitlines()]
        failed = {f.check: f for f in found if f.state == "failed"}
        assert case.check in failed, (case, said)
        assert case.detail in failed[case.check].detail, failed
        assert case.fix in failed[case.check].fix, failed
        assert code == 1
        # Without an authority the provider cannot be trusted either.
        alone = [f for check, f in failed.items() if not check.startswith("tls localhost")]
        assert len(alone) == 1, failed


def test_base64_that_is_expected_can_be_used(stack: Stack, sources: dict[str, str]) -> None:
    coded = {
        **sources,
        "TIDEGRID_CUSTOMERS_USERS_TOPIC": CODED,
        "TIDEGRID_CUSTOMERS_ENCODING": "base64",
    }
    _, said = doctor(stack, coded, "--json")
    found = {f["check"]: f for f in map(json.loads, said.splitlines())}
    assert found[f"sample {CODED}"]["state"] == "ok"
    assert 'set customers.encoding = "json"' in found[f"sample {ACCOUNTS}"]["fix"]
