"""Bytes of memory that one thread moves a second: NumPy's triad on arrays far beyond any cache."""

import json
import time

import numpy as np

LENGTH = 1 << 26  # half a gibibyte an array

one, two, three = (np.full(LENGTH, float(value)) for value in range(3))
seconds = []
for _ in range(3):
    start = time.perf_counter()
    np.multiply(three, 2.0, out=one)  # reads one array and writes one
    np.add(one, two, out=one)  # reads two and writes one
    seconds.append(time.perf_counter() - start)
print(json.dumps({"bytes_per_second": 5 * one.nbytes / min(seconds)}))
