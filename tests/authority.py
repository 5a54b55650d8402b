"""A certificate authority for the tests, and a certificate for this machine."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass(frozen=True)
class Authority:
    """The files of an authority, and of the server that it vouches for."""

    #: What clients trust.
    ca: Path
    certificate: Path
    key: Path
    #: Key and certificate in one file, as Kafka wants them.
    both: Path


_DAY = datetime.timedelta(days=1)


def make(folder: Path, lasts: datetime.timedelta = _DAY) -> Authority:
    """Make an authority and a certificate for 127.0.0.1 and localhost, which lasts for a time."""
    folder.mkdir(parents=True, exist_ok=True)
    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    ca_name = x509.Name.from_rfc4514_string("CN=Tidegrid tests")
    ca = _builder(ca_name, ca_name, ca_key.public_key(), _DAY).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    server = _builder(
        x509.Name.from_rfc4514_string("CN=localhost"), ca_name, key.public_key(), lasts
    ).add_extension(
        x509.SubjectAlternativeName(
            [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        ),
        critical=False,
    )
    found = Authority(*(folder / f"{n}.pem" for n in ("ca", "certificate", "key", "both")))
    pem = serialization.Encoding.PEM
    certificate = server.sign(ca_key, hashes.SHA256()).public_bytes(pem)
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    found.ca.write_bytes(ca.sign(ca_key, hashes.SHA256()).public_bytes(pem))
    found.certificate.write_bytes(certificate)
    found.key.write_bytes(private)
    found.both.write_bytes(private + certificate)
    return found


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    lasts: datetime.timedelta,
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + lasts)
    )
