"""The command line as a person uses it: a process of its own, its output, its talk and its exit code."""

import csv
import io
import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import privet
from privet.lab.synthetic import synthetic


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.csv"
    synthetic(200, 60, 3_000, seed=3).write(path)
    return path


@pytest.fixture
def home(tmp_path) -> dict[str, str]:
    """The surroundings of somebody who has never run privet."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PRIVET_"))}
    return kept | {"HOME": str(tmp_path / "home"), "COLUMNS": "200"}


def run(home: dict[str, str], *words: object, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "privet", *map(str, words)]
    return subprocess.run(command, env=home, capture_output=True, text=True, input=stdin, timeout=120, check=False)


def test_version_and_help(home):
    """--version tells the version; without a verb, and with --help, the verbs are told."""
    assert run(home, "--version").stdout == f"privet {privet.__version__}\n"
    told = run(home, "--help")
    assert told.returncode == 0
    for verb in ("recommend", "info", "data", "demo", "doctor"):
        assert verb in told.stdout
        assert run(home, verb, "--help").returncode == 0


def test_recommend_by_default(home, shop):
    """Without a method PPNS answers, which is said in one line on stderr; stdout holds the table alone."""
    done = run(home, "recommend", shop, "--user", 7)
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1
    assert "PPNS" in done.stderr
    assert "p = .5" in done.stderr
    assert "short=fill" in done.stderr
    head, *rows = done.stdout.splitlines()
    assert head.split() == ["item", "id", "score", "title"]
    assert len(rows) == 10


def test_recommend_in_other_formats(home, shop):
    """JSON and CSV hold what the table holds, and a method that is named is not talked of."""
    asked = ("recommend", shop, "--user", 7, "--method", "knn:k=20", "-n", 5)
    as_json, as_csv = run(home, *asked, "--format", "json"), run(home, *asked, "--format", "csv")
    rows = json.loads(as_json.stdout)
    assert [list(row) for row in rows] == [["item_id", "score", "title"]] * 5
    assert [row["item_id"] for row in rows] == [
        int(row["item_id"]) for row in csv.DictReader(io.StringIO(as_csv.stdout))
    ]
    assert as_json.stderr == ""
    rated = {item for user, item in pairs(shop) if user == "7"}
    assert not rated & {str(row["item_id"]) for row in rows}


def pairs(path: Path) -> list[tuple[str, str]]:
    with path.open() as file:
        return [(row["user_id"], row["item_id"]) for row in csv.DictReader(file)]


def test_one_draw_per_key_and_epoch(home, shop):
    """The same key gives the same draw in every process; its file is made once, for its owner alone."""
    asked = ("recommend", shop, "--user", 7, "--format", "csv", "--method", "ppns:p=.3,k=12")
    first, again = run(home, *asked), run(home, *asked)
    assert first.stdout == again.stdout
    (key,) = Path(home["HOME"]).rglob("key")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [run(home, *asked, "--epoch", epoch).stdout for epoch in range(1, 6)] != [first.stdout] * 5
    seeded = run(home, *asked, "--seed", 3).stdout
    assert seeded == run(home, *asked, "--seed", 3).stdout
    assert run(home, *asked, "--key-file", key).stdout == first.stdout


def test_a_key_file_that_cannot_be(home, shop, tmp_path):
    """A key that others may read, that is none, or that is not there, is refused without being shown."""
    key = tmp_path / "key"
    asked = ("recommend", shop, "--user", 7, "--key-file", key)
    assert run(home, *asked).returncode == 1
    key.write_text("secret")
    key.chmod(0o644)
    others = run(home, *asked)
    assert others.returncode == 1
    assert "chmod 600" in others.stderr
    key.chmod(0o600)
    for content in (b"secret", bytes(range(224, 256)), b"\xff" * 64):
        key.write_bytes(content)
        assert run(home, *asked).stderr.endswith("64 hexadecimal digits, as privet writes it\n")
    key.write_text("secret")
    none = run(home, *asked)
    assert none.returncode == 1
    assert "secret" not in none.stderr
    assert run(home, *asked, "--seed", 1).returncode == 2


def test_info(home, shop):
    """info tells sizes, density, scale, duplicates and what is rated most."""
    told = json.loads(run(home, "info", shop, "--format", "json", "--top", 3).stdout)
    assert (told["users"], told["items"], told["ratings"], told["duplicates"]) == (200, 60, 3000, 0)
    assert told["density"] == 0.25
    assert told["ratings_of_a_user"]["most"] >= told["ratings_of_a_user"]["median"]
    counts = {}
    for _, item in pairs(shop):
        counts[item] = counts.get(item, 0) + 1
    assert told["most_rated"][0]["ratings"] == max(counts.values())
    assert told["most_rated"][0]["title"]
    table = run(home, "info", shop).stdout
    assert "rated most" in table
    assert "3000" in table.replace(",", "")


def test_info_counts_duplicates(home, tmp_path):
    """A file with pairs rated twice is told of, not refused."""
    path = tmp_path / "ratings.csv"
    path.write_text("user,item,rating\n1,2,3\n1,2,4\n1,3,4\n1,2,5\n")
    told = json.loads(run(home, "info", path, "--format", "json").stdout)
    assert (told["ratings"], told["duplicates"]) == (2, 2)


def test_columns_can_be_named(home, tmp_path):
    """Columns in other words are named, by name or by position."""
    path = tmp_path / "ratings.csv"
    path.write_text("who,what,mark\nann,tea,5\nbob,tea,4\nbob,jam,3\n")
    refused = run(home, "info", path)
    assert refused.returncode == 1
    assert "--user-column" in refused.stderr
    named = ("--user-column", "who", "--item-column", "what", "--rating-column", "mark", "--scale", 1, 5)
    told = json.loads(run(home, "info", path, *named, "--format", "json").stdout)
    assert (told["scale"], told["scale_declared"]) == ([1.0, 5.0], True)
    done = run(home, "recommend", path, "--user", "ann", "--method", "knn:k=1", *named, "--format", "csv")
    assert done.stdout == "item_id,score\njam,3.0\n"
    unary = run(
        home, "info", path, "--user-column", 0, "--item-column", 1, "--rating-column", "none", "--format", "json"
    )
    assert json.loads(unary.stdout)["scale"] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("recommend", "{shop}", "--user", "nobody"), 1, "no user 'nobody'"),
        (("recommend", "{shop}", "--user", "999999"), 1, "no user 999999"),
        (("recommend", "none.csv", "--user", "1"), 1, "none.csv: there is no such file"),
        (("recommend", "/", "--user", "1"), 1, "directory"),
        (("recommend", "{shop}"), 2, "--user"),
        (("recommend", "{shop}", "--user", "1", "--method", "ppns:p=1.2"), 2, "PPNS needs 0 < p <= 1; got p=1.2."),
        (("recommend", "{shop}", "--user", "1", "--method", "magic"), 2, "no selector 'magic'"),
        (("recommend", "{shop}", "--user", "1", "--method", "ppns:p=.5,k=90"), 2, "short=fill"),
        (("recommend", "{shop}", "--user", "1", "-n", "0"), 2, "n >= 1"),
        (("recommend", "{shop}", "--user", "1", "--scale", "5", "1"), 2, "scale"),
        (("recommend", "{shop}", "--user", "1", "--scale", "1", "3"), 1, "outside the declared scale"),
        (("recommend", "{shop}", "--user", "1", "--epoch", "-1"), 2, "epoch"),
        (("info", "{shop}", "--catalogue", "none.csv"), 1, "none.csv"),
        (("wish",), 2, "No such command"),
        (("info", "{shop}", "--colour"), 2, "--colour"),
        (("data", "get", "ml-5"), 2, "ml-100k"),
    ],
)
def test_exit_codes(home, shop, words, code, told):
    """Each fault has its exit code and one clear sentence, without a traceback; nothing goes to stdout."""
    done = run(home, *(str(shop) if word == "{shop}" else word for word in words))
    assert (done.returncode, done.stdout) == (code, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    if code == 1:
        assert done.stderr.splitlines()[-1].startswith("Error: ")


def test_a_fault_of_ours(home, shop, tmp_path):
    """A fault of privet's own has exit code 70; only --debug shows the traceback."""
    (tmp_path / "sitecustomize.py").write_text(
        "import privet.recommender\n"
        "def broken(*a, **k): raise ZeroDivisionError('oh')\n"
        "privet.recommender.Recommender.recommend = broken\n"
    )
    home = home | {"PYTHONPATH": str(tmp_path)}
    asked = ("recommend", shop, "--user", 7, "--method", "knn")
    quiet, loud = run(home, *asked), run(home, "--debug", *asked)
    assert (quiet.returncode, loud.returncode) == (70, 70)
    assert "fault of privet's" in quiet.stderr
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr


