"""The network: names, connections and certificates, with real sockets on this machine."""

from __future__ import annotations

import contextlib
import datetime
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import authority
from tests.support.authority import Authority
from tidegrid.doctor import network, tls, wire
from tidegrid.doctor.findings import Problem
from tidegrid.doctor.network import Place
from tidegrid.machine.ports import free_port

SETTING = "kafka.bootstrap"


@pytest.fixture(scope="module")
def trust(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return authority.make(tmp_path_factory.mktemp("authority"))


@contextlib.contextmanager
def listening(shown: Authority | None, host: str = "127.0.0.1") -> Iterator[Place]:
    """Listen, with the certificate of an authority or without any, and answer nothing."""
    with socket.create_server((host, 0)) as server:

        def serve() -> None:
            while True:
                try:
                    raw, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=answer, args=(raw,), daemon=True).start()

        def answer(raw: socket.socket) -> None:
            with contextlib.suppress(OSError), raw:
                raw.settimeout(5)
                if shown is None:
                    # As Kafka does with what it does not understand.
                    raw.recv(1)
                    return
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(shown.certificate, shown.key)
                with context.wrap_socket(raw, server_side=True) as channel:
                    channel.recv(1)

        threading.Thread(target=serve, daemon=True).start()
        yield Place(host, server.getsockname()[1], SETTING)
        server.shutdown(socket.SHUT_RDWR)


def problem_of(place: Place, ca: str) -> Problem:
    with pytest.raises(Problem) as found:
        tls.endpoint(place, ca)
    return found.value


def test_addresses_are_taken_apart() -> None:
    found = network.places("a:1, [::1]:2", SETTING)
    assert [(p.host, p.port) for p in found] == [("a", 1), ("::1", 2)]
    assert [str(p) for p in found] == ["a:1", "[::1]:2"]


def test_a_name_that_does_not_resolve_is_said_with_its_setting() -> None:
    with pytest.raises(Problem, match="does not resolve") as found:
        network.resolve(Place("nowhere.invalid", 9092, SETTING))
    assert SETTING in found.value.fix


def test_a_port_where_nothing_listens_is_said() -> None:
    place = Place("127.0.0.1", free_port(), SETTING)
    with pytest.raises(Problem, match="refuses connections"), network.connected(place):
        pass


def test_a_certificate_of_a_trusted_authority_is_fine_but_ends_soon(trust: Authority) -> None:
    with listening(trust) as place:
        found = tls.endpoint(place, str(trust.ca))
    assert found.state == "warning"
    assert found.detail == "127.0.0.1 is vouched for by Tidegrid tests, for 24 hours more"


def test_an_authority_that_is_not_trusted_is_named(trust: Authority, tmp_path: Path) -> None:
    other = authority.make(tmp_path)
    with listening(trust) as place:
        by_system, by_other = problem_of(place, ""), problem_of(place, str(other.ca))
    assert "not vouched for by the authorities of this system; it is by Tidegrid tests" in (
        by_system.detail
    )
    assert by_system.fix.startswith("set kafka.ca")
    assert f"kafka.ca ({other.ca})" in by_other.detail
    assert by_other.fix.startswith("put the certificate of its authority into")


def test_a_certificate_for_other_names_says_which(trust: Authority) -> None:
    with listening(trust, "127.0.0.2") as place:
        found = problem_of(place, str(trust.ca))
    assert "is for localhost, 127.0.0.1, not 127.0.0.2" in found.detail


def test_a_certificate_that_has_expired_is_said(tmp_path: Path) -> None:
    old = authority.make(tmp_path, datetime.timedelta(minutes=-1))
    with listening(old) as place:
        assert "has expired" in problem_of(place, str(old.ca)).detail


def test_a_file_that_is_no_authority_is_said(trust: Authority, tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.touch()
    with listening(trust) as place:
        assert f"kafka.ca: {empty} cannot be used" in problem_of(place, str(empty)).detail


def test_tls_that_is_not_spoken_there_is_said() -> None:
    with listening(None) as place:
        assert problem_of(place, "").detail.startswith(f"no TLS with {place}: ")


def test_a_tls_listener_is_told_from_one_without(trust: Authority) -> None:
    with listening(trust) as place, pytest.raises(Problem, match="speaks TLS, and the settings"):
        tls.broker(place, encrypted=False, ca="")
    with listening(None) as place, pytest.raises(Problem, match="not answer as a Kafka broker"):
        tls.broker(place, encrypted=False, ca="")


def test_the_request_names_no_mechanism() -> None:
    assert wire.request() == b"\0\0\0\x0c\0\x11\0\x01\0\0\x71\xde\xff\xff\0\0"


@pytest.mark.parametrize(
    ("error", "names", "wanted"),
    [
        (33, ["SCRAM-SHA-512", "PLAIN"], ("SCRAM-SHA-512", "PLAIN")),
        (34, [], ()),
    ],
)
def test_the_answer_says_which_logins_a_listener_takes(
    error: int, names: list[str], wanted: tuple[str, ...]
) -> None:
    listed = b"".join(struct.pack(">h", len(n)) + n.encode() for n in names)
    answer = struct.pack(">ihi", 0x71DE, error, len(names)) + listed
    assert wire.parse(answer).mechanisms == wanted


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400", struct.pack(">ihi", 0x71DE, 0, 9)])
def test_another_answer_is_not_kafka(answer: bytes) -> None:
    with pytest.raises(wire.NotKafka):
        wire.parse(answer)
