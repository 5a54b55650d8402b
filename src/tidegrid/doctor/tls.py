"""TLS: whether a server speaks it as the settings say, with a certificate that can be trusted."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time

from tidegrid.doctor import certificates, wire
from tidegrid.doctor.certificates import Certificate
from tidegrid.doctor.findings import Answer, Problem
from tidegrid.doctor.network import Place, connected
from tidegrid.doctor.wire import Listener


def broker(place: Place, encrypted: bool, ca: str) -> Answer[Listener]:
    """Look at what a broker's listener speaks: TLS that can be trusted, or none, as is wanted."""
    return _encrypted(place, ca) if encrypted else _open(place)


def endpoint(place: Place, ca: str) -> Answer[None]:
    """Look at the TLS of an HTTPS address."""
    try:
        with connected(place) as raw, _trusted(raw, place, ca) as channel:
            certificate = dict(channel.getpeercert() or {})
    except ssl.SSLCertVerificationError as e:
        raise _untrusted(place, ca, e) from e
    except OSError as e:
        raise Problem(
            f"no TLS with {place}: {certificates.said(e)}",
            f"check the port in {place.setting}, and whether it is https or http",
        ) from e
    return certificates.judge(certificate, place.host, time.time())


def _encrypted(place: Place, ca: str) -> Answer[Listener]:
    try:
        with connected(place) as raw, _trusted(raw, place, ca) as channel:
            certificate = dict(channel.getpeercert() or {})
            listener = _listener(channel)
    except ssl.SSLCertVerificationError as e:
        raise _untrusted(place, ca, e) from e
    except OSError as e:
        if _speaks_plainly(place):
            raise Problem(
                f"{place} speaks no TLS",
                f'set kafka.tls = "off", or name the port of its TLS listener in {place.setting}',
            ) from e
        raise Problem(
            f"no TLS with {place}: {certificates.said(e)}",
            f"check that {place.setting} names a TLS listener of Kafka",
        ) from e
    good = certificates.judge(certificate, place.host, time.time())
    return Answer(good.detail, listener or Listener(None), good.state, good.fix)


def _open(place: Place) -> Answer[Listener]:
    with connected(place) as channel:
        listener = _listener(channel)
    if listener is not None:
        return Answer("none, as the settings say", listener)
    if _certificate(place) is not None:
        raise Problem(
            f"{place} speaks TLS, and the settings say it does not",
            'set kafka.tls = "on", and kafka.ca if its authority is a private one',
        )
    raise Problem(
        f"what listens at {place} does not answer as a Kafka broker does",
        f"check the port in {place.setting}",
    )


def _trusted(raw: socket.socket, place: Place, ca: str) -> ssl.SSLSocket:
    """Wrap a connection in TLS, with the name and the chain verified as our clients do it."""
    try:
        context = ssl.create_default_context(cafile=ca or None)
    except OSError as e:
        raise Problem(
            f"kafka.ca: {ca} cannot be used: {certificates.said(e)}",
            "it must hold the certificates of the authorities as PEM, with their BEGIN and END",
        ) from e
    return context.wrap_socket(raw, server_hostname=place.host)


def _untrusted(place: Place, ca: str, error: ssl.SSLCertVerificationError) -> Problem:
    der = _certificate(place)
    return certificates.explain(error, _fields(place, der) if der else {}, place, ca)


def _certificate(place: Place) -> bytes | None:
    """Return the certificate that a server shows, whoever vouches for it; None without TLS."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with (
        contextlib.suppress(Problem, OSError),
        connected(place) as raw,
        context.wrap_socket(raw, server_hostname=place.host) as channel,
    ):
        return channel.getpeercert(binary_form=True)
    return None


def _fields(place: Place, der: bytes) -> Certificate:
    """Return the fields of a server's certificate; empty if it is out of its time.

    Python tells them only of one that is verified, so here it is its own authority.
    """
    context = ssl.create_default_context(cadata=der)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    with (
        contextlib.suppress(Problem, OSError),
        connected(place) as raw,
        context.wrap_socket(raw, server_hostname=place.host) as channel,
    ):
        return dict(channel.getpeercert() or {})
    return {}


def _listener(channel: socket.socket) -> Listener | None:
    with contextlib.suppress(OSError, wire.NotKafka):
        return wire.ask(channel)
    return None


def _speaks_plainly(place: Place) -> bool:
    with contextlib.suppress(Problem, OSError), connected(place) as channel:
        return _listener(channel) is not None
    return False
