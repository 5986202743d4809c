"""Workers: results in the order of the work, little of it ahead, and none once nobody waits for it."""

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice
from threading import Barrier, Event, current_thread, main_thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privet.ratings import Ratings
from privet.similarity import SIMILARITIES, rs
from privet.similarity.workers import in_turn, told, usable_cores
from privet.world import World

SOON = 30  # seconds after which a test that hangs fails: none of them waits that long


@given(work=st.lists(st.integers()), number=st.integers(1, 5))
@settings(max_examples=50)
def test_results_come_in_the_order_of_the_work(work, number):
    """What one worker gives after the other, any number of them gives."""
    assert list(in_turn(lambda piece: piece * 2, iter(work), number)) == [piece * 2 for piece in work]


def test_what_is_done_first_does_not_come_first():
    """The first piece waits for the last, and comes before it all the same."""
    last = Event()

    def piece(number):
        if number == 2:
            last.set()
        return number if last.wait(SOON) else None

    assert list(in_turn(piece, range(3), 3)) == [0, 1, 2]


def test_one_worker_is_the_caller():
    """No thread is started for one worker."""
    assert set(in_turn(lambda _: current_thread(), range(3), 1)) == {main_thread()}
    assert main_thread() not in set(in_turn(lambda _: current_thread(), range(3), 2))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_few_pieces_are_taken_ahead(number):
    """Of endless work no more is taken than two pieces a worker beside those the caller has; one worker takes none."""
    taken = []
    work = (taken.append(piece) or piece for piece in count())
    results = in_turn(lambda piece: piece, work, number)
    for done, result in enumerate(islice(results, 50), 1):
        assert result == done - 1
        ahead = len(taken) - done
        assert ahead == 0 if number == 1 else number <= ahead <= 2 * number
    results.close()


@pytest.fixture
def left(monkeypatch):
    """Set as soon as the pool of the workers is left, and what must be called off has been."""
    event, shutdown = Event(), ThreadPoolExecutor.shutdown

    def noted(pool, wait=True, *, cancel_futures=False):
        shutdown(pool, wait=False, cancel_futures=cancel_futures)
        event.set()
        shutdown(pool, wait=wait)

    monkeypatch.setattr(ThreadPoolExecutor, "shutdown", noted)
    return event


def begun_by(left, first):
    """Pieces that note that they are begun; all but the first wait until the pool is left."""
    begun = []

    def piece(number):
        begun.append(number)
        if number == 0:
            return first()
        assert left.wait(SOON)
        return number

    return begun, piece


def test_nothing_is_begun_once_the_caller_has_enough(left):
    """Two workers hold two pieces when the caller closes: those end, and what waits behind them is not begun."""
    begun, piece = begun_by(left, lambda: "first")
    results = in_turn(piece, count(), 2)
    assert next(results) == "first"
    results.close()
    assert set(begun) <= {0, 1, 2}


def test_an_error_in_a_piece_reaches_the_caller_and_stops_the_rest(left):
    """The very error, in its turn; two workers hold two more pieces then, and what waits behind them is not begun."""
    problem = ValueError("no")

    def fail():
        raise problem

    begun, piece = begun_by(left, fail)
    with pytest.raises(ValueError, match="no") as raised:
        next(in_turn(piece, count(), 2))
    assert raised.value is problem
    assert set(begun) <= {0, 1, 2}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_results_before_an_error_are_handed_over(number):
    """A piece that fails, or work that does, takes nothing from what comes before it."""
    results = in_turn(lambda piece: 6 // piece, [3, 2, 1, 0, 1], number)
    assert list(islice(results, 3)) == [2, 3, 6]
    with pytest.raises(ZeroDivisionError):
        next(results)
    with pytest.raises(ZeroDivisionError):
        list(in_turn(str, (1 // piece for piece in (1, 0)), number))


def test_progress_that_raises_stops_the_rest(left):
    """Whoever is told may stop the work by an error: when that is heard of, nothing more is begun."""
    begun, piece = begun_by(left, lambda: "first")

    def stop(*_):
        raise InterruptedError

    try:
        with pytest.raises(InterruptedError) as raised:
            next(told(in_turn(piece, count(), 2), "counting", 9, stop))
        assert left.is_set()
        assert set(begun) <= {0, 1, 2}
    finally:
        left.set()
        del raised  # and with it what it holds: threads that wait


def test_whoever_waits_is_told_of_each_result():
    """What is done, how much of it and of how much, before the result is handed over; nobody need be told."""
    heard = []
    results = told((piece for piece in "abc"), "spelling", 3, lambda *words: heard.append(words))
    for done, (letter, result) in enumerate(zip("abc", results, strict=True), 1):
        assert result == letter
        assert heard == [("spelling", number, 3) for number in range(1, done + 1)]
    assert list(told((piece for piece in "abc"), "spelling", 3, None)) == ["a", "b", "c"]


def test_cores_are_those_that_this_process_may_use(monkeypatch):
    """Where a system does not say which cores a process may use, all of them count; where it says nothing, one does."""
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1, 3, 5}, raising=False)
    assert usable_cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert usable_cores() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_cores() == 1


@pytest.mark.parametrize("low", [1, -5])
def test_threads_may_share_ratings_that_nothing_was_asked_of_yet(low):
    """Many threads at a time on fresh ratings find, to the last bit, what one finds after the other."""
    rng = np.random.default_rng(7)
    users, items, threads = 120, 40, 8
    cells = np.argwhere(rng.random((users, items)) < 0.4)
    values = rng.integers(low, 6, len(cells))
    world = World(3.0, rng.normal(size=items), scale=(low, 5))

    def fresh():
        return Ratings.of(*cells.T, values, users=range(users), items=range(items), scale=(low, 5))

    def found(ratings, row):
        lines = [kind()(ratings, row, world=world) for kind in SIMILARITIES.values()]
        return np.array([*lines, rs(ratings, row)]).tobytes()

    quiet = fresh()
    wanted = [found(quiet, row) for row in range(users)]
    for _ in range(5):
        shared, together = fresh(), Barrier(threads, timeout=SOON)

        def at_once(part, shared=shared, together=together):
            together.wait()
            return [found(shared, row) for row in range(part, users, threads)]

        with ThreadPoolExecutor(threads) as pool:
            for part, lines in enumerate(pool.map(at_once, range(threads))):
                assert lines == wanted[part::threads]
