"""The kernels, compiled. Each agrees with its specification in `plain`; whole numbers to the last bit."""

import numpy as np

from privet.arrays import AnyArray, ByteArray, FloatArray, IntArray
from privet.kernels.compiling import boolean, f64, i32, i64, inlined, kernel, read, u8, u16, u32, write
from privet.kernels.similarity import plain
from privet.kernels.similarity.packing import packed, product_table, product_word, words
from privet.kernels.similarity.postings import CODE_BITS, CODES, TILE, WHOLE, Postings

_SHIFT = np.uint32(CODE_BITS)
_MASK = np.uint32(CODES - 1)
_FEW = (1 << 16) // WHOLE**2 - 1  # columns whose sums surely fit 16 bits
_ZERO = np.uint16(0)
_ALONE = np.zeros(1, np.int64)  # the row of a target that is the only one
_THEMSELVES = np.arange(CODES, dtype=np.uint8)  # its ratings, which are whole already


def common_sums(postings: Postings, items: IntArray, terms: IntArray) -> FloatArray:
    """Sums of whole terms [lane, item of the target, code] over common items, by lane and place."""
    lanes = len(terms)
    sums = np.zeros((lanes, postings.users))
    if not terms.size:
        return sums
    most = np.abs(terms).max(axis=2).sum(axis=1)
    for word in words(most, terms.reshape(lanes, -1).min(axis=1) < 0):
        table = np.zeros((len(items), CODES), np.int64)
        table[:, : terms.shape[2]] = packed(terms, word)
        total = np.zeros(postings.users, np.int64)
        add_entries(items, table, postings.starts, postings.starts[:-1], postings.entries, total)
        found = np.empty((len(word.lanes), postings.users))
        unpack(total, word.widths, word.signed, found)
        sums[list(word.lanes)] = found
    return sums


def cosines(postings: Postings, items: IntArray, own: IntArray) -> FloatArray:
    """The co-rated cosine at every place; 0 without a common item. Ratings are positive."""
    columns = postings.columns
    assert columns is not None
    largest = max(int(own.max(initial=0)), int(columns.whole.max()))
    word = product_word(len(items), largest)
    if word is None:
        dots, own_squares, squares = product_sums(postings, items, own)
        return plain.cosines_of(dots, own_squares, squares)
    similarities: FloatArray = np.empty((1, postings.users))
    cosine_block(
        _ALONE,
        0,
        np.array([0, len(items)]),
        items.astype(np.int32),
        own.astype(np.uint8),
        postings.entries,
        columns.behind,
        postings.starts[1:],
        _THEMSELVES,
        columns.tiles,
        columns.offsets,
        columns.values,
        product_table(columns.whole, largest, word),
        word.widths,
        similarities,
    )
    found: FloatArray = similarities[0]
    return found


def product_sums(postings: Postings, items: IntArray, own: IntArray) -> FloatArray:
    """The sums of own * theirs, own * own and theirs * theirs over common items, in whole numbers."""
    columns = postings.columns
    assert columns is not None
    largest = max(int(own.max(initial=0)), int(columns.whole.max()))
    word = product_word(len(items), largest)
    if word is None:  # more common items than the lanes of one word can hold
        return common_sums(postings, items, plain.product_terms(own[:, None], columns.whole.astype(np.int64)))
    table = product_table(columns.whole, largest, word)[own]
    total = np.zeros(postings.users, np.int64)
    add_entries(items, table, postings.starts, columns.behind, postings.entries, total)
    add_columns(items, own.astype(np.uint16), columns.tiles, columns.offsets, columns.values, word.widths, total)
    found = np.empty((3, postings.users))
    unpack(total, word.widths, word.signed, found)
    return found


def largest_losses(postings: Postings, items: IntArray, own: IntArray) -> FloatArray:
    """The larger term of Eq. (3), over common items, at every place: see `plain.losses_of`.

    For positive ratings, which make each term grow with both ratings of an item.
    """
    columns = postings.columns
    assert columns is not None
    losses = np.empty(postings.users)
    sums = product_sums(postings, items, own)
    levels = np.unique(own)
    fill_losses(
        items, own, levels, postings.starts, postings.entries, columns.behind, columns.whole, columns.tiles,
        columns.offsets, columns.values, sums, losses,
    )  # fmt: skip
    return losses


