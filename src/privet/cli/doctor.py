"""privet doctor: what is installed, what is cached, what is missing and how to get it."""

import platform
import re
import sys
from importlib import metadata

import click

from privet import __version__
from privet.cli import keys, render

Row = tuple[str, str, str]


@click.command(name="doctor")
@render.format_option
def command(format: str) -> None:
    """Tell versions, the cache, the key, and of what is missing how to get it."""
    rows: list[Row] = [
        ("privet", __version__, ""),
        ("Python", f"{platform.python_version()} at {sys.executable}", ""),
    ]
    rows += [_package(requirement) for requirement in _required()]
    missing = any(get for _, _, get in rows)
    if not missing:
        rows += _at_hand()
    if missing and format == "table":  # what draws tables may be what is missing
        for what, found, get in rows:
            render.show(f"{what}: {found}" + (f"; get it with: {get}" if get else ""))
    else:
        columns = zip(*rows, strict=True)
        render.table(dict(zip(("what", "found", "get_it_with"), columns, strict=True)), format=format)
    if missing:
        raise click.exceptions.Exit(1)


def _at_hand() -> list[Row]:
    """The cache, the data sets in it, and the key."""
    from privet.lab import datasets  # which loads NumPy

    rows: list[Row] = [("cache", str(datasets.folder()), "")]
    for name in datasets.names():
        entry = datasets.cached(name)
        found = "not cached" if entry is None else f"from {entry.source}"
        rows.append((name, found, f"privet data get {name}" if entry is None else ""))
    key = keys.default_file()
    rows.append(("key", str(key) if key.exists() else f"none yet; the first draw makes {key}", ""))
    return rows


def _required() -> list[str]:
    """What the distribution requires, without its extras."""
    return sorted(line for line in metadata.requires("privet") or [] if "extra ==" not in line)


def _package(requirement: str) -> Row:
    match = re.match(r"([\w.-]+)\s*(?:>=\s*([\d.]+))?", requirement)
    assert match is not None
    name, floor = match[1], match[2] or "0"
    get = f'pip install "{requirement}"'
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        return name, "missing", get
    return (name, found, "") if _parts(found) >= _parts(floor) else (name, f"{found}, older than {floor}", get)


def _parts(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version.split("+")[0])]
