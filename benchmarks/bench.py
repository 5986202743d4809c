"""privet beside its peers: ratios in one run.

    make bench [PEERS=all]
    .venv/bin/python benchmarks/bench.py [--quick] [--rounds 5] [--only NAME ...] [--peers all] [--write]

Every measurement runs in a process of its own, warmed up (see `steps/measuring.py`). In each round privet and the peer
run one after the other, and a ratio is the median of the rounds' ratios. What is timed begins with ratings in memory
and ends with the answer: whatever either side makes on the way counts. A whole run writes its table into `results/`.
Exit status 1: a figure is MISSED.

CPU seconds of privet are those of one thread, wall seconds those of two; peers run as they choose, with two threads
where they have any. The pairs are co-rated cosines on both sides. The lists are so only here: the peers take the cosine
of whole rows, which is one sum for a pair of users instead of three.
"""

import argparse
import datetime
import itertools
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import sets
from peers import ALONE, PEERS, Peer, installed, last_line, say, versions
from privet.errors import PrivetError

HERE = Path(__file__).parent
KERNELS = HERE / "kernels.py"
QUICK = ("100k", "1m")
TENFOLD = "10m"  # all pairs of which take minutes: one round
LONGEST_STEP = 1800  # seconds
TODAY = datetime.date.today()

# What is wanted by peer, size and figure; a set of MovieLens is held to the same as its synthetic likeness.
WANTED = {
    ("scikit-surprise", "100k", "wall"): 32.0,
    ("scikit-surprise", "1m", "CPU"): 72.0,
    ("scikit-surprise", "1m", "peak"): 0.30,
    ("sparse_dot_topn", "1m", "CPU"): 2.7,
    ("implicit", "1m", "CPU"): 3.6,
    ("scikit-learn", "1m", "CPU"): 3.6,
}
DIFFERENCE = 2e-7
START = 3.0
START_OURS = "from privet import Ratings, similarity; similarity.rank(Ratings.open({!r}), 0)"
START_BARE = "import numpy, numba"

Took = dict[str, float]  # what a step reports: seconds of wall and CPU, bytes of the peak
Rounds = list[tuple[Took, Took]]  # of privet and of the peer


class Job(NamedTuple):
    """One part of the benchmark on one set, beside one peer where the part has peers."""

    name: str  # of the set
    part: str
    peer: Peer | None = None

    @property
    def size(self) -> str:
        return self.name.removeprefix("ml-")

    def bears(self, names: Iterable[str]) -> bool:
        return set(names) <= {self.name, self.part, self.peer.name if self.peer else ""}


class Row(NamedTuple):
    """A line of the table: what was found, and what is wanted of it, if anything."""

    what: str
    found: float | None  # nothing where a peer could not be measured
    wanted: float | None = None
    sense: str = "at least"
    unit: str = ""
    medians: str = ""

    @property
    def figure(self) -> str:
        if self.found is None:
            return "not measured"
        return f"{short(self.found)} {self.unit}".rstrip()

    @property
    def wish(self) -> str:
        return "" if self.wanted is None else f"{self.sense} {self.wanted:g}"

    @property
    def mark(self) -> str:
        if self.found is None or self.wanted is None:
            return ""
        held = self.found >= self.wanted if self.sense == "at least" else self.found <= self.wanted
        return "held" if held else "MISSED"

    def __str__(self) -> str:
        return f"{self.what:<60} {self.figure:>14}  {self.wish:<14} {self.mark:<6}  {self.medians}".rstrip()


def short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


class Failed(Exception):
    """A measurement that came to nothing, with the last line of what it said."""


def printed(*command: object) -> str:
    """What a program prints. No library of linear algebra gets a second thread in any of them."""
    words = [str(word) for word in command]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=True, env=alone, timeout=LONGEST_STEP)
        return done.stdout
    except (OSError, subprocess.SubprocessError) as problem:
        raise Failed(last_line(getattr(problem, "stderr", None)) or str(problem)) from None


def report(*command: object) -> dict[str, Any]:
    """What a program says of itself in its last line."""
    said = last_line(printed(*command))
    try:
        return json.loads(said)
    except ValueError:
        raise Failed(f"there must be a report, and there is {said!r}") from None


