"""A bare environment: a wheel, the packages it depends on, and no other; no Node on the PATH.

The packages are those of the running environment, linked: nothing is downloaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

_NODE = ("corepack", "node", "nodejs", "npm", "npx")


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new virtual environment, and return the environment's `bin`."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    commands = folder / "bin"
    python = str(commands / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    pip += ["--disable-pip-version-check", "--no-index", "--no-deps", str(wheel)]
    # A Tidegrid on the PYTHONPATH would count as installed.
    environment = {name: v for name, v in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(pip, env=environment, check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (installed,) = metadata.distributions(name="tidegrid", path=[str(packages)])
    for entry in _depended_on(installed):
        link = packages / entry.name
        if not link.exists():
            link.symlink_to(entry)
    return commands


def path_without_node(folder: Path) -> Path:
    """Return a folder with a link to every command on the PATH but those of Node."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for command in Path(place).glob("*"):
            link = folder / command.name
            if command.name not in _NODE and not link.is_symlink():
                link.symlink_to(command)
    return folder


def _depended_on(distribution: metadata.Distribution) -> set[Path]:
    """Return what the dependencies of a package have in the running environment's packages."""
    found: set[Path] = set()
    wanted, seen = _required(distribution, ""), set()
    while wanted:
        name, extra = asked = wanted.pop()
        if asked in seen:
            continue
        seen.add(asked)
        dependency = metadata.distribution(name)
        wanted += _required(dependency, extra)
        tops = {file.parts[0] for file in dependency.files or ()} - {"..", "__pycache__"}
        found |= {Path(str(dependency.locate_file(top))) for top in tops}
    return found


def _required(distribution: metadata.Distribution, extra: str) -> list[tuple[str, str]]:
    """Return the packages that one requires with an extra, each with the extras of it in turn."""
    parsed = [Requirement(text) for text in distribution.requires or ()]
    needed = [r for r in parsed if r.marker is None or r.marker.evaluate({"extra": extra})]
    return [(r.name, chosen) for r in needed for chosen in ("", *r.extras)]
