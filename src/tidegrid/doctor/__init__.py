"""The doctor: walks the way of a message for the settings at hand, and says what is wrong where.

It starts nothing, changes nothing and needs neither Spark nor Deephaven in its process.
"""
