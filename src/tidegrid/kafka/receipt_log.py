"""The receipt log: the receipts on their topic, as one part reads and writes them."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from confluent_kafka import Message, Producer

from tidegrid import kafka
from tidegrid.contract import lifecycle, receipts, topics
from tidegrid.contract.lifecycle import Part
from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.errors import KafkaError
from tidegrid.kafka.connection import Connection
from tidegrid.kafka.own import readable

_TIMEOUT = 15.0


class ReceiptLog:
    """Reads and writes the receipts' topic, and holds what it says."""

    def __init__(self, connection: Connection, part: Part | None = None) -> None:
        """Make it; `part` is who writes here, None for somebody who only reads."""
        self.ledger = Ledger()
        #: The offset after the last receipt that was read.
        self.position = 0
        self._connection = connection
        self._part = part
        #: Own receipts that have not come back yet.
        self._own: set[tuple[str, str]] = set()

    @classmethod
    def read(cls, connection: Connection, part: Part | None = None) -> ReceiptLog:
        """Return the log with all that is on the topic now."""
        log = cls(connection, part)
        for message in kafka.read_all(connection, topics.RECEIPTS):
            log.take(message)
        return log

    def take(self, message: Message) -> Receipt | None:
        """Enter a record of the topic; return the receipt in it if it is news."""
        self.position = (message.offset() or 0) + 1
        if message.value() is None:
            return None
        receipt = readable(message, receipts.parse(message.value()))
        if receipt is None:
            return None
        if (receipt.key, receipt.at) in self._own:
            self._own.discard((receipt.key, receipt.at))
            return None
        self.ledger.add(receipt)
        return receipt

    def removed(self, message: Message) -> Receipt | None:
        """Return the receipt that a record of the topic removes, and drop it."""
        key = message.key()
        if message.value() is not None or not isinstance(key, bytes):
            return None
        return self.ledger.forget(key.decode(errors="replace"))

    @functools.cached_property
    def _producer(self) -> Producer:
        return kafka.producer(self._connection, **{"linger.ms": 0})

    def write(self, receipt: Receipt) -> None:
        """Write a receipt and enter it."""
        if self._part is None or not lifecycle.may_write(self._part, receipt.state):
            raise ValueError(f"{self._part or 'a reader'} may not write {receipt.state} receipts")
        self._own.add((receipt.key, receipt.at))
        self._producer.produce(topics.RECEIPTS, key=receipt.key, value=receipt.to_json())
        if self._producer.flush(_TIMEOUT):
            # It may still come, and is news then.
            self._own.discard((receipt.key, receipt.at))
            raise KafkaError(f"receipt {receipt.key} could not be written in {_TIMEOUT:.0f} s")
        self.ledger.add(receipt)

    def erase(self, keys: Iterable[str]) -> None:
        """Remove receipts from the topic."""
        for key in keys:
            self._producer.produce(topics.RECEIPTS, key=key, value=None)
            self.ledger.forget(key)
        if self._producer.flush(_TIMEOUT):
            raise KafkaError(f"receipts could not be removed in {_TIMEOUT:.0f} s")
