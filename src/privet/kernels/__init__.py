"""Loops that must be fast: the only numba in the house. A folder a topic, each with its specification in NumPy."""
