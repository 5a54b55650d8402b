"""A broker that lets nobody in without a login, beside a listener of its own for the tests."""

from __future__ import annotations

from pathlib import Path

from confluent_kafka.admin import (
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from tests.support.authority import Authority
from tests.support.oidc import AUDIENCE, Provider
from tidegrid import kafka
from tidegrid.broker.local import LocalBroker
from tidegrid.kafka.connection import ALLOWED_URLS
from tidegrid.machine.ports import free_port
from tidegrid.settings import Settings

_VALIDATOR = "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler"
_OAUTH = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
_SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
#: Who may show a password; it is in the broker's own configuration, as such passwords are.
PLAIN_USER = "guest"
PLAIN_PASSWORD = "the guest's password of the tests"
_MORE = """
log.cleaner.backoff.ms=500
listeners=PLAINTEXT://127.0.0.1:{port},OAUTH://127.0.0.1:{oauth},PASSWORDS://127.0.0.1:{passwords},\
CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port},OAUTH://127.0.0.1:{oauth},PASSWORDS://127.0.0.1:{passwords}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,OAUTH:SASL_SSL,PASSWORDS:SASL_SSL
ssl.keystore.type=PEM
ssl.keystore.location={identity}
connections.max.reauth.ms=60000
listener.name.oauth.sasl.enabled.mechanisms=OAUTHBEARER
listener.name.oauth.oauthbearer.sasl.server.callback.handler.class={validator}
listener.name.oauth.oauthbearer.sasl.jaas.config={oauth_module} required \
unsecuredLoginStringClaim_sub="broker" ssl.truststore.type="PEM" ssl.truststore.location="{ca}";
listener.name.oauth.sasl.oauthbearer.jwks.endpoint.url={issuer}/keys
listener.name.oauth.sasl.oauthbearer.expected.audience={audience}
listener.name.oauth.sasl.oauthbearer.expected.issuer={issuer}
listener.name.oauth.sasl.oauthbearer.clock.skew.seconds=1
listener.name.passwords.sasl.enabled.mechanisms=SCRAM-SHA-512,PLAIN
listener.name.passwords.scram-sha-512.sasl.jaas.config={scram_module} required;
listener.name.passwords.plain.sasl.jaas.config={plain_module} required \
user_{plain_user}="{plain_password}";
"""


class SecuredBroker(LocalBroker):
    """A local broker with three doors: an open one, one for tokens, one for passwords."""

    def __init__(self, settings: Settings, authority: Authority, provider: Provider) -> None:
        super().__init__(settings)
        self._authority = authority
        self._provider = provider
        self.oauth = free_port()
        self.passwords = free_port()
        self.jvm = [f"-D{ALLOWED_URLS}={provider.issuer}/keys"]

    def add_user(self, name: str, password: str) -> None:
        """Let somebody in with a password."""
        user = UserScramCredentialUpsertion(
            name, ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), password.encode()
        )
        for done in kafka.admin(self._connection).alter_user_scram_credentials([user]).values():
            done.result(10)

    def properties(self, data: Path, controller: int) -> str:
        """Return the configuration of all doors."""
        return super().properties(data, controller) + _MORE.format(
            port=self.port,
            oauth=self.oauth,
            passwords=self.passwords,
            controller=controller,
            identity=self._authority.both,
            ca=self._authority.ca,
            validator=_VALIDATOR,
            oauth_module=_OAUTH,
            scram_module=_SCRAM,
            plain_module=_PLAIN,
            plain_user=PLAIN_USER,
            plain_password=PLAIN_PASSWORD,
            issuer=self._provider.issuer,
            audience=AUDIENCE,
        )
