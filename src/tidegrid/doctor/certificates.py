"""Certificates: how long one is good for, and what is wrong with one that cannot be trusted."""

from __future__ import annotations

import ssl
from typing import Any

from tidegrid.doctor.findings import Answer, Problem, shown
from tidegrid.doctor.network import Place

#: As `ssl.SSLSocket.getpeercert` returns it.
Certificate = dict[str, Any]

#: Days before its end at which a certificate is a matter of concern.
_SOON = 14
_DAY = 86_400
# OpenSSL's numbers for what is wrong with a certificate.
_NOT_YET_VALID, _EXPIRED = 9, 10
_OTHER_NAME = (62, 64)


def judge(certificate: Certificate, host: str, now: float) -> Answer[None]:
    """Say how long a certificate that can be trusted still is one."""
    days = (ssl.cert_time_to_seconds(certificate["notAfter"]) - now) / _DAY
    left = f"{days:.0f} days" if days >= 2 else f"{days * 24:.0f} hours"
    detail = f"{host} is vouched for by {_issuer(certificate)}, for {left} more"
    if days >= _SOON:
        return Answer(detail, None)
    return Answer(detail, None, "warning", "have the certificate renewed in time")


def explain(
    error: ssl.SSLCertVerificationError, certificate: Certificate, place: Place, ca: str
) -> Problem:
    """Say what is wrong with a certificate that cannot be trusted."""
    if error.verify_code in _OTHER_NAME:
        names = ", ".join(str(value) for _, value in certificate.get("subjectAltName", ()))
        return Problem(
            f"the certificate of {place} is for {shown(names) or 'other names'}, not {place.host}",
            f"name it as its certificate does in {place.setting}, or have {place.host} put into it",
        )
    if error.verify_code == _EXPIRED:
        return Problem(
            f"the certificate of {place} has expired",
            "have it renewed; if it is new, check the clock of this machine",
        )
    if error.verify_code == _NOT_YET_VALID:
        return Problem(
            f"the certificate of {place} is not valid yet", "check the clock of this machine"
        )
    by = f"; it is by {_issuer(certificate)}" if certificate else ""
    trust = f"by what is in kafka.ca ({ca})" if ca else "by the authorities of this system"
    return Problem(
        f"the certificate of {place} is not vouched for {trust}{by}: {error.verify_message}",
        f"put the certificate of its authority into {ca} as well"
        if ca
        else "set kafka.ca to a PEM file with the certificate of its authority",
    )


def said(error: OSError) -> str:
    """Return what OpenSSL or the system says, without their numbers."""
    if isinstance(error, ssl.SSLError) and error.reason:
        return str(error.reason).replace("_", " ").lower()
    return error.strerror or str(error) or type(error).__name__


def _issuer(certificate: Certificate) -> str:
    parts = dict(pair for part in certificate.get("issuer", ()) for pair in part)
    found = parts.get("commonName") or parts.get("organizationName") or "an authority of no name"
    return shown(str(found))
