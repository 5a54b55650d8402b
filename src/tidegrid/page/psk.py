"""What makes a key for viewers one that holds."""

from __future__ import annotations

import re

#: Deephaven neither slows down nor locks out who guesses, so it is the length that protects: 16
#: random letters and digits are 95 bits.
SHORTEST = 16
_FEWEST_DIFFERENT = 6
_WORDS = (
    "password",
    "passwort",
    "passphrase",
    "changeme",
    "letmein",
    "welcome",
    "iloveyou",
    "correcthorsebatterystaple",
    "presharedkey",
    "secret",
    "tidegrid",
    "deephaven",
    "kafka",
    "admin",
    "default",
    "example",
    "0123456789",
    "1234567890",
    "12345678",
    "123456",
    "9876543210",
    "87654321",
    "abcdefghijklmnopqrstuvwxyz",
    "abcdefgh",
    "abcdef",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertz",
    "qwerty",
)


def problem(key: str) -> str:
    """Return what is wrong with a key, without showing any of it; nothing if it will do."""
    if not (key.isascii() and key.isprintable()):
        return "has characters other than printable ASCII, which Deephaven does not take"
    if key != key.strip():
        # Deephaven cuts them off: a viewer who gives the key as it is would be refused.
        return "begins or ends with a blank"
    if len(key) < SHORTEST:
        return f"has {len(key)} characters, and {SHORTEST} are the fewest that hold"
    if len(set(key)) < _FEWEST_DIFFERENT or key in (key + key)[1:-1]:
        return "repeats itself, which makes it easy to guess"
    if len(_unusual(key)) < SHORTEST // 2:
        return "is made of words that everybody tries"
    return ""


def _unusual(key: str) -> str:
    """Return what is left of a key without the words that everybody tries."""
    left = re.sub(r"[ ._-]", "", key.lower())
    for word in _WORDS:
        left = left.replace(word, "")
    return left
