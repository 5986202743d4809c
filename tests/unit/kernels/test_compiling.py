import subprocess
import sys

import pytest

WITHOUT_A_PLACE = """
from numba.core import caching
caching.CacheImpl._locator_classes = []
import privet
ratings = privet.Ratings.of([0, 0, 1], [0, 1, 0], [5, 3, 4], scale=(1, 5))
print(privet.similarity.cosine(ratings, 0).tolist())
"""


@pytest.mark.long
def test_where_nothing_can_be_kept_kernels_are_compiled_all_the_same():
    """A package and a home that cannot be written to cost seconds at every start, and nothing else."""
    done = subprocess.run([sys.executable, "-c", WITHOUT_A_PLACE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[1.0, 1.0]"
