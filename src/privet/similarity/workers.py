"""Workers: threads over work that lets go of Python's lock."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from privet.progress import Progress

if TYPE_CHECKING:
    from concurrent.futures import Future

Work = TypeVar("Work")
Result = TypeVar("Result")

_AHEAD = 2  # pieces of work for each worker that wait or are done while the caller is busy


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_turn(function: Callable[[Work], Result], work: Iterable[Work], workers: int) -> Generator[Result, None, None]:
    """The results of pieces of work, in their order; few are in memory, and none is begun once the caller stops."""
    if workers == 1:
        yield from map(function, work)
        return
    from concurrent.futures import ThreadPoolExecutor  # which one target alone does not wait for

    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for piece in work:
                waiting.append(pool.submit(function, piece))
                if len(waiting) > _AHEAD * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def told(
    results: Generator[Result, None, None], what: str, total: int, progress: Progress | None
) -> Generator[Result, None, None]:
    """Results as they come, each of them told to whoever waits."""
    with closing(results):  # whoever waits may have enough, or the caller: then no more is begun
        for done, result in enumerate(results, 1):
            if progress is not None:
                progress(what, done, total)
            yield result


def shared_out(
    function: Callable[[Work], object], work: Sequence[Work], workers: int, what: str, progress: Progress | None
) -> None:
    """Do pieces of work that give nothing back, begun in their order; the caller is one of the workers.

    An error in one of them, or from whoever waits, stops the rest.
    """
    places, lock, faults = iter(range(len(work))), threading.Lock(), list[BaseException]()
    done = 0

    def take_part() -> None:
        nonlocal done
        try:
            while not faults:
                with lock:
                    place = next(places, None)
                if place is None:
                    return
                function(work[place])
                with lock:
                    done += 1
                    if progress is not None:
                        progress(what, done, len(work))
        except BaseException as fault:  # also an interruption: the others must know
            faults.append(fault)

    helpers = [threading.Thread(target=take_part) for _ in range(min(workers, len(work)) - 1)]
    for helper in helpers:
        helper.start()
    take_part()
    for helper in helpers:
        helper.join()
    if faults:
        raise faults[0]
