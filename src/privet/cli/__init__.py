"""The command line: one thin file per verb, loaded when it is called.

Output goes to stdout, talk to stderr. Exit codes: 0 done; 1 something about ratings, ids, privacy, files or extras;
2 a setting or an option; 70 a fault of ours; 130 interrupted.
"""

import os
import re
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module

import click

from privet import __version__
from privet.errors import ParameterError, PrivetError, Unattainable

DONE, REFUSED, MISUSED, OUR_FAULT, INTERRUPTED = 0, 1, 2, 70, 130

VERBS: Mapping[str, str] = {
    "recommend": "What to show a user.",
    "info": "What a file of ratings holds.",
    "data": "Public data sets, and made-up shops.",
    "demo": "A made-up shop, with plain neighbours and PPNS side by side.",
    "doctor": "What is installed, what is cached, what is missing and how to get it.",
}


class _Verbs(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        command: click.Command = import_module(f"privet.cli.{name}").command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="privet", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show where an error came from.")
def command(debug: bool) -> None:
    """Recommend from neighbours, and know what that gives away."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    debug = "--debug" in sys.argv[1:]
    try:
        code = command.main(standalone_mode=False) or DONE
        sys.stdout.flush()
    except click.ClickException as problem:
        problem.show()
        code = problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        code = INTERRUPTED
    except PrivetError as problem:
        if debug:
            traceback.print_exc()
        click.echo(f"Error: {_in_options(str(problem))}", err=True)
        code = MISUSED if isinstance(problem, (ParameterError, Unattainable)) else REFUSED
    except ModuleNotFoundError as problem:
        if debug:
            traceback.print_exc()
        click.echo(f"Error: {problem.name} is not installed; `privet doctor` tells how to get it.", err=True)
        code = REFUSED
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = DONE
    except Exception as problem:
        if debug:
            traceback.print_exc()
        what = f"{type(problem).__name__}: {problem}"
        click.echo(f"This is a fault of privet's: {what}. `privet --debug ...` shows where.", err=True)
        code = OUR_FAULT
    sys.exit(code)


_OPTIONS = {
    r"\b(rating|timestamp)=False": r"--\1-column none",
    r"\b(user|item|rating|timestamp)=(?=[ ,;.]|$)": r"--\1-column",
    r'duplicates="last", "first" or "mean"': "--duplicates last, first or mean",
    r"short='fill'": "short=fill",
}


def _in_options(message: str) -> str:
    """What a message calls by its name in Python, by its name in the shell."""
    for words, option in _OPTIONS.items():
        message = re.sub(words, option, message)
    return message
