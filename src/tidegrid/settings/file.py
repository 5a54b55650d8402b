"""The settings file: which one it is, and what is in it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tidegrid.errors import SettingsError
from tidegrid.settings.variables import SETTINGS_VARIABLE

DEFAULT = Path("tidegrid.toml")


def find(path: Path | None, environ: Mapping[str, str]) -> Path | None:
    """Return the file to read: the one asked for, else the default one if it is there."""
    if path is None and environ.get(SETTINGS_VARIABLE):
        path = Path(environ[SETTINGS_VARIABLE])
    if path is None and DEFAULT.exists():
        path = DEFAULT
    return path


def read(path: Path | None) -> dict[str, Any]:
    """Return what a settings file holds; nothing if there is none."""
    if path is None:
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as e:
        raise SettingsError(f"settings file {path}: {e.strerror}") from e
    except (ValueError, RecursionError) as e:
        raise SettingsError(f"settings file {path}: not valid TOML: {e}") from e
