"""A certificate authority of the tests' own, and certificates from it."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Pair:
    """A certificate with what it is signed with, and its key, as PEM files."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates; its own is in `root.pem`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tidegrid tests")])
        unsigned = self._unsigned(self._name, self._key.public_key(), _DAY)
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        own = unsigned.add_extension(constraints, critical=True).sign(self._key, hashes.SHA256())
        self._pem = own.public_bytes(serialization.Encoding.PEM)
        self.root = folder / "root.pem"
        self.root.write_bytes(self._pem)

    def issue(
        self,
        names: Sequence[str],
        file: str = "server",
        lasts: datetime.timedelta = _DAY,
        password: bytes | None = None,
    ) -> Pair:
        """Make a certificate for some names or addresses; one that lasts less than 0 is over."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "server")])
        signed = (
            self._unsigned(subject, key.public_key(), lasts)
            .add_extension(x509.SubjectAlternativeName([_general(n) for n in names]), False)
            .sign(self._key, hashes.SHA256())
        )
        pair = Pair(self._folder / f"{file}.pem", self._folder / f"{file}.key")
        pair.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM) + self._pem)
        pair.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.BestAvailableEncryption(password)
                if password
                else serialization.NoEncryption(),
            )
        )
        return pair

    def _unsigned(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, lasts: datetime.timedelta
    ) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 2 * _DAY)
            .not_valid_after(now + lasts)
        )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
