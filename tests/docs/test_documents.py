"""The documents agree with the code."""

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import click
import pytest

import privet
from privet.cli import VERBS

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
DOCUMENTS = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]

# guarantees that nothing here has; a document may quote one only to deny it
FORBIDDEN = (
    "nobody can learn your ratings",
    "fake accounts do not help",
    "random neighbours protect you",
    "ppns with noise is private",
    "pure epsilon",
    "certified accuracy",
    "deletion leaves no trace",
    "not even the operator can see",
    "an attacker is right at most",
    "averaging gains nothing",
    "unlimited items",
    "whatever the selection rule",
    "sybil-proof",
    "a top-10 costs ten",
    "within 5 % of the best",
    "takes effect at once",
    "ppns is private",
    "ppns guarantees",
    "shows nothing new",
)


def readme_blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)


def test_the_readme_runs():
    """The Python of the README runs as it stands, the first block is ten lines, and prints what it says."""
    first, similarities = readme_blocks("python")
    assert len([line for line in first.splitlines() if line.strip()]) == 10
    program = first + similarities
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *recommended, predicted, method, own, shape = done.stdout.splitlines()
    assert len(recommended) == 3
    assert own.startswith("[1.")
    assert shape == "(300, 40)"
    assert predicted.startswith("Prediction(value=")
    assert method.startswith("ppns:p=0.5,")


def test_the_readmes_commands_exist():
    """Every command of the README is a target of the Makefile or a verb of privet, with options that it has."""
    makefile = (ROOT / "Makefile").read_text()
    for line in "\n".join(readme_blocks("sh")).splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0] == "make":
            assert re.search(rf"^{words[1]}:", makefile, flags=re.MULTILINE)
            continue
        assert words[0] == "privet"
        command = import_module(f"privet.cli.{words[1]}").command
        if isinstance(command, click.Group):
            command = command.commands[words[2]]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known


def test_the_method_takes_five_lines():
    """The README tells the method in five lines."""
    told = (ROOT / "README.md").read_text().partition("## The method in five lines\n")[2].partition("\n## ")[0]
    assert len(told.strip().splitlines()) == 5


def commands():
    for verb in VERBS:
        command = import_module(f"privet.cli.{verb}").command
        yield f"privet {verb}", command
        if isinstance(command, click.Group):
            for name, sub in command.commands.items():
                yield f"privet {verb} {name}", sub


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_command_and_option_has_help(name, command):
    """Every command says what it does, and so does each of its options; it is called what it is called."""
    assert command.help
    assert command.name == name.split()[-1]
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_departures_are_documented():
    """Every `Departs:` in a docstring is a section of the page on departures, and every section is named by one."""
    named = {slug for path in SOURCES for slug in departures(path.read_text())}
    headings = set(re.findall(r"^## (\S+)$", (ROOT / "docs/explanation/departures.md").read_text(), flags=re.MULTILINE))
    assert named == headings


def departures(text: str) -> list[str]:
    return [
        slug.strip() for line in re.findall(r"^\s*Departs: (.+)$", text, flags=re.MULTILINE) for slug in line.split(",")
    ]


def test_links_lead_somewhere():
    """Relative links of the documents lead to files that are there."""
    for document in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


@pytest.mark.parametrize("path", [*DOCUMENTS, *SOURCES], ids=lambda path: str(path.relative_to(ROOT)))
def test_no_sentence_that_nothing_here_keeps(path):
    """No document and no docstring claims what nothing here proves."""
    text = " ".join(path.read_text().lower().split())
    assert not [sentence for sentence in FORBIDDEN if sentence in text]


def test_every_dependency_has_its_reason():
    """Every dependency has a line of reason in CONTRIBUTING."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    reasons = (ROOT / "CONTRIBUTING.md").read_text()
    wanted = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
        *project["build-system"]["requires"],
    ]
    for requirement in wanted:
        assert re.split("[>=<]", requirement)[0] in reasons


def test_one_version():
    """The version stands in one place; the citation and the changelog repeat it."""
    assert f"version: {privet.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"## {privet.__version__}" in (ROOT / "CHANGELOG.md").read_text()
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"] == ["version"]


def test_no_ratings_are_committed():
    """No file of the repository is a file of ratings."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "README.md" in listed
    suspicious = re.compile(r"\.(csv|tsv|dat|data|inter|parquet|ndjson|ratings|json|gz|bz2|zst|zip|npz|npy)$")
    assert not [name for name in listed if suspicious.search(name)]
