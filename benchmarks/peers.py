"""The peers: which libraries privet is put beside, and an environment of its own for each.

An environment lies in `.peers/` beside this file and is made once. What pip is told by its own settings holds here too:
`PIP_CONSTRAINT`, for one, can name a smaller build of what LensKit brings along.
"""

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / ".peers"
LONGEST_INSTALLATION = 1800  # seconds
VERSION = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


class Peer(NamedTuple):
    """A library, and the part of the benchmark that it can do too; its step is `steps/PART_NAME.py`."""

    name: str
    version: str
    part: str
    usual: bool = True  # or large to install, and measured with `--peers all` only
    tenfold: bool = (
        False  # whether ten million ratings take it minutes, and neither hours nor more memory than there is
    )

    @property
    def wanted(self) -> str:
        """What pip is to install."""
        return f"{self.name}=={self.version}"

    @property
    def python(self) -> Path:
        return FOLDER / self.name / "bin" / "python"


PEERS = (
    Peer("scikit-surprise", "1.1.5", "pairs"),
    Peer("cornac", "3.0.1", "pairs", usual=False),
    Peer("sparse_dot_topn", "1.2.0", "lists", tenfold=True),
    Peer("implicit", "0.7.3", "lists"),
    Peer("scikit-learn", "1.9.1", "lists"),
    Peer("similaripy", "0.7.0", "lists", usual=False),
    Peer("lenskit", "2025.8.1", "lists", usual=False),
)


class Itself(Peer):
    """privet with what it needs and nothing of what its development needs."""

    @property
    def wanted(self) -> str:
        return str(Path(__file__).parent.parent)


ALONE = Itself("privet", "", "start")


@cache
def installed(peer: Peer) -> bool:
    """Whether the peer is there, after an attempt to install it; a failure is told in one line."""
    wanted = peer.wanted
    stamp = FOLDER / peer.name / "installed"
    if peer.python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return True
    say(f"{wanted}: being installed")
    quiet = ("--quiet", "--disable-pip-version-check")
    try:
        for command in (
            (sys.executable, "-m", "venv", "--clear", FOLDER / peer.name),
            (peer.python, "-m", "pip", "install", *quiet, "--editable" if peer is ALONE else "--upgrade", wanted),
        ):
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST_INSTALLATION)
    except (OSError, subprocess.SubprocessError) as problem:
        say(f"{wanted} cannot be installed: {last_line(getattr(problem, 'stderr', None)) or problem}")
        return False
    stamp.write_text(wanted)
    return True


def versions(python: str | Path, *names: str) -> str:
    """The versions of these packages in an environment."""
    found = []
    for name in names:
        done = subprocess.run([python, "-c", VERSION, name], capture_output=True, text=True, check=False)
        found.append(f"{name} {done.stdout.strip() or '(missing)'}")
    return ", ".join(found)


def last_line(text: str | bytes | None) -> str:
    """What a program said last; nothing where it said nothing."""
    lines = text.decode() if isinstance(text, bytes) else text or ""
    return lines.strip().rpartition("\n")[2]


def say(text: str) -> None:
    """Talk, which is kept apart from the table."""
    print(text, file=sys.stderr, flush=True)
