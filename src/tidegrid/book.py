"""The book: the receipts as a part of Tidegrid sees them, and its pen."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from confluent_kafka import Message, Producer

from tidegrid import kafka
from tidegrid.connection import Connection
from tidegrid.contract import receipts, topics
from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.errors import KafkaError

_PATIENCE = 15.0


class Book:
    """Reads and writes the receipts' topic, and holds what it says."""

    def __init__(self, connection: Connection) -> None:
        self.ledger = Ledger()
        #: The offset after the last receipt that was read.
        self.position = 0
        self._connection = connection
        #: Own receipts that have not come back yet.
        self._own: set[tuple[str, str]] = set()

    @classmethod
    def read(cls, connection: Connection) -> Book:
        """Return the book with all that is on the topic now."""
        book = cls(connection)
        for message in kafka.read_all(connection, topics.RECEIPTS):
            book.take(message)
        return book

    def take(self, message: Message) -> Receipt | None:
        """Enter a record of the topic; return the receipt in it if it is news."""
        self.position = (message.offset() or 0) + 1
        receipt = receipts.parse(message.value())
        if receipt is None or (receipt.key, receipt.at) in self._own:
            if receipt is not None:
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
        self._own.add((receipt.key, receipt.at))
        self._producer.produce(topics.RECEIPTS, key=receipt.key, value=receipt.to_json())
        if self._producer.flush(_PATIENCE):
            raise KafkaError(f"receipt {receipt.key} could not be written in {_PATIENCE:.0f} s")
        self.ledger.add(receipt)

    def erase(self, keys: Iterable[str]) -> None:
        """Remove receipts from the topic."""
        for key in keys:
            self._producer.produce(topics.RECEIPTS, key=key, value=None)
            self.ledger.forget(key)
        if self._producer.flush(_PATIENCE):
            raise KafkaError(f"receipts could not be removed in {_PATIENCE:.0f} s")
