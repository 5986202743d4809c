"""Rearranging: some of the cells, or all of them the other way round."""

import numpy as np

from privet.arrays import AnyArray, IntArray
from privet.ratings.cells import Cells, Shape, in_order, lay_out


def kept(cells: Cells, which: AnyArray) -> Cells:
    """The ratings that a mask or ascending places name; nobody and nothing leaves the registries."""
    return _laid_out(cells, cells.shape.cells(cells.users()[which], cells.user_items[which]), which, cells.shape)


def selected(cells: Cells, users: IntArray, items: IntArray) -> Cells:
    """The ratings of these users and items, whose rows are their places here."""
    new_users, new_items = _places(users, cells.shape.users), _places(items, cells.shape.items)
    users_now, items_now = new_users[cells.users()], new_items[cells.user_items]
    stay = np.flatnonzero((users_now >= 0) & (items_now >= 0))
    shape = Shape(len(users), len(items))
    ascending, order = in_order(shape.cells(users_now[stay], items_now[stay]), shape)
    return _laid_out(cells, ascending, stay[order], shape)


def turned(cells: Cells) -> Cells:
    """Items as users and users as items."""
    shape = Shape(cells.shape.items, cells.shape.users)
    ascending, order = in_order(shape.cells(cells.user_items, cells.users()), shape)
    return _laid_out(cells, ascending, order, shape)


def _laid_out(cells: Cells, ascending: IntArray, which: AnyArray, shape: Shape) -> Cells:
    times = cells.timestamps
    return lay_out(ascending, cells.values_at(which), None if times is None else times[which], shape)


def _places(rows: IntArray, size: int) -> IntArray:
    """Where each of so many rows goes when only these stay; -1 where it does not."""
    places = np.full(size, -1)
    places[rows] = np.arange(len(rows))
    return places
