"""A server of this machine for the tests, and what its clients trust."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from tests.support import certificates

_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Authority:
    """The files of an authority, and of the server that it vouches for."""

    #: What clients trust.
    ca: Path
    certificate: Path
    key: Path
    #: Key and certificate in one file, as Kafka wants them.
    both: Path


def make(folder: Path, lasts: datetime.timedelta = _DAY) -> Authority:
    """Make an authority and a certificate for 127.0.0.1 and localhost, which lasts for a time."""
    folder.mkdir(parents=True, exist_ok=True)
    root = certificates.Authority(folder)
    pair = root.issue(["localhost", "127.0.0.1"], lasts=lasts)
    both = folder / "both.pem"
    both.write_bytes(pair.key.read_bytes() + pair.certificate.read_bytes())
    return Authority(root.root, pair.certificate, pair.key, both)
