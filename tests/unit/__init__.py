"""Tests that need no Java."""
