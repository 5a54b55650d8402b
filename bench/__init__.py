"""The benchmark: Tidegrid beside Deephaven alone, in one run."""
