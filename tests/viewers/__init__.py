"""Tests of what viewers see of swaps, in a stack that has run for a while."""
