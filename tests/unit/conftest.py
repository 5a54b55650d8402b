"""What all unit tests share: examples that are the same in every run, with no clock on them."""

from hypothesis import settings

settings.register_profile("unit", deadline=None, derandomize=True, database=None)
settings.load_profile("unit")
