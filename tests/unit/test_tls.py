"""TLS of the page: a certificate that browsers would refuse is refused at the start."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
from pathlib import Path

import pytest

from tests.support.certificates import Authority
from tidegrid.errors import SettingsError
from tidegrid.page import probe as page
from tidegrid.page import tls
from tidegrid.settings import Settings, Tables


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.mark.parametrize("name", ["tables.example.com", "127.0.0.1"])
def test_a_certificate_for_the_name_is_fine(authority: Authority, name: str) -> None:
    pair = authority.issue(["tables.example.com", "127.0.0.1"])
    tls.check(pair.certificate, pair.key, name)


def test_a_certificate_for_another_name_is_refused_with_both_names(authority: Authority) -> None:
    pair = authority.issue(["other.example.com"])
    with pytest.raises(SettingsError, match=r"come to tables\.example\.com: .*tables\.name"):
        tls.check(pair.certificate, pair.key, "tables.example.com")


def test_a_certificate_that_is_over_is_refused(authority: Authority) -> None:
    pair = authority.issue(["127.0.0.1"], lasts=-datetime.timedelta(hours=1))
    with pytest.raises(SettingsError, match="certificate has expired"):
        tls.check(pair.certificate, pair.key, "127.0.0.1")


def test_a_key_of_another_certificate_is_refused(authority: Authority) -> None:
    one, other = authority.issue(["127.0.0.1"]), authority.issue(["127.0.0.1"], "other")
    with pytest.raises(SettingsError, match="does not belong to the certificate"):
        tls.check(one.certificate, other.key, "127.0.0.1")


def test_an_encrypted_key_is_refused_without_asking(authority: Authority) -> None:
    pair = authority.issue(["127.0.0.1"], password=b"locked")
    with pytest.raises(SettingsError, match="the key is encrypted"):
        tls.check(pair.certificate, pair.key, "127.0.0.1")


def test_a_file_that_is_missing_or_no_pem_is_named(authority: Authority, tmp_path: Path) -> None:
    pair = authority.issue(["127.0.0.1"])
    absent = tmp_path / "absent.pem"
    with pytest.raises(SettingsError, match=r"tables\.certificate: .*absent\.pem: No such file"):
        tls.check(absent, pair.key, "127.0.0.1")
    with pytest.raises(SettingsError, match=r"tables\.key: .*absent\.pem: No such file"):
        tls.check(pair.certificate, absent, "127.0.0.1")
    absent.write_text("not a certificate")
    with pytest.raises(SettingsError, match="PEM"):
        tls.check(absent, pair.key, "127.0.0.1")


def test_the_probe_trusts_the_certificate_of_the_settings_and_no_other(
    authority: Authority, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    shown = authority.issue(["tables.example.com"])
    foreign = Authority(tmp_path / "elsewhere").issue(["tables.example.com"])
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(shown.certificate, shown.key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_serve, args=(listener, server), daemon=True).start()
        chosen = Tables(
            port=listener.getsockname()[1],
            name="tables.example.com",
            certificate=str(shown.certificate),
            key=str(shown.key),
        )
        assert page.ask(Settings(tables=chosen), timeout=5) == ""
        other = Tables(port=chosen.port, name=chosen.name, certificate=str(foreign.certificate))
        assert "CERTIFICATE_VERIFY_FAILED" in page.ask(Settings(tables=other), timeout=5)
        plain = Tables(port=chosen.port)
        assert page.ask(Settings(tables=plain), timeout=5) != ""


def _serve(listener: socket.socket, context: ssl.SSLContext) -> None:
    """Answer with an empty page, to whoever gets through the handshake."""
    while True:
        try:
            near, _ = listener.accept()
        except OSError:
            return
        near.settimeout(5)
        try:
            with context.wrap_socket(near, server_side=True) as secure:
                secure.recv(65536)
                secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        except OSError:
            near.close()
