"""The local broker serves this machine alone."""

from __future__ import annotations

import pytest

from tidegrid.broker.local import new_cluster_id, port_of
from tidegrid.errors import KafkaError


@pytest.mark.parametrize("address", ["127.0.0.1:19092", "localhost:19092"])
def test_the_port_is_the_one_in_the_bootstrap_address(address: str) -> None:
    assert port_of(address) == 19092


@pytest.mark.parametrize("address", ["kafka.example:9092", "127.0.0.1:9092,127.0.0.1:9093"])
def test_another_machine_is_refused(address: str) -> None:
    with pytest.raises(KafkaError, match=r"kafka\.bootstrap") as failed:
        port_of(address)
    assert address in str(failed.value)


def test_an_id_of_a_cluster_is_never_taken_for_an_option() -> None:
    made = {new_cluster_id() for _ in range(2000)}
    assert len(made) == 2000
    assert not any(name.startswith("-") for name in made)
