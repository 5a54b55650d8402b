"""Tests on a standalone Spark cluster."""
