"""The key viewers log in with: one that holds, or an error that does not show it."""

from __future__ import annotations

import secrets
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.stack import PSK
from tidegrid import settings
from tidegrid.errors import SettingsError
from tidegrid.page.psk import SHORTEST, problem
from tidegrid.settings import PSK_VARIABLE


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("open sesame", "11 characters"),
        ("x9$Kq2!vB7@mZ4%", "15 characters"),
        (" 4cU8nQ1rT6yW3eX0", "begins or ends with a blank"),
        ("4cU8nQ1rT6yW3eX0\t", "printable"),
        ("4cU8nQ1rT6\nyW3eX0", "printable"),
        ("4cU8nQ1rT6yW3eXö", "printable ASCII"),
        ("aaaaaaaaaaaaaaaaaaaaaaaa", "repeats itself"),
        ("k3V9xk3V9xk3V9xk3V9x", "repeats itself"),
        ("1234567890123456", "everybody tries"),
        ("Password12345678", "everybody tries"),
        ("tidegrid-deephaven", "everybody tries"),
        ("changeme_changeme1", "everybody tries"),
        ("Correct Horse Battery Staple", "everybody tries"),
        ("my-secret-password", "everybody tries"),
    ],
)
def test_a_weak_key_is_refused_and_not_shown(key: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why) as failed:
        settings.psk({PSK_VARIABLE: key})
    said = "".join(traceback.format_exception(failed.value, limit=0))
    assert key.strip() not in said
    assert PSK_VARIABLE in said


@pytest.mark.parametrize(
    "key",
    [
        PSK,
        secrets.token_urlsafe(24),
        secrets.token_hex(24),
        "x9$Kq2!vB7@mZ4%w",
        "{}[]()<>!@#$%^&*",
        "seven brown kites over Lisbon",
    ],
)
def test_a_long_key_of_its_own_will_do(key: str) -> None:
    assert settings.psk({PSK_VARIABLE: key}) == key


@given(st.text())
def test_whatever_passes_is_what_deephaven_takes_as_it_is(key: str) -> None:
    if not problem(key):
        assert key.isascii()
        assert key == key.strip()
        assert len(key) >= SHORTEST


def test_random_keys_pass() -> None:
    assert [problem(secrets.token_urlsafe(24)) for _ in range(1000)] == [""] * 1000