def test_interrupted(home, tmp_path):
    """Ctrl-C ends with 130 and one line, and what is half done is gone."""
    out = tmp_path / "big.csv"
    words = ("data", "synthetic", out, "--users", 200_000, "--items", 20_000, "--ratings", 30_000_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "privet", *map(str, words)],
        env=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not list(tmp_path.glob(".big.csv.*")) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, talk = process.communicate(timeout=60)
    assert process.returncode == 130
    assert talk.splitlines()[-1] == "Interrupted."
    assert not list(tmp_path.glob("*big*"))


def test_a_reader_that_has_seen_enough(home, shop):
    """Output into a pipe that is closed early is no fault."""
    command = f"{sys.executable} -m privet info {shop} --format json --top 60 | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], env=home, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_ratings_through_a_pipe(home, shop):
    """Standard input is read like a file."""
    done = run(home, "info", "-", "--format", "json", stdin=shop.read_text())
    assert json.loads(done.stdout)["ratings"] == 3000


def test_demo(home):
    """The demo shows both methods side by side, what each chose, the p and the beta."""
    done = run(home, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    for wanted in ("kNN", "PPNS", "p ", "beta", "from partition", "guarantee"):
        assert wanted in done.stdout
    assert done.stdout == run(home, "demo").stdout
    assert done.stdout != run(home, "demo", "--seed", 2).stdout


def test_doctor_without_a_library(home, tmp_path):
    """doctor tells what is missing, and how to get it, when that is what the rest of privet is made of."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.metadata as m, sys\n"
        "sys.modules['rich'] = None\n"
        "real = m.version\n"
        "def version(name):\n"
        "    if name == 'rich': raise m.PackageNotFoundError(name)\n"
        "    return '1.9' if name == 'numpy' else real(name)\n"
        "m.version = version\n"
    )
    done = run(home | {"PYTHONPATH": str(tmp_path)}, "doctor")
    assert done.returncode == 1
    assert 'rich: missing; get it with: pip install "rich>=' in done.stdout
    assert "numpy: 1.9, older than 2.0" in done.stdout
    other = run(home | {"PYTHONPATH": str(tmp_path)}, "demo")
    assert other.returncode == 1
    assert "privet doctor" in other.stderr


def test_doctor(home):
    """doctor tells versions, the cache, and how to get what is missing."""
    rows = {row["what"]: row for row in json.loads(run(home, "doctor", "--format", "json").stdout)}
    assert rows["privet"]["found"] == privet.__version__
    assert rows["numpy"]["found"]
    assert rows["ml-100k"]["get_it_with"] == "privet data get ml-100k"
    assert rows["cache"]["found"].startswith(home["HOME"])


def test_titles_that_were_only_guessed(home, tmp_path):
    """A file beside the ratings that looks like their titles and is none is talked of, and no error."""
    (tmp_path / "ratings.csv").write_text("user,item,rating\nann,tea,5\nbob,tea,5\nbob,jam,4\n")
    (tmp_path / "movies.csv").write_text("plot,year\nsad,1999\n")
    asked = ("recommend", tmp_path / "ratings.csv", "--user", "ann", "--method", "knn:k=1", "--format", "csv")
    done = run(home, *asked)
    assert (done.returncode, done.stdout) == (0, "item_id,score\njam,4.0\n")
    assert "No titles" in done.stderr
    assert run(home, *asked, "--catalogue", tmp_path / "movies.csv").returncode == 1


def test_no_key_is_made_where_nothing_is_answered(home):
    """A question that fails leaves no key behind."""
    assert run(home, "recommend", "none.csv", "--user", 1).returncode == 1
    assert not list(Path(home["HOME"]).rglob("key"))
