"""Operators: what the views of a declaration are made of, each as text of the one query.

`alone` makes `latest` and `events` of a source by itself, `joined` makes these and `join` and
`as_of` of a parent and its child, `buckets` makes slices of time, `lookup` adds columns, and
`unused` is for records that cannot or shall not be used. They know keys, times and versions, and no
column: a record's columns travel as one struct, through the state and into the row, where they
become the inside of a JSON object.
"""
