"""privet doctor: what is installed, what is cached, what is missing and how to get it."""

import platform
import sys
from importlib import metadata

import click

from privet import __version__
from privet.cli import keys, render
from privet.lab import datasets


@click.command(name="doctor")
@render.format_option
def command(format: str) -> None:
    """Tell versions, the cache, the key, and of what is missing how to get it."""
    rows: list[tuple[str, str, str]] = [
        ("privet", __version__, ""),
        ("Python", f"{platform.python_version()} at {sys.executable}", ""),
    ]
    rows += [_package(name) for name in _required()]
    rows.append(("cache", str(datasets.folder()), ""))
    rows += [_data_set(name) for name in datasets.names()]
    key = keys.default_file()
    rows.append(("key", str(key) if key.exists() else "none yet", "" if key.exists() else "made on first use"))
    what, found, get = zip(*rows, strict=True)
    render.table({"what": what, "found": found, "get_it_with": get}, format=format)


def _required() -> list[str]:
    wanted = metadata.requires("privet") or []
    names = (line.split(";")[0] for line in wanted if "extra ==" not in line)
    return sorted({name.split(">")[0].split("<")[0].split("=")[0].strip() for name in names})


def _package(name: str) -> tuple[str, str, str]:
    try:
        return name, metadata.version(name), ""
    except metadata.PackageNotFoundError:
        return name, "missing", f"pip install {name}"


def _data_set(name: str) -> tuple[str, str, str]:
    entry = datasets.cached(name)
    return (name, "not cached", f"privet data get {name}") if entry is None else (name, f"from {entry.source}", "")
