"""The stack: all parts on this machine, started in order, watched, stopped in reverse."""
