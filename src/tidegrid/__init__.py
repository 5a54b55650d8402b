"""Tidegrid: Kafka topics as live tables in a browser, with the topics swappable underneath."""

from importlib.metadata import version

#: The one in pyproject.toml.
__version__ = version("tidegrid")
