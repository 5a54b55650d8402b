"""Class data archives: what they are named by, when they are used, and what becomes of old ones.

The Java here is a script that writes what it is told to; whoever starts a part starts a real one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tidegrid.machine.classes import Archive, fingerprint
from tidegrid.machine.java import java_command

#: Writes the list that it is given as the archive, after a line of its own.
_DUMPS = """#!/bin/sh
case "$*" in *-version*) echo 'openjdk version "17.0.1"'; exit;; esac
for argument; do
  case "$argument" in
    -XX:SharedClassListFile=*) list="${argument#*=}" ;;
    -XX:SharedArchiveFile=*) archive="${argument#*=}" ;;
  esac
done
{ echo "$@"; cat "$list"; } > "$archive"
"""
_REFUSES = """#!/bin/sh
case "$*" in *-version*) echo 'openjdk version "17.0.1"'; exit;; esac
echo 'An error has occurred' >&2
echo 'Error: non-empty directory' >&2
exit 1
"""


@pytest.fixture
def java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Be a machine with another Java."""
    home = tmp_path / "java"
    for folder in ("bin", "lib"):
        (home / folder).mkdir(parents=True)
    (home / "lib" / "modules").write_text("its classes")
    command = home / "bin" / "java"
    command.write_text(_DUMPS)
    command.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(home))
    java_command.cache_clear()
    yield command
    java_command.cache_clear()


def jars(tmp_path: Path, *names: str) -> list[Path]:
    found = [tmp_path / f"{name}.jar" for name in names]
    for jar in found:
        jar.write_text(jar.name)
    return found


def listed(archive: Archive, *lines: str) -> Path:
    """Be a JVM that lists its classes; return its list."""
    (argument,) = archive.arguments()
    option, _, name = argument.partition("=")
    assert option == "-XX:DumpLoadedClassList"
    Path(name).write_text("\n".join(lines))
    return Path(name)


@pytest.mark.usefixtures("java")
def test_the_first_start_lists_classes_and_later_ones_use_the_archive(tmp_path: Path) -> None:
    archive = Archive(tmp_path, "pipeline", jars(tmp_path, "a", "b"), 512)
    listed(archive, "java/lang/Object id: 0", "java/lang/Str")
    archive.make("/a.jar:/b.jar")
    told, *lines = archive.file.read_text().splitlines()
    for part in ("-Xmx512m", "-Xshare:dump", "-cp /a.jar:/b.jar"):
        assert part in told
    # A line that was cut off would end the making of it.
    assert lines == ["java/lang/Object id: 0"]
    assert f"-XX:SharedArchiveFile={archive.file}" in archive.arguments()
    assert {p.name for p in archive.file.parent.iterdir()} == {archive.file.name, "lock"}


@pytest.mark.usefixtures("java")
def test_an_archive_that_another_process_has_made_is_left_alone(tmp_path: Path) -> None:
    archive = Archive(tmp_path, "pipeline", [], 512)
    listed(archive, "java/lang/Object id: 0", "")
    archive.file.write_text("made by another")
    archive.make("")
    assert archive.file.read_text() == "made by another"
    assert {p.name for p in archive.file.parent.iterdir()} == {archive.file.name, "lock"}


@pytest.mark.usefixtures("java")
def test_of_a_part_the_two_archives_that_were_used_last_are_kept(tmp_path: Path) -> None:
    tables = Archive(tmp_path, "tables", [], 512)
    ones = [Archive(tmp_path, "pipeline", [jar], 512) for jar in jars(tmp_path, "a", "b", "c")]
    for hour, one in enumerate([tables, *ones]):
        if one is ones[-1]:
            # It is used again, and so is newer than the one after it.
            assert "SharedArchiveFile" in ones[0].arguments()[0]
        listed(one, "java/lang/Object id: 0", "")
        one.make("")
        if one is not ones[-1]:
            os.utime(one.file, (hour, hour))
    assert [one.file.exists() for one in ones] == [True, False, True]
    assert tables.file.exists()


@pytest.mark.usefixtures("java")
def test_where_nothing_can_be_written_a_start_is_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "jars").write_text("no folder")
    assert Archive(tmp_path, "pipeline", [], 512).arguments() == []


def test_what_java_refuses_is_said_and_the_next_start_is_a_first_one(
    java: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    archive = Archive(tmp_path, "tables", [], 512)
    listed(archive, "java/lang/Object id: 0", "")
    java.write_text(_REFUSES)
    archive.make("")
    assert "start of tables will not be quicker: Error: non-empty directory" in caplog.text
    assert [p.name for p in archive.file.parent.iterdir()] == ["lock"]
    listed(archive)


def test_another_java_other_jars_or_another_heap_are_another_archive(
    java: Path, tmp_path: Path
) -> None:
    two = jars(tmp_path, "a", "b")

    def name(files: list[Path] = two, heap: int = 512) -> str:
        return Archive(tmp_path, "pipeline", files, heap).file.name

    begin = name()
    assert begin == name()
    # Classes are looked for in this order.
    found = {begin, name(two[::-1]), name(two[:1]), name(heap=513)}
    two[0].write_text("another version")
    found.add(name())
    (java.parents[1] / "lib" / "modules").write_text("of another Java")
    found.add(name())
    assert len(found) == 6


def test_a_file_that_was_put_in_place_again_counts_as_another(tmp_path: Path) -> None:
    (jar,) = jars(tmp_path, "a")
    before = fingerprint([jar])
    os.utime(jar, (1, 1))
    # A JVM would not use an archive of it.
    assert fingerprint([jar]) != before
