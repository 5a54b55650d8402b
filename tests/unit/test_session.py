"""How Spark is configured for this machine and for a cluster, and who gets its slots. No JVM."""

from __future__ import annotations

import pytest

from tidegrid.errors import PipelineError
from tidegrid.pipeline.session import is_local, on_loopback, options
from tidegrid.pipeline.slots import Slots
from tidegrid.settings import Pipeline, Settings

CLUSTER = "spark://somewhere:7077"


def cluster(driver_host: str = "") -> Settings:
    chosen = Pipeline(master=CLUSTER, checkpoints="/shared", driver_host=driver_host)
    return Settings(pipeline=chosen)


@pytest.mark.parametrize(
    ("master", "local", "loopback"),
    [
        ("", True, True),
        ("local", True, True),
        ("local[8]", True, True),
        ("local[*]", True, True),
        ("local-cluster[2,1,1024]", False, False),
        ("spark://127.0.0.1:7077", False, True),
        ("spark://localhost:7077", False, True),
        ("spark://localhost.example.com:7077", False, False),
        (CLUSTER, False, False),
        ("yarn", False, False),
    ],
)
def test_where_a_master_is(master: str, local: bool, loopback: bool) -> None:
    assert is_local(master) == local
    assert on_loopback(master) == loopback


def test_spark_on_this_machine_stays_on_it_and_has_slots_to_spare() -> None:
    found = options(Settings(), 10, {})
    assert found["spark.master"] == "local[64]"
    assert options(Settings(), 80, {})["spark.master"] == "local[80]"
    assert found["spark.driver.bindAddress"] == found["spark.driver.host"] == "127.0.0.1"
    assert not [name for name in found if name.startswith("spark.executor.")]


def test_a_cluster_is_told_what_its_executors_are() -> None:
    found = options(cluster(), 10, {})
    assert found["spark.master"] == CLUSTER
    assert found["spark.executor.memory"] == "2048m"
    # A path of this machine is none of theirs.
    assert "log4j2" not in found["spark.executor.extraJavaOptions"]
    assert found["spark.dynamicAllocation.enabled"] == "false"
    assert found["spark.speculation"] == "false"


def test_a_cluster_elsewhere_reaches_the_driver_as_the_settings_say() -> None:
    found = options(cluster(), 10, {})
    assert not {"spark.driver.host", "spark.driver.bindAddress"} & found.keys()
    assert options(cluster(driver_host="10.0.0.5"), 10, {})["spark.driver.host"] == "10.0.0.5"


@pytest.mark.parametrize("given", [{}, {"spark.master": CLUSTER}])
def test_a_cluster_without_shared_checkpoints_is_one_clear_line(given: dict[str, str]) -> None:
    settings = Settings(pipeline=Pipeline(master="" if given else CLUSTER))
    with pytest.raises(PipelineError) as failed:
        options(settings, 10, given)
    message = str(failed.value)
    assert "\n" not in message
    for part in (CLUSTER, "pipeline.checkpoints", "every machine"):
        assert part in message


def test_what_spark_submit_was_told_counts() -> None:
    given = {"spark.master": CLUSTER, "spark.executor.memory": "8g"}
    found = options(Settings(pipeline=Pipeline(checkpoints="/shared")), 10, given)
    assert found["spark.master"] == CLUSTER
    assert found["spark.executor.memory"] == "8g"
    # Its driver runs already.
    assert not {"spark.driver.memory", "spark.driver.extraJavaOptions"} & found.keys()


def test_slots_are_taken_and_given_back() -> None:
    slots = Slots(lambda: 10, set)
    assert slots.take("one", 6) == ""
    missing = slots.take("two", 6)
    for part in ("waiting for 6 task slots", "Spark has 10", "6 are in use", "more cores"):
        assert part in missing
    assert slots.take("three", 4) == ""
    slots.give("one")
    slots.give("never held any")
    assert slots.take("two", 6) == ""


def test_slots_that_come_and_go_are_counted_anew() -> None:
    there = [0]
    slots = Slots(lambda: there[0], set)
    assert "Spark has none" in slots.take("one", 6)
    there[0] = 12
    assert slots.take("one", 6) == ""
    # An executor is lost: what is held is more than there is.
    there[0] = 4
    assert slots.take("two", 1)
    slots.give("one")
    assert slots.take("two", 1) == ""


def test_an_executor_that_is_gone_is_told_once() -> None:
    there = [{"a:1", "b:1"}, {"a:1", "b:2"}, {"a:1", "b:2"}, {"b:2"}]
    slots = Slots(lambda: 0, lambda: there.pop(0))
    assert [slots.lost() for _ in range(4)] == [set(), {"b:1"}, set(), {"a:1"}]
