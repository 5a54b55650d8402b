"""A small OpenID provider for the tests: discovery, tokens for clients, and its keys, over TLS."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import ssl
import threading
import time
import urllib.parse
import uuid
from collections import Counter
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from tests.support.authority import Authority

AUDIENCE = "kafka"
#: Seconds that a token lives; shorter than anywhere, so that a test sees many of them. With 60 the
#: tests are as in the wild, the provider away for more than two minutes, and minutes longer.
LIFETIME = int(os.environ.get("TOKEN_SECONDS", "10"))
CLIENT = "tidegrid"
SECRET = 'the client\'s "secret" of the tests'
#: What the provider does wrong for a client of this name.
FAULTS = ("other-audience", "other-issuer", "expired", "other-key", "html", "broken")


@dataclass(frozen=True)
class Key:
    """A signing key and its name."""

    kid: str
    private: rsa.RSAPrivateKey


class Provider:
    """Runs in a thread; can be told to be away, and to sign with other keys."""

    def __init__(self, authority: Authority, port: int) -> None:
        self.port = port
        self.lifetime = LIFETIME
        #: Tokens given, by the name of the key that signed them.
        self.granted = Counter[str]()
        self._keys = [_new_key()]
        self._authority = authority
        self._server: ThreadingHTTPServer | None = None

    @property
    def issuer(self) -> str:
        """Who signs, and where to ask."""
        return f"https://localhost:{self.port}"

    @property
    def kid(self) -> str:
        """The name of the key that signs now."""
        return self._keys[-1].kid

    def rotate(self) -> None:
        """Sign with a new key from now on; the one before stays published for its tokens."""
        self._keys = [self._keys[-1], _new_key()]

    def start(self) -> None:
        """Begin to answer."""
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), _handler(self))
        self._server.daemon_threads = True
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._authority.certificate, self._authority.key)
        # Shaken hands in the thread of the connection, for one may never finish.
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    def stop(self) -> None:
        """Answer nobody, as if the machine were off."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def discovery(self) -> dict[str, Any]:
        """Return what OpenID providers say of themselves."""
        return {
            "issuer": self.issuer,
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "grant_types_supported": ["client_credentials"],
        }

    def keys(self) -> dict[str, Any]:
        """Return the public keys."""
        return {
            "keys": [
                {
                    **json.loads(RSAAlgorithm.to_jwk(key.private.public_key())),
                    "kid": key.kid,
                    "use": "sig",
                    "alg": "RS256",
                }
                for key in self._keys
            ]
        }

    def token(self, client: str) -> dict[str, Any]:
        """Return a token for a client, spoilt in the way its name says."""
        now = int(time.time())
        lifetime = -120 if client == "expired" else self.lifetime
        claims = {
            "iss": "https://elsewhere" if client == "other-issuer" else self.issuer,
            "aud": "something else" if client == "other-audience" else AUDIENCE,
            "sub": client,
            "iat": now + min(lifetime, 0) * 2,
            "exp": now + lifetime,
            "jti": uuid.uuid4().hex,
        }
        key = _new_key(self.kid) if client == "other-key" else self._keys[-1]
        self.granted[key.kid] += 1
        signed = jwt.encode(claims, key.private, algorithm="RS256", headers={"kid": key.kid})
        return {"access_token": signed, "token_type": "Bearer", "expires_in": lifetime}


def _new_key(kid: str = "") -> Key:
    return Key(kid or uuid.uuid4().hex, rsa.generate_private_key(65537, 2048))


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            pages = {
                "/.well-known/openid-configuration": provider.discovery,
                "/keys": provider.keys,
            }
            page = pages.get(self.path)
            self._answer(*((200, page()) if page else (404, {"error": "not found"})))

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            asked = urllib.parse.parse_qs(self.rfile.read(length).decode())
            client, secret = self._login(asked)
            if self.path != "/token" or asked.get("grant_type") != ["client_credentials"]:
                self._answer(400, {"error": "unsupported_grant_type"})
            elif client == "html":
                self._answer(200, "<html><body>Sign in</body></html>")
            elif client == "broken":
                self._answer(500, {"error": "server_error"})
            elif client not in (CLIENT, *FAULTS) or secret != SECRET:
                self._answer(401, {"error": "invalid_client"})
            else:
                self._answer(200, provider.token(client))

        def _login(self, asked: dict[str, list[str]]) -> tuple[str, str]:
            kind, _, coded = self.headers.get("Authorization", "").partition(" ")
            if kind == "Basic":
                client, _, secret = base64.b64decode(coded).decode().partition(":")
                return client, secret
            return asked.get("client_id", [""])[0], asked.get("client_secret", [""])[0]

        def _answer(self, status: int, body: dict[str, Any] | str) -> None:
            text = body if isinstance(body, str) else json.dumps(body)
            self.send_response(status)
            kind = "text/html" if isinstance(body, str) else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    return Handler
