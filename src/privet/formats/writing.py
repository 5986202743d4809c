"""Writing: a file is whole under its name, or not there."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def beside(path: Path) -> Path:
    """A name in the same folder that nobody else takes."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name when it is complete, and is gone when it is not."""
    temporary = beside(path)
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