def beside(job: Job, path: Path, rounds: int, answers: tuple[Path, ...] = ()) -> Rounds:
    """What privet and the peer took; nothing where the peer fails. Their last answers go into two files, if given."""
    found: Rounds = []
    if not installed(job.peer):
        return []
    for number in range(rounds):
        say(f"{job.name}, {job.part}, {job.peer.name}: round {number + 1} of {rounds}")
        ours = report(sys.executable, step(job.part, "privet"), path, *answers[:1])
        try:
            theirs = report(job.peer.python, step(job.part, job.peer.name), path, *answers[1:])
        except Failed as problem:
            say(f"{job.name}, {job.part}, {job.peer.name}: {problem}")
            return []
        found.append((ours, theirs))
    return found


def step(part: str, name: str) -> Path:
    return HERE / "steps" / f"{part}_{name.replace('-', '_')}.py"


def slower(job: Job, rounds: Rounds, figure: str) -> Row:
    """How many times the seconds of privet the peer takes."""
    ratio = middle(theirs[figure] / ours[figure] for ours, theirs in rounds)
    what = f"{job.name}, {job.part}: {job.peer.name} / privet, {figure}"
    wanted = WANTED.get((job.peer.name, job.size, figure))
    return Row(what, ratio, wanted, medians=medians(job, rounds, figure, "s", 1))


def leaner(job: Job, rounds: Rounds) -> Row:
    """What part of the peer's peak privet takes, each of a whole process."""
    share = middle(ours["peak"] / theirs["peak"] for ours, theirs in rounds)
    what = f"{job.name}, {job.part}: privet / {job.peer.name}, peak"
    wanted = WANTED.get((job.peer.name, job.size, "peak"))
    return Row(what, share, wanted, "at most", medians=medians(job, rounds, "peak", "MB", 1e6))


def apart(job: Job, answers: tuple[Path, Path]) -> Row:
    """The largest difference between two matrices, their diagonals apart: Surprise has 1 there, rated or not."""
    found = None
    if answers[1].exists():
        differences = np.abs(np.load(answers[0]) - np.load(answers[1]))
        np.fill_diagonal(differences, 0)
        found = float(differences.max())
    return Row(f"{job.name}, {job.part}: privet - {job.peer.name}, largest", found, DIFFERENCE, "at most")


def middle(values: Iterable[float]) -> float | None:
    found = list(values)
    return median(found) if found else None


def medians(job: Job, rounds: Rounds, figure: str, unit: str, size: float) -> str:
    if not rounds:
        return ""
    ours, theirs = (median(took[figure] for took in side) / size for side in zip(*rounds, strict=True))
    return f"privet {short(ours)} {unit}, {job.peer.name} {short(theirs)} {unit}"


