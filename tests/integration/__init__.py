"""Tests against a real broker, Spark and Deephaven."""