@kernel(read(i64), read(i32), read(u8), read(i64), write(i64), write(u32))
def enter(
    user_starts: IntArray, user_items: AnyArray, codes: ByteArray, rows: IntArray, cursors: IntArray, entries: AnyArray
) -> None:
    """Write the entry of every rating, item by item; `cursors` begin where the items do."""
    for place in range(len(rows)):
        head = np.uint32(place) << _SHIFT
        for rating in range(user_starts[rows[place]], user_starts[rows[place] + 1]):
            item = user_items[rating]
            entries[cursors[item]] = head | np.uint32(codes[rating])
            cursors[item] += 1


@kernel(read(i64), read(u32), i64, f64, write(i64), write(i64))
def measure(starts: IntArray, entries: AnyArray, users: int, cost: float, tiles: IntArray, behind: IntArray) -> None:
    """How many tiles of a column pay for each item: places cost so much of what the entries do that they replace."""
    for item in range(len(tiles)):
        first = starts[item]
        behind[item] = first
        best = 0.0
        entry = first
        for length in range(1, (users + TILE - 1) // TILE + 1):
            end = min(users, length * TILE)
            while entry < starts[item + 1] and (entries[entry] >> _SHIFT) < end:
                entry += 1
            if entry - first - cost * end > best:
                best = entry - first - cost * end
                tiles[item] = length
                behind[item] = entry
            if starts[item + 1] - first - cost * end <= best:  # not even all that is left would pay for more
                break


@kernel(read(i64), read(i64), read(u32), read(i64), read(u8), write(u8))
def fill(
    starts: IntArray, behind: IntArray, entries: AnyArray, offsets: IntArray, whole: ByteArray, values: ByteArray
) -> None:
    """Write the columns."""
    for item in range(len(behind)):
        for entry in range(starts[item], behind[item]):
            values[offsets[item] + (entries[entry] >> _SHIFT)] = whole[entries[entry] & _MASK]


@inlined
def _add_entries(entries: AnyArray, first: int, last: int, terms: IntArray, total: IntArray) -> None:
    """Add the terms of some entries of one item."""
    for place in range(first, last):
        entry = entries[place]
        total[entry >> _SHIFT] += terms[entry & _MASK]


@kernel(read(i64), read(i64, 2), read(i64), read(i64), read(u32), write(i64))
def add_entries(
    items: IntArray, table: IntArray, starts: IntArray, firsts: IntArray, entries: AnyArray, total: IntArray
) -> None:
    """Add the word of each common rating, from the first entry that counts: a row of the table for each item."""
    for which in range(len(items)):
        _add_entries(entries, firsts[items[which]], starts[items[which] + 1], table[which], total)


@inlined
def _add_columns(
    items: AnyArray,
    own: AnyArray,
    tiles: IntArray,
    offsets: IntArray,
    values: ByteArray,
    users: int,
    shifts: tuple[int, int],
    begins: IntArray,
    mine: AnyArray,
    sums: AnyArray,
    total: IntArray,
) -> None:
    """Add the products of the common ratings in columns, for the first so many places, in 16-bit vectors."""
    dots, own_squares, squares = sums[0], sums[1], sums[2]
    for number in range((users + TILE - 1) // TILE):
        start = number * TILE
        length = min(TILE, users - start)
        found = 0
        for which in range(len(items)):
            item = items[which]
            if tiles[item] > number:
                begins[found] = offsets[item] + start
                mine[found] = own[which]
                found += 1
        if found == 0:
            break
        done = 0
        while done < found:
            until = min(found, done + _FEW)
            for place in range(length):
                dots[place] = 0
                own_squares[place] = 0
                squares[place] = 0
            while done + 4 <= until:  # four columns for each time that the sums are read and written
                r0, r1, r2, r3 = mine[done], mine[done + 1], mine[done + 2], mine[done + 3]
                q0, q1, q2, q3 = np.uint16(r0 * r0), np.uint16(r1 * r1), np.uint16(r2 * r2), np.uint16(r3 * r3)
                c0 = values[begins[done] : begins[done] + length]
                c1 = values[begins[done + 1] : begins[done + 1] + length]
                c2 = values[begins[done + 2] : begins[done + 2] + length]
                c3 = values[begins[done + 3] : begins[done + 3] + length]
                for place in range(length):
                    x0, x1 = np.uint16(c0[place]), np.uint16(c1[place])
                    x2, x3 = np.uint16(c2[place]), np.uint16(c3[place])
                    dots[place] = np.uint16(
                        dots[place] + np.uint16(r0 * x0) + np.uint16(r1 * x1) + np.uint16(r2 * x2) + np.uint16(r3 * x3)
                    )
                    squares[place] = np.uint16(
                        squares[place]
                        + np.uint16(x0 * x0)
                        + np.uint16(x1 * x1)
                        + np.uint16(x2 * x2)
                        + np.uint16(x3 * x3)
                    )
                    own_squares[place] = np.uint16(
                        own_squares[place]
                        + (q0 if x0 else _ZERO)
                        + (q1 if x1 else _ZERO)
                        + (q2 if x2 else _ZERO)
                        + (q3 if x3 else _ZERO)
                    )
                done += 4
            while done < until:
                r0 = mine[done]
                q0 = np.uint16(r0 * r0)
                c0 = values[begins[done] : begins[done] + length]
                for place in range(length):
                    x0 = np.uint16(c0[place])
                    dots[place] = np.uint16(dots[place] + np.uint16(r0 * x0))
                    squares[place] = np.uint16(squares[place] + np.uint16(x0 * x0))
                    own_squares[place] = np.uint16(own_squares[place] + (q0 if x0 else _ZERO))
                done += 1
            for place in range(length):
                total[start + place] += (
                    np.int64(dots[place])
                    + (np.int64(own_squares[place]) << shifts[0])
                    + (np.int64(squares[place]) << shifts[1])
                )


@kernel(read(i64), read(u16), read(i64), read(i64), read(u8), read(i64), write(i64))
def add_columns(
    items: IntArray,
    own: AnyArray,
    tiles: IntArray,
    offsets: IntArray,
    values: ByteArray,
    widths: IntArray,
    total: IntArray,
) -> None:
    """Add the words of the common ratings that stand in columns."""
    _add_columns(
        items,
        own,
        tiles,
        offsets,
        values,
        len(total),
        (widths[0], widths[0] + widths[1]),
        np.empty(len(items), np.int64),
        np.empty(len(items), np.uint16),
        np.empty((3, TILE), np.uint16),
        total,
    )


@kernel(
    read(i64),
    i64,
    read(i64),
    read(i32),
    read(u8),
    read(u32),
    read(i64),
    read(i64),
    read(u8),
    read(i64),
    read(i64),
    read(u8),
    read(i64, 2),
    read(i64),
    write(f64, 2),
)
def cosine_block(
    rows: IntArray,
    first: int,
    user_starts: IntArray,
    user_items: AnyArray,
    codes: ByteArray,
    entries: AnyArray,
    behind: IntArray,
    lasts: IntArray,
    whole: ByteArray,
    tiles: IntArray,
    offsets: IntArray,
    values: ByteArray,
    table: IntArray,
    widths: IntArray,
    similarities: FloatArray,
) -> None:
    """The co-rated cosines of the targets at the places from `first` on with everybody at the first places."""
    targets, users = similarities.shape
    shifts = (widths[0], widths[0] + widths[1])
    own_mask = (np.int64(1) << widths[0]) - np.int64(1)
    middle_mask = (np.int64(1) << widths[1]) - np.int64(1)
    total = np.empty(users, np.int64)
    longest = 0
    for target in range(targets):
        row = rows[first + target]
        longest = max(longest, user_starts[row + 1] - user_starts[row])
    begins = np.empty(longest, np.int64)
    mine = np.empty(longest, np.uint16)
    own = np.empty(longest, np.uint16)
    sums = np.empty((3, TILE), np.uint16)
    for target in range(targets):
        row = rows[first + target]
        record = slice(user_starts[row], user_starts[row + 1])
        items, marks = user_items[record], codes[record]
        for place in range(users):
            total[place] = 0
        for which in range(len(items)):
            own[which] = whole[marks[which]]
            item = items[which]
            _add_entries(entries, behind[item], lasts[item], table[own[which]], total)
        _add_columns(items, own, tiles, offsets, values, users, shifts, begins, mine, sums, total)
        line = similarities[target]
        for place in range(users):
            word = total[place]
            dot = np.float64(word & own_mask)
            norms = np.float64((word >> shifts[0]) & middle_mask) * np.float64(word >> shifts[1])
            line[place] = min(dot / np.sqrt(max(norms, 1.0)), 1.0)


@kernel(write(i64), read(i64), read(boolean), write(f64, 2))
def unpack(total: IntArray, widths: IntArray, signed: AnyArray, sums: FloatArray) -> None:
    """Take the lanes of words apart, the lowest first; the words are used up."""
    for lane in range(len(widths) - 1):
        width = widths[lane]
        around = 64 - width
        mask = (np.int64(1) << width) - np.int64(1)
        line = sums[lane]
        if signed[lane]:
            for place in range(len(total)):
                low = (total[place] << around) >> around
                line[place] = low
                total[place] = (total[place] - low) >> width
        else:
            for place in range(len(total)):
                low = total[place] & mask
                line[place] = low
                total[place] = total[place] >> width
    line = sums[len(widths) - 1]
    for place in range(len(total)):
        line[place] = total[place]


@kernel(read(i64), read(f64), read(i64), read(u32), read(f64), read(f64), f64, write(f64, 2))
def centred_sums(
    items: IntArray,
    own: FloatArray,
    starts: IntArray,
    entries: AnyArray,
    grid: FloatArray,
    means: FloatArray,
    rounding: float,
    sums: FloatArray,
) -> None:
    """Add up the products of the target's deviations and of everybody's from their means, item by item."""
    dots, own_squares, squares = sums[0], sums[1], sums[2]
    for which in range(len(items)):
        mine = own[which]
        for number in range(starts[items[which]], starts[items[which] + 1]):
            place = entries[number] >> _SHIFT
            mean = means[place]
            theirs = grid[entries[number] & _MASK] - mean
            if abs(theirs) <= rounding * abs(mean):
                theirs = 0.0
            dots[place] += mine * theirs
            own_squares[place] += mine * mine
            squares[place] += theirs * theirs


@kernel(read(i64), read(f64, 2), write(f64, 2))
def scatter(places: IntArray, terms: FloatArray, sums: FloatArray) -> None:
    """Add terms up by place, lane by lane."""
    for lane in range(len(terms)):
        line, total = terms[lane], sums[lane]
        for rating in range(len(places)):
            total[places[rating]] += line[rating]


@kernel(
    read(i64),
    read(i64),
    read(i64),
    read(i64),
    read(u32),
    read(i64),
    read(u8),
    read(i64),
    read(i64),
    read(u8),
    read(f64, 2),
    write(f64),
)
def fill_losses(
    items: IntArray,
    own: IntArray,
    levels: IntArray,
    starts: IntArray,
    entries: AnyArray,
    behind: IntArray,
    whole: ByteArray,
    tiles: IntArray,
    offsets: IntArray,
    values: ByteArray,
    sums: FloatArray,
    losses: FloatArray,
) -> None:
    """Write the larger term of Eq. (3) over common items.

    Both terms grow with both ratings, so of the items that the target rated alike only the other's best rated counts.
    To find it is a comparison of bytes; what is left is a division for each of the target's different ratings.
    """
    users = len(losses)
    dots, own_squares, squares = sums[0], sums[1], sums[2]
    first = np.zeros(users)  # the square of the largest first term
    least = np.empty(users)  # the smallest product of the squared norms that are left
    for place in range(users):
        least[place] = np.inf
    best = np.empty(users, np.uint8)
    for level in levels:
        best[:] = 0
        for which in range(len(items)):
            if own[which] != level:
                continue
            item = items[which]
            length = min(users, tiles[item] * TILE)
            column = values[offsets[item] : offsets[item] + length]
            for place in range(length):
                best[place] = column[place] if column[place] > best[place] else best[place]
            for number in range(behind[item], starts[item + 1]):
                entry = entries[number]
                theirs = whole[entry & _MASK]
                if theirs > best[entry >> _SHIFT]:
                    best[entry >> _SHIFT] = theirs
        square = np.float64(level * level)
        for place in range(users):
            squared = np.float64(best[place]) * np.float64(best[place])
            left = (own_squares[place] - square) * (squares[place] - squared)
            term = square * squared / left
            there = squared > 0
            first[place] = term if there & (term > first[place]) else first[place]
            least[place] = left if there & (left < least[place]) else least[place]
    for place in range(users):
        left = least[place]
        before = own_squares[place] * squares[place]
        if left <= 0 or before <= 0:
            losses[place] = np.inf
        else:
            losses[place] = max(np.sqrt(first[place]), dots[place] * (1 / np.sqrt(left) - 1 / np.sqrt(before)))
