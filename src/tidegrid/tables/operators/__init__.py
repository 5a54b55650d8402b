"""Operators: what screens are made with, each in a file of its own.

They do what depends on the clock or on the whole table, and know no flow. They are worked out some
times a second, not in every update cycle: the eye sees no more, and what they would take is what a
new row needs to be on the screen at once. A flip changes all of them in the update cycle in which
it changes the views.
"""
