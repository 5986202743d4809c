"""The kernels of all pairs, compiled: what comes before a block of cosines, and the lists and the matrix behind it."""

import numpy as np

from privet.arrays import AnyArray, FloatArray, IntArray
from privet.kernels.compiling import f32, f64, i32, i64, inlined, kernel, read, u32, write
from privet.kernels.similarity.postings import CODE_BITS

_SHIFT = np.uint32(CODE_BITS)


@kernel(read(i64), read(u32), i64, write(i64))
def retreat(firsts: IntArray, entries: AnyArray, users: int, lasts: IntArray) -> None:
    """Move the ends of all items' entries back, so that only those at the first so many places are left."""
    for item in range(len(lasts)):
        last = lasts[item]
        while last > firsts[item] and (entries[last - 1] >> _SHIFT) >= users:
            last -= 1
        lasts[item] = last


@inlined
def _worse(one: float, one_row: int, other: float, other_row: int) -> bool:
    return one < other or (one == other and one_row > other_row)


@inlined
def _sift(best: FloatArray, who: AnyArray, user: int, length: int, similarity: float, row: int) -> None:
    """Let a candidate sink from the top of a user's heap, whose top is its worst member."""
    member = 0
    while True:
        child = 2 * member + 1
        if child >= length:
            break
        if child + 1 < length and _worse(
            best[user, child + 1], who[user, child + 1], best[user, child], who[user, child]
        ):
            child += 1
        if not _worse(best[user, child], who[user, child], similarity, row):
            break
        best[user, member], who[user, member] = best[user, child], who[user, child]
        member = child
    best[user, member], who[user, member] = similarity, row


@kernel(read(f64, 2), i64, read(i64), write(f64), write(f64, 2), write(i32, 2))
def offer(
    similarities: FloatArray, first: int, rows: IntArray, floors: FloatArray, best: FloatArray, who: AnyArray
) -> None:
    """Offer every pair of a block to the lists of both: the targets at the places from `first` on, and all before them.

    A floor is a similarity that as many as a list is long are known to reach. Workers with lists of their own share the
    floors: whichever of two writes comes last, what stands there is true, so the lists do not depend on it.
    """
    targets, users = similarities.shape
    length = best.shape[1]
    marks = np.zeros((users + 7) // 8 * 8, np.uint8)
    eights = marks.view(np.int64)
    for target in range(targets):
        place = first + target
        row, line = rows[place], similarities[target]
        floor = floors[place]
        for other in range(place):  # in vectors: may this be news to either of the two?
            marks[other] = (line[other] >= floor) | (line[other] >= floors[other])
        for eight in range((place + 7) // 8):
            if eights[eight] != 0:
                for other in range(8 * eight, min(place, 8 * eight + 8)):
                    if marks[other]:
                        similarity = line[other]
                        if similarity >= floor and _worse(best[place, 0], who[place, 0], similarity, rows[other]):
                            _sift(best, who, place, length, similarity, rows[other])
                            floor = max(floor, best[place, 0])
                        if similarity >= floors[other] and _worse(best[other, 0], who[other, 0], similarity, row):
                            _sift(best, who, other, length, similarity, row)
                            floors[other] = max(floors[other], best[other, 0])
        floors[place] = max(floors[place], floor)


@kernel(read(f64, 2), read(i32, 2), write(f64, 2), write(i32, 2))
def merge(similarities: FloatArray, rows: AnyArray, best: FloatArray, who: AnyArray) -> None:
    """Offer the members of other lists, user by user."""
    for user in range(len(best)):
        for member in range(similarities.shape[1]):
            if _worse(best[user, 0], who[user, 0], similarities[user, member], rows[user, member]):
                _sift(best, who, user, best.shape[1], similarities[user, member], rows[user, member])


@kernel(write(f64, 2), write(i32, 2))
def settle(best: FloatArray, who: AnyArray) -> None:
    """Order the lists, nearest first."""
    for user in range(len(best)):
        for length in range(best.shape[1] - 1, 0, -1):  # the worst of what is left goes behind it
            similarity, row = best[user, length], who[user, length]
            best[user, length], who[user, length] = best[user, 0], who[user, 0]
            _sift(best, who, user, length, similarity, row)


@kernel(read(f64, 2), read(i64), read(i64), write(f32, 2))
def spread(similarities: FloatArray, targets: IntArray, others: IntArray, matrix: AnyArray) -> None:
    """Write a block into the lines of its targets, by row."""
    for target in range(len(targets)):
        line, found = matrix[targets[target]], similarities[target]
        for other in range(len(others)):
            line[others[other]] = np.float32(found[other])


@kernel(write(f32, 2), i64, i64)
def mirror(matrix: AnyArray, first: int, last: int) -> None:
    """Give both places of the pairs of these rows and of later ones the larger of what stands in them: one is 0.

    In tiles, which caches hold. Different rows may be mirrored at a time.
    """
    tile = 64
    for left in range(first, len(matrix), tile):
        for row in range(first, last):
            for column in range(max(left, row + 1), min(left + tile, len(matrix))):
                both = max(matrix[row, column], matrix[column, row])
                matrix[row, column] = both
                matrix[column, row] = both
