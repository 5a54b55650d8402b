"""This machine: Java, the jars, room on the disk, the checkpoints' folder, the built page."""

from __future__ import annotations

import re
import tempfile
import zipfile
from pathlib import Path

from tidegrid.doctor.findings import Answer, Problem, Steps
from tidegrid.errors import MachineError
from tidegrid.machine import disk, jars, java
from tidegrid.settings import Settings


def check(steps: Steps, settings: Settings) -> None:
    """Look at this machine."""
    steps.take("java", "asking java for its version", _java)
    steps.take("jars", "looking at the jars", lambda: jars_at(settings.home))
    steps.take("disk", "looking at the home folder", lambda: _disk(settings.home))
    folder = settings.checkpoints
    steps.take("checkpoints", f"writing to {folder}", lambda: checkpoints(folder))
    steps.take("page", "looking for the built page", lambda: _page(settings.page_dir))


def _java() -> Answer[None]:
    try:
        found = java.java_command()
    except MachineError as e:
        what, _, fix = str(e).partition(": ")
        raise Problem(what, fix) from e
    version = re.search(r'version "([^"]+)"', java.version_text(found))
    return Answer(f"{version[1] if version else 'of an unknown version'} ({found})", None)


def jars_at(home: Path) -> Answer[None]:
    """Look at the jars, and fetch none."""
    folder = jars.place(home)
    if not folder.exists():
        return Answer(
            f"not fetched yet ({folder})",
            None,
            "warning",
            "the first tidegrid pipeline or tidegrid up fetches them from Maven Central, about "
            "60 MB; on a machine without that network, copy the folder from one that has it",
        )
    found = sorted((folder / "spark").glob("*.jar"))
    broken = [jar.name for jar in found if not zipfile.is_zipfile(jar)]
    if broken or not found:
        raise Problem(
            f"{folder}: {', '.join(broken) or 'the jars for Spark'} cannot be used",
            f"remove {folder}; the next start fetches them again",
        )
    return Answer(f"{len(found)} for Spark ({folder})", None)


def _disk(home: Path) -> Answer[None]:
    free = disk.free_mb(nearest(home))
    if free < disk.MIN_FREE_MB:
        raise Problem(
            f"{home.absolute()} has {free:,} MB free and {disk.MIN_FREE_MB:,} are needed",
            "make room, or set TIDEGRID_HOME to a folder on another disk",
        )
    return Answer(f"{free:,} MB free for {home.absolute()}", None)


def checkpoints(folder: Path) -> Answer[None]:
    """Do what Spark does in a checkpoint: make a folder, write a file, rename it, remove both."""
    there = nearest(folder)
    try:
        with tempfile.TemporaryDirectory(prefix=".tidegrid-doctor-", dir=there) as made:
            file = Path(made) / "part"
            file.write_bytes(b"x")
            file.rename(file.with_name("whole"))
    except OSError as e:
        raise Problem(
            f"{there.absolute()} cannot be written to: {e.strerror}",
            "give the user who runs the pipeline the right to write there, or set TIDEGRID_HOME "
            "to another folder",
        ) from e
    note = "" if there == folder else " (not there yet; the pipeline makes it)"
    return Answer(f"{folder.absolute()} can be written to{note}", None)


def _page(folder: Path) -> Answer[None]:
    if (folder / "index.html").is_file():
        return Answer(str(folder), None)
    return Answer(
        f"{folder}/index.html is missing",
        None,
        "warning",
        "run make page, if the tables are to run on this machine",
    )


def nearest(path: Path) -> Path:
    """Return the path itself, or the nearest folder above it that exists."""
    return next(p for p in (path, *path.absolute().parents) if p.exists())
