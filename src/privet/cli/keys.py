"""The key of the noise: made once, kept where only its owner reads it."""

import os
import secrets
from pathlib import Path

from privet.errors import StoreError

_BYTES = 32


def default_file() -> Path:
    """Where the key is kept unless something else is said."""
    if state := os.environ.get("XDG_STATE_HOME"):
        return Path(state) / "privet" / "key"
    return Path.home() / ".local" / "state" / "privet" / "key"


def key_from(file: Path | None) -> bytes:
    """The key in a file; the default file is made on first use."""
    path = default_file() if file is None else file
    try:
        if file is None and not path.exists():
            _make(path)
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise StoreError(f"{path} holds a key and must be readable by its owner alone: chmod 600 {path}")
        content = path.read_bytes()
    except FileNotFoundError:
        raise StoreError(
            f"{path}: there is no such key file. One is made by: (umask 077; python -c"
            f" 'import secrets; print(secrets.token_hex({_BYTES}))' > {path})"
        ) from None
    except OSError as problem:
        raise StoreError(f"{path}: the key cannot be read: {problem.strerror or problem}") from None
    try:
        key = bytes.fromhex(content.decode("ascii").strip())
    except ValueError:  # nothing of it is shown
        key = b""
    if len(key) != _BYTES:
        raise StoreError(f"{path} must hold one key of {2 * _BYTES} hexadecimal digits, as privet writes it")
    return key


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_bytes(_BYTES).hex() + "\n")
    try:
        os.link(beside, path)  # whoever comes first has made it; nobody's key is written over
    except FileExistsError:
        pass
    finally:
        beside.unlink()
