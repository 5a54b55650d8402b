"""Tests that kill parts under load."""
