"""Tidegrid: Kafka topics as live tables in a browser, with the topics swappable underneath."""

__version__ = "0.1.0"
