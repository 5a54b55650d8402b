"""The Java on this machine: where it is, and whether it is new enough."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from tidegrid.errors import MachineError

REQUIRED = 17
_HINT = (
    f"install a JDK {REQUIRED} or newer (Debian: apt-get install openjdk-17-jdk-headless) "
    "or set JAVA_HOME to one"
)


@cache
def java_command() -> str:
    """Return the `java` to use, from JAVA_HOME or the PATH; it must be new enough."""
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if not found or not os.access(found, os.X_OK):
        where = f"JAVA_HOME is {home}, and has no bin/java" if home else "no java on the PATH"
        raise MachineError(f"Java is missing ({where}): {_HINT}")
    version = major_version(found)
    if version < REQUIRED:
        raise MachineError(f"Java {version} at {found} is too old: {_HINT}")
    return found


def java_home() -> str:
    """Return the home of the Java to use, with links resolved."""
    return str(Path(java_command()).resolve().parents[1])


def major_version(java: str) -> int:
    """Return the major version of a `java` command."""
    return parse_version(version_text(java))


def version_text(java: str) -> str:
    """Return what a `java` command says of its version."""
    done = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    return done.stderr + done.stdout


def parse_version(text: str) -> int:
    """Return the major version from what `java -version` prints; 0 if it cannot be told.

    >>> parse_version('openjdk version "17.0.15" 2025-04-15')
    17
    >>> parse_version('java version "1.8.0_392"')
    8
    """
    match = re.search(r'version "(\d+)(?:\.(\d+))?', text)
    if not match:
        return 0
    major = int(match[1])
    return int(match[2] or 0) if major == 1 else major
