"""The provider of tokens, for the profile `oauth`: asked as the Kafka clients ask it.

Guarantees: neither the secret nor the token is in a finding.
"""

from __future__ import annotations

import base64
import email.utils
import http.client
import json
import ssl
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

from tidegrid.doctor import claims
from tidegrid.doctor.claims import Claims
from tidegrid.doctor.findings import Answer, Problem, shown
from tidegrid.doctor.network import Place
from tidegrid.kafka.connection import ID_VARIABLE, SECRET_VARIABLE, Connection

_SETTING = "kafka.token_url"
#: Seconds to wait for the provider.
_TIMEOUT = 10.0
#: Bytes of an answer that are read.
_MOST = 1_000_000
#: What a provider's `error` means (RFC 6749), and what to do about it.
_ERRORS = {
    "invalid_client": (
        "it does not know the client id, or the secret is another",
        f"check {ID_VARIABLE} and {SECRET_VARIABLE}; a secret may have expired",
    ),
    "unauthorized_client": (
        "the client may not log in with an id and a secret",
        "allow the client the grant client_credentials at the provider",
    ),
    "unsupported_grant_type": (
        "it gives no tokens for an id and a secret there",
        "allow client_credentials at the provider, or correct kafka.token_url",
    ),
    "invalid_scope": (
        "it does not know the scope, or the client may not have it",
        "correct kafka.scope, or give the client that scope at the provider",
    ),
    "invalid_request": (
        "it misses something in the request",
        "many providers want a scope: set kafka.scope",
    ),
}


@dataclass(frozen=True)
class Reply:
    """What the provider answered."""

    status: int
    body: bytes = field(repr=False)
    headers: dict[str, str] = field(default_factory=dict)


def place(url: str) -> Answer[Place]:
    """Find out where a token endpoint is."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as e:
        raise Problem(f"{shown(url, 200)} is no address: {e}", f"correct {_SETTING}") from e
    if not parts.hostname:
        raise Problem(f"{shown(url, 200)} names no host", f"correct {_SETTING}")
    return Answer(shown(url, 200), Place(parts.hostname, port, _SETTING))


def fetch(connection: Connection) -> Reply:
    """Ask the token endpoint for a token."""
    kafka = connection.kafka
    where = place(kafka.token_url).found
    parts = urllib.parse.urlsplit(kafka.token_url)
    both = base64.b64encode(f"{kafka.client_id}:{connection.secret}".encode()).decode()
    asked = {"grant_type": "client_credentials", **({"scope": kafka.scope} if kafka.scope else {})}
    headers = {
        "Authorization": f"Basic {both}",
        "Content-Type": "application/x-www-form-urlencoded",
        "Accept": "application/json",
    }
    client: http.client.HTTPConnection
    if parts.scheme == "https":
        context = ssl.create_default_context(cafile=kafka.ca or None)
        client = http.client.HTTPSConnection(
            where.host, where.port, timeout=_TIMEOUT, context=context
        )
    else:
        client = http.client.HTTPConnection(where.host, where.port, timeout=_TIMEOUT)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        client.request("POST", path, urllib.parse.urlencode(asked), headers)
        answer = client.getresponse()
        return Reply(answer.status, answer.read(_MOST), dict(answer.getheaders()))
    except (OSError, http.client.HTTPException) as e:
        raise Problem(
            f"{where} takes the question and gives no answer: {type(e).__name__}",
            f"check whether {_SETTING} is https or http; if it is right, see the provider's log",
        ) from e
    finally:
        client.close()


def judge(reply: Reply, connection: Connection, now: float) -> Answer[Claims]:
    """Look into what the provider answered."""
    if reply.status != 200:
        raise _refusal(reply, connection)
    answer = _json(reply.body)
    if not isinstance(answer, dict):
        kind = "a page" if reply.body.lstrip()[:1] == b"<" else "something that is not JSON"
        raise Problem(
            f"the token endpoint answers with {kind}: no token endpoint, or a proxy is in between",
            f"correct {_SETTING} (OAUTH_TOKEN_URL)",
        )
    token = answer.get("access_token")
    if not isinstance(token, str) or not token:
        raise Problem(
            "the token endpoint answers without an access_token, but with "
            f"{shown(', '.join(answer), 100, connection.secret) or 'nothing'}",
            f"correct {_SETTING} (OAUTH_TOKEN_URL)",
        )
    return claims.judge(token, connection.kafka.sub_claim, now, _skew(reply, now))


def _refusal(reply: Reply, connection: Connection) -> Problem:
    secret = connection.secret
    status = reply.status
    answer = _json(reply.body)
    error = answer.get("error") if isinstance(answer, dict) else None
    name = error if isinstance(error, str) else ""
    told = answer.get("error_description") if isinstance(answer, dict) else None
    more = f" ({shown(told, 160, secret)})" if isinstance(told, str) and told else ""
    if name in _ERRORS:
        meaning, fix = _ERRORS[name]
        return Problem(
            f"the provider refuses client {connection.kafka.client_id}: {name}: {meaning}{more}",
            fix,
        )
    what = f"the token endpoint answers with status {status}"
    what += f", {shown(name, 60, secret)}{more}" if name else ""
    if status in (401, 403):
        _, fix = _ERRORS["invalid_client"]
        return Problem(f"{what}: it refuses client {connection.kafka.client_id}", fix)
    if 300 <= status < 400:
        to = next((v for k, v in reply.headers.items() if k.lower() == "location"), "elsewhere")
        return Problem(
            f"{what}: it sends us to {shown(to, 100, secret)}, where Kafka clients do not go",
            f"set {_SETTING} (OAUTH_TOKEN_URL) to the address that answers",
        )
    if status in (404, 405):
        return Problem(
            f"{what}: there is no token endpoint at that path",
            f"correct {_SETTING} (OAUTH_TOKEN_URL); the provider names it as token_endpoint in "
            "its /.well-known/openid-configuration",
        )
    if status == 429:
        return Problem(f"{what}: too many questions", "wait a little, then ask again")
    if status >= 500:
        return Problem(
            f"{what}: the provider itself has a problem",
            "wait or tell those who run it; Tidegrid's parts go on by themselves once it is back",
        )
    return Problem(what, f"correct {_SETTING} (OAUTH_TOKEN_URL) or kafka.scope")


def _skew(reply: Reply, now: float) -> float | None:
    """Return how many seconds the provider's clock is ahead of ours, if it says."""
    date = next((v for k, v in reply.headers.items() if k.lower() == "date"), "")
    try:
        return email.utils.parsedate_to_datetime(date).timestamp() - now
    except ValueError:
        return None


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
