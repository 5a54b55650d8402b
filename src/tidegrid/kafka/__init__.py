"""Kafka, for every part: the client's calls here, the connection profiles and ends beside them."""

from tidegrid.kafka.client import (  # noqa: F401  - every part takes them from here
    Sender,
    admin,
    cluster_id,
    delete_topics,
    earliest,
    ends_of_records,
    ensure_topics,
    latest,
    names,
    newest_times,
    partitions,
    producer,
    read_all,
    reader,
    refusal,
    reporter,
    since,
    wait,
    written,
)
