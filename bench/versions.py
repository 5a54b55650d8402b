"""Versions of Tidegrid: this checkout and, side by side with it, another one."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tidegrid.settings.sections import BUILT_PAGE

_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Version:
    """A checkout whose code a process runs."""

    name: str
    folder: Path

    @property
    def environment(self) -> Mapping[str, str]:
        """What makes this interpreter run that code, with the page that is built here."""
        return {
            # Comes before the path of the installed project, which is this checkout.
            "PYTHONPATH": f"{self.folder / 'src'}:{self.folder}",
            "TIDEGRID_TABLES_PAGE": str(BUILT_PAGE),
        }

    @property
    def commit(self) -> str:
        """The commit that is checked out, and whether files were changed since."""
        command = ("git", "-C", str(self.folder), "describe", "--always", "--dirty", "--exclude=*")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{self.folder} is no git checkout: {done.stderr.strip()}")
        return done.stdout.strip()


OURS = Version("tidegrid", _ROOT)


def other(folder: Path) -> Version:
    """Return the version in a folder; systems of Tidegrid are known by how their names begin."""
    return Version("tidegrid_other", folder.resolve())
