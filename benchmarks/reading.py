"""Reading, changing, saving and opening ratings, beside pyarrow's bare CSV reader: ratios in one run.

    make bench-reading [RATINGS=10000000]

Every step runs in a process of its own, so that no peak hides behind another. A ratio is the median of the rounds, each
of which times both sides one after the other.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

BARE = """
import time, pyarrow.csv as csv, pyarrow as pa
start = time.perf_counter()
table = csv.read_csv(PATH, parse_options=csv.ParseOptions(delimiter="\\t"))
assert table.num_rows == ROWS
report(seconds=time.perf_counter() - start)
"""
READ = """
import privet.ratings.reading  # what `read` imports on its first call
before = peak()
start = time.perf_counter()
ratings = Ratings.read(PATH, timestamp=TIMES)
seconds = time.perf_counter() - start
assert len(ratings) == ROWS
times = 0 if ratings.cells.timestamps is None else ratings.cells.timestamps.nbytes
size = ratings.nbytes + times + ratings.users.nbytes + ratings.items.nbytes
report(seconds=seconds, peak=peak() - before, size=size, bytes_per_rating=ratings.nbytes / ROWS)
"""
UPDATE = """
import numpy as np
ratings = Ratings.open(SAVED)
random = np.random.default_rng(1)
users = random.choice(ratings.users.numbers, CHANGES)
items = random.choice(ratings.items.numbers, CHANGES)
_, first = np.unique(users * 1_000_000 + items, return_index=True)
users, items = users[first], items[first]
write, erase = slice(0, len(first) // 2), slice(len(first) // 2, None)
values = random.integers(1, 6, len(first)).astype(float)
had = ratings.cells.of_user(0)
float(ratings.cells.user_items.sum() + ratings.cells.item_users.sum())  # every page is in memory
start = time.perf_counter()
upserts = (users[write], items[write], values[write])
if ratings.timestamped:
    upserts += (np.arange(len(users[write])),)
changed = ratings.updated(upserts, (users[erase], items[erase]))
report(seconds=time.perf_counter() - start, changes=len(first))
"""
SAVE = """
ratings = Ratings.read(PATH)
start = time.perf_counter()
ratings.save(SAVED)
report(seconds=time.perf_counter() - start)
"""
OPEN = """
before = peak()
start = time.perf_counter()
ratings = Ratings.open(SAVED)
seconds = time.perf_counter() - start
profile = ratings.profile(len(ratings.users) // 2)
report(seconds=seconds, peak=peak() - before)
"""
VERIFY = """
start = time.perf_counter()
Ratings.open(SAVED, verify=True)
report(seconds=time.perf_counter() - start)
"""
SHARE = """
import psutil
ratings = Ratings.open(SAVED)
float(ratings.cells.user_items.sum() + ratings.cells.item_users.sum() + ratings.cells.user_values.sum())
mapped = [m for m in psutil.Process().memory_maps() if m.path == SAVED]
report(resident=sum(m.rss for m in mapped), own=sum(m.private_dirty for m in mapped))
"""
AROUND = """
import json, re, time
from privet.ratings import Ratings
def peak():  # not getrusage, whose peak begins with that of the process that started this one
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
def report(**found):
    print(json.dumps(found))
"""


def run(step: str, **names: object) -> dict[str, float]:
    setting = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    done = subprocess.run([sys.executable, "-c", AROUND + setting + step], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def shuffle(source: str, target: str, split: int) -> None:
    """The same ratings in no order, with ids of text, each user's dealt out among so many: a log of a larger shop."""
    random = np.random.default_rng(1)
    table = csv.read_csv(source, parse_options=csv.ParseOptions(delimiter="\t"))
    users = table["user_id"].to_numpy() * split + random.integers(0, split, table.num_rows)
    table = table.set_column(0, "user_id", pa.array(users))
    for side in ("user_id", "item_id"):
        named = pc.binary_join_element_wise(side[:4] + "-", table[side].cast(pa.string()), "")
        table = table.set_column(table.schema.get_field_index(side), side, named)
    places = random.permutation(table.num_rows)
    quoting = csv.WriteOptions(delimiter="\t", quoting_style="none", include_header=False)
    with Path(target).open("wb") as file:
        file.write(("\t".join(table.column_names) + "\n").encode())
        for start in range(0, len(places), 1_000_000):
            csv.write_csv(table.take(places[start : start + 1_000_000]), file, quoting)


missed: list[str] = []


def line(what: str, found: str, wanted: str = "", held: bool | None = None) -> None:
    if held is False:
        missed.append(what)
    mark = "" if held is None else ("  held" if held else "  MISSED")
    print(f"{what:<70} {found:>10}  {wanted}{mark}", flush=True)


def beside(path: str, rows: int, what: str, folder: str, *, split: int) -> None:
    """A file in another shape: its ratio of times, with times of the ratings and without, and of its peaks."""
    shuffled = str(Path(folder) / "shuffled.tsv")
    shuffle(path, shuffled, split)
    for name, times in (("with times", None), ("without times", False)):
        rounds = [
            (run(BARE, PATH=shuffled, ROWS=rows), run(READ, PATH=shuffled, ROWS=rows, TIMES=times)) for _ in range(3)
        ]
        ratio = statistics.median(read["seconds"] / bare["seconds"] for bare, read in rounds)
        share = max(read["peak"] / read["size"] for _, read in rounds)
        line(f"{what}, {name}: read / bare", f"{ratio:.2f}", "at most 4", ratio <= 4)
        line("  peak above imports / final size", f"{share:.2f}", "at most 4", share <= 4)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--ratings", type=int, default=10_000_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--changes", type=int, default=100_000)
    chosen = options.parse_args()
    rows = chosen.ratings
    with tempfile.TemporaryDirectory() as folder:
        from privet.lab.synthetic import synthetic

        path, small = str(Path(folder) / "shop.tsv"), str(Path(folder) / "small.tsv")
        for target, count in ((path, rows), (small, rows // 100)):
            shop = synthetic(
                users=max(20, count // 140), items=max(20, min(10_000, count // 100)), ratings=count, seed=1
            )
            shop.write(target)
        print(f"{rows:,} ratings, {Path(path).stat().st_size / 1e6:,.0f} MB of tab-separated text", flush=True)

        rounds = [
            (run(BARE, PATH=path, ROWS=rows), run(READ, PATH=path, ROWS=rows, TIMES=None)) for _ in range(chosen.rounds)
        ]
        ratio = statistics.median(read["seconds"] / bare["seconds"] for bare, read in rounds)
        bare, read = (statistics.median(side["seconds"] for side in sides) for sides in zip(*rounds, strict=True))
        line("pyarrow's bare reader", f"{bare:.2f} s")
        line("Ratings.read", f"{read:.2f} s")
        line("Ratings.read / bare reader", f"{ratio:.2f}", "at most 4", ratio <= 4)
        for name, found in (
            ("with times", rounds[0][1]),
            ("without times", run(READ, PATH=path, ROWS=rows, TIMES=False)),
        ):
            share = found["peak"] / found["size"]
            line(f"peak above imports / final size, {name}", f"{share:.2f}", "at most 4", share <= 4)
            line(f"  peak above imports, {name}", f"{found['peak'] / 1e6:,.0f} MB")
        beside(path, rows, "in no order, with ids of text", folder, split=1)
        beside(path, rows, "in no order, a million users named by text", folder, split=14)
        each = rounds[0][1]["bytes_per_rating"]
        line("bytes a rating, registries and times apart", f"{each:.2f}", "9 and the starts", each <= 9.5)

        saved, saved_small = str(Path(folder) / "saved"), str(Path(folder) / "saved-small")
        line("save", f"{run(SAVE, PATH=path, SAVED=saved)['seconds']:.2f} s")
        run(SAVE, PATH=small, SAVED=saved_small)
        big, little = (
            [run(OPEN, SAVED=name)["seconds"] for _ in range(chosen.rounds)] for name in (saved, saved_small)
        )
        took = statistics.median(big)
        line("open", f"{took * 1000:.2f} ms", "under 300 ms", took < 0.3)
        line("open / open of a hundredth", f"{took / statistics.median(little):.2f}", "does not grow")
        line("open, every byte verified", f"{run(VERIFY, SAVED=saved)['seconds']:.2f} s")
        shared = run(SHARE, SAVED=saved)
        line("mapped and not shared, after reading all", f"{shared['own'] / 1e6:.1f} MB", "0", shared["own"] == 0)
        updates = [run(UPDATE, SAVED=saved, CHANGES=chosen.changes)["seconds"] for _ in range(chosen.rounds)]
        took = statistics.median(updates)
        line(f"updated, {chosen.changes:,} changes", f"{took:.2f} s", "under .5 s", took < 0.5)


if __name__ == "__main__":
    main()
    sys.exit(1 if missed else 0)
