"""The feed: lively sample data, the same every time for a seed."""
