"""What a query does with its checkpoint, and how many task slots the queries take. No JVM."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql.streaming.listener import StateOperatorProgress

from tidegrid.contract.slots import GENERATIONS_AT_ONCE, Demand, slots_needed
from tidegrid.errors import first_line
from tidegrid.pipeline.spark_internals import (
    RecordsGoneError,
    clear_uncommitted,
    committed_batches,
    committed_offsets,
    lost_records,
    state_bytes,
)


def checkpoint(folder: Path, *commits: str) -> Path:
    """Make a checkpoint as Spark leaves it, with these files among its commits."""
    made = folder / "by-user"
    for name in ("commits", "offsets", "state/0/0"):
        (made / name).mkdir(parents=True)
    (made / "metadata").write_text("{}", "utf-8")
    for name in commits:
        (made / "commits" / name).write_text("v1\n{}", "utf-8")
    return made


def test_only_batches_count_as_committed(tmp_path: Path) -> None:
    made = checkpoint(tmp_path, "0", "1", "12", ".0.crc", ".2.a1b2.tmp")
    assert committed_batches(made) == 13


def test_a_checkpoint_that_is_not_there_has_committed_nothing(tmp_path: Path) -> None:
    assert committed_batches(tmp_path / "absent") == 0
    assert committed_batches(tmp_path) == 0


def test_a_query_goes_on_from_the_offsets_of_its_last_commit(tmp_path: Path) -> None:
    made = checkpoint(tmp_path, "8", "9")
    for batch, offset in (("8", 5), ("9", 7), ("10", 9)):
        text = f'v1\n{{"batchTimestampMs":1}}\n{{"users":{{"0":{offset}}}}}'
        (made / "offsets" / batch).write_text(text, "utf-8")
    assert committed_offsets(made) == {"users": {"0": 7}}


@pytest.mark.parametrize("text", ["", "v1", "v1\n{}\nnot json", "v1\n{}\n-"])
def test_offsets_that_cannot_be_read_are_left_to_spark(tmp_path: Path, text: str) -> None:
    made = checkpoint(tmp_path, "0")
    (made / "offsets" / "0").write_text(text, "utf-8")
    assert committed_offsets(made) is None
    assert committed_offsets(tmp_path / "absent") is None


def test_a_checkpoint_that_never_committed_is_removed(tmp_path: Path) -> None:
    made = checkpoint(tmp_path, ".0.a1b2.tmp")
    other = tmp_path / "by-account"
    other.mkdir()
    clear_uncommitted(made)
    assert not made.exists()
    assert other.exists()


def test_a_checkpoint_that_committed_is_kept_whole(tmp_path: Path) -> None:
    made = checkpoint(tmp_path, "0")
    before = sorted(made.rglob("*"))
    clear_uncommitted(made)
    assert sorted(made.rglob("*")) == before


def test_clearing_a_checkpoint_that_is_not_there_is_fine(tmp_path: Path) -> None:
    clear_uncommitted(tmp_path / "absent")
    assert list(tmp_path.iterdir()) == []


def test_records_that_are_gone_are_told_from_other_errors() -> None:
    spark = (
        "[STREAM_FAILED] Query [id = d3] terminated with exception: Task 0 failed: "
        "org.apache.kafka.clients.consumer.OffsetOutOfRangeException: Fetch position "
        "FetchPosition{offset=100, offsetEpoch=Optional.empty, currentLeader=x} is out of range "
        "for partition gold-changes-7\n\tat somewhere"
    )
    assert lost_records(ValueError(spark)) == "gold-changes[7] from offset 100 on"
    assert lost_records(RecordsGoneError("users[0] from offset 5 on")).startswith("users[0]")
    assert lost_records(ValueError("Some data may have been lost because")) != ""
    assert lost_records(ValueError("Connection refused for partition gold-0")) == ""


def test_an_error_is_told_by_its_first_line_that_says_something() -> None:
    assert first_line(ValueError("\n  \nwhat was wrong\n\tat somewhere")) == "what was wrong"
    assert first_line(ValueError()) == "ValueError()"


def test_a_query_holds_a_slot_for_each_partition_it_reads_and_shuffles() -> None:
    assert Demand(source_partitions=4, shuffle_partitions=2).slots == 6


def test_there_is_room_for_the_next_generation() -> None:
    demands = [Demand(4, 2), Demand(2, 2)]
    assert slots_needed(demands) == GENERATIONS_AT_ONCE * 6
    assert slots_needed([]) == 0


def test_the_state_is_what_all_operators_have_in_files_and_in_memory() -> None:
    operators = [
        StateOperatorProgress("a", 0, 0, 0, 0, 0, 0, 100, 0, 2, 2, {"rocksdbSstFileSize": 4000}),
        StateOperatorProgress("b", 0, 0, 0, 0, 0, 0, 20, 0, 2, 2, {}),
    ]
    assert state_bytes(operators) == {"files": 4000, "memory": 120}
