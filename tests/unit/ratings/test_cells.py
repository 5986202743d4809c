"""The order of cells, where one sort of plain numbers can give it and where it cannot."""

import numpy as np
import pytest

from privet.errors import RatingsError
from privet.ratings.cells import Shape, in_order


@pytest.mark.parametrize("shape", [Shape(50, 40), Shape(2**27, 2**30), Shape(2**31 - 1, 2**31 - 1)])
def test_cells_ascend_and_keep_their_places(shape):
    """Cells ascend by user and item, and equal ones keep their order, however many bits they take."""
    random = np.random.default_rng(1)
    users, items = (random.integers(max(0, size - 50), size, 500) for size in shape)
    cells, places = in_order(shape.cells(users, items), shape)
    expected = np.lexsort((np.arange(500), items, users))
    assert places.tolist() == expected.tolist()
    assert [shape.pair(cell) for cell in cells] == list(
        zip(users[expected].tolist(), items[expected].tolist(), strict=True)
    )


def test_more_than_a_row_can_number():
    """Registries are numbered with 31 bits."""
    with pytest.raises(RatingsError, match="at most"):
        Shape(2**31, 5).cells(np.array([1]), np.array([1]))