def pairs_rows(job: Job, path: Path, rounds: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        answers = (Path(folder) / "ours.npy", Path(folder) / "theirs.npy")
        took = beside(job, path, rounds, answers)
        times = [slower(job, took, figure) for figure in ("wall", "CPU")]
        return [*times, leaner(job, took), apart(job, answers)]


def lists_rows(job: Job, path: Path, rounds: int) -> list[Row]:
    took = beside(job, path, rounds)
    return [slower(job, took, figure) for figure in ("wall", "CPU")]


def start_rows(job: Job, path: Path, rounds: int) -> list[Row]:
    """A process that opens a set and ranks one user, beside one that imports what privet computes with.

    In an environment with what privet needs and nothing else; and in this one, where numba loads SciPy because it is
    there.
    """
    say(f"{job.name}, {job.part}")
    rows = [started(job, path, rounds, Path(sys.executable), "beside SciPy", None)]
    if installed(ALONE):
        rows.insert(0, started(job, path, rounds, ALONE.python, "alone", START))
    return rows


def started(job: Job, path: Path, rounds: int, python: Path, where: str, wanted: float | None) -> Row:
    codes = (START_OURS.format(str(path)), START_BARE)
    found = [[seconds_of(python, code) for code in codes] for _ in range(1 + 5 * rounds)][1:]  # one fills the caches
    ratio = median(ours / bare for ours, bare in found)
    ours, bare = (median(side) for side in zip(*found, strict=True))
    what = f"{job.name}, {job.part} {where}: rank one / numpy and numba"
    return Row(what, ratio, wanted, "at most", medians=f"privet {short(ours)} s, numpy and numba {short(bare)} s")


def seconds_of(python: Path, code: str) -> float:
    start = time.perf_counter()
    printed(python, "-c", code)
    return time.perf_counter() - start


def kernels_rows(job: Job, path: Path, rounds: int) -> list[Row]:
    say(f"{job.name}, {job.part}")
    rows = [Row(**row) for row in report(sys.executable, KERNELS, path, "--rounds", rounds)["rows"]]
    return [row._replace(what=f"{job.name}, {job.part}: {row.what}") for row in rows]


ROWS = {"start": start_rows, "pairs": pairs_rows, "lists": lists_rows, "kernels": kernels_rows}


def jobs(*, quick: bool, every_peer: bool, only: list[str]) -> list[Job]:
    """What is to be measured, set by set: all that bears each of the names in `only`."""
    peers = [peer for peer in PEERS if peer.usual or every_peer or peer.name in only]
    found = [Job("100k", "start")]
    for name in sets.NAMES:
        found += [Job(name, peer.part, peer) for peer in peers if peer.tenfold or name != TENFOLD]
        if name in sets.SYNTHETIC and KERNELS.exists():
            found.append(Job(name, "kernels"))
    return [job for job in found if job.bears(only) and (job.name in QUICK or not quick)]


def surroundings(peers: Iterable[Peer]) -> list[str]:
    """What the figures depend on besides the code of privet."""
    say("the machine and the peers")
    moved = report(sys.executable, HERE / "steps" / "bandwidth.py")["bytes_per_second"]
    own = versions(sys.executable, "privet", "numpy", "numba")
    return [
        f"{TODAY}, {processor()}, {os.cpu_count()} cores",
        f"memory: {moved / 1e9:.1f} GB/s, NumPy's triad in one thread",
        f"python {platform.python_version()}, {own}",
        "CPU seconds: privet in one thread, peers as they choose, in two where they can; wall seconds: privet in two",
        *(versions(peer.python, peer.name, "numpy", "scipy") for peer in peers if installed(peer)),
    ]


def processor() -> str:
    models = re.findall(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    return models[0] if models else platform.machine()


def write(told: list[str], rows: list[Row], rounds: int) -> None:
    """Keep the table under the date and the processor."""
    model = re.sub(r"\(\w+\)|\bcpu\b|@.*", "", processor().lower())
    path = HERE / "results" / f"{TODAY}-{'-'.join(re.findall('[a-z0-9]+', model)[:4])}.md"
    head = ["# privet beside its peers", "", *(f"- {line}" for line in told), f"- rounds: {rounds}", ""]
    columns = ["| | found | wanted | | medians |", "|---|---:|---|---|---|"]
    table = [f"| {row.what} | {row.figure} | {row.wish} | {row.mark} | {row.medians} |" for row in rows]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([*head, *columns, *table]) + "\n")
    say(f"written: {path}")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="the smaller synthetic sets, in one round")
    options.add_argument("--rounds", type=int, help="5, or 1 with --quick")
    options.add_argument("--only", action="append", default=[], metavar="NAME", help="a part, set or peer; repeatable")
    options.add_argument("--peers", choices=("usual", "all"), default="usual", help="all: the large ones too")
    options.add_argument("--write", action="store_true", help="write the table though it is not whole")
    chosen = options.parse_args()
    rounds = (1 if chosen.quick else 5) if chosen.rounds is None else chosen.rounds
    if rounds < 1:
        options.error(f"--rounds must be 1 or more; got {rounds}")
    asked = jobs(quick=chosen.quick, every_peer=chosen.peers == "all", only=chosen.only)
    if not asked:
        options.error(
            f"--only names a part ({', '.join(ROWS)}), a set ({', '.join(sets.NAMES)}) or a peer, and --quick has only"
            f" {' and '.join(QUICK)}: nothing is named {' and '.join(chosen.only)}"
        )
    if not KERNELS.exists():
        say("kernels.py is not there: no rows of kernels")
    told = surroundings(dict.fromkeys(job.peer for job in asked if job.peer))
    print("\n".join(told), flush=True)
    rows: list[Row] = []
    for name, group in itertools.groupby(asked, lambda job: job.name):
        try:
            path = sets.prepared(name)
        except PrivetError as problem:
            say(f"{name} is not to be had: {problem}")
            continue
        told.append(f"{name}: {sets.described(path)}")
        print(told[-1], flush=True)
        for job in group:
            for row in ROWS[job.part](job, path, 1 if job.name == TENFOLD and job.peer else rounds):
                print(row, flush=True)
                rows.append(row)
    if chosen.write or not (chosen.quick or chosen.only):
        write(told, rows, rounds)
    return 1 if any(row.mark == "MISSED" for row in rows) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as problem:
        sys.exit(f"privet fails: {problem}")
