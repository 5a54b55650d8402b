"""Tests of what pip installs."""
