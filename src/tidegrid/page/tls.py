"""TLS of the page: is the certificate good for it, and a client that trusts it."""

from __future__ import annotations

import ssl
from pathlib import Path

from tidegrid.errors import SettingsError


def check(certificate: Path, key: Path, name: str) -> None:
    """Fail with one clear line if a browser that knows the issuer would refuse the certificate.

    Deephaven would start all the same, and answer every viewer with an error.
    """
    for setting, path in (("certificate", certificate), ("key", key)):
        try:
            path.open("rb").close()
        except OSError as e:
            raise SettingsError(f"setting tables.{setting}: {path}: {e.strerror}") from e
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        server.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as e:
        if e.reason == "KEY_VALUES_MISMATCH":
            said = f"the key in {key} does not belong to the certificate in {certificate}"
        else:
            said = f"{certificate} and {key} are not a certificate and its key in PEM form ({e})"
        raise SettingsError(f"settings tables.certificate and tables.key: {said}") from e
    try:
        _shake_hands(server, trusting(certificate), name)
    except ssl.SSLCertVerificationError as e:
        raise SettingsError(
            f"setting tables.certificate: {certificate}, for viewers who come to {name}: "
            f"{e.verify_message}; use one that is for that name, or set tables.name"
        ) from e


def trusting(certificate: Path) -> ssl.SSLContext:
    """Return a client's context that trusts this certificate and what it is signed with alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(certificate)
    # The file need not hold the root: what is in it is trusted as it is.
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
    return context


def _no_password() -> str:
    raise SettingsError(
        "setting tables.key: the key is encrypted, and Deephaven cannot ask for its password; "
        "decrypt it with: openssl pkey -in KEY -out PLAIN_KEY"
    )


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, name: str) -> None:
    """Let the two meet in memory, so that the library judges names, dates and the chain."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = [
        client.wrap_bio(to_client, to_server, server_hostname=name),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    while sides:
        for side in list(sides):
            try:
                side.do_handshake()
                sides.remove(side)
            except ssl.SSLWantReadError:
                pass
