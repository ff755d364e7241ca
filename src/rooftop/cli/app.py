"""Finds the commands, runs one, and turns every error into one line and an exit code."""

from __future__ import annotations

import os
import pkgutil
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated

import typer

import rooftop
from rooftop import cli, errors
from rooftop.remembered_interrupts import remembered_interrupts
from rooftop.settings import Settings

_EPILOG = (
    "Exit codes: 0 fine, 1 wrong result or failed rung, 2 misuse, 3 nothing measured, 4 not built, 5 busy, "
    "6 regression, 7 not resolved (both of gate), 130 interrupted."
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rooftop {rooftop.__version__}")
        raise typer.Exit


Register = Callable[[typer.Typer], None]


def _register_of(name: str) -> Register | None:
    """Give what adds a module's command; None for a module that has none."""
    return getattr(import_module(f"rooftop.cli.{name}"), "register", None)


def _commands(wanted: str | None) -> list[Register]:
    """Give what adds the commands found in ``rooftop.cli``: the wanted one's alone where its module is named like it.

    Importing them all takes a third of a second, which a solver's user waits for.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(cli.__path__))
    if wanted in names and (register := _register_of(wanted)) is not None:
        return [register]
    return [register for name in names if (register := _register_of(name)) is not None]


def build_app(wanted: str | None = None) -> typer.Typer:
    """Make the application with every command, or with the wanted one alone where it is known by its name."""
    app = typer.Typer(
        name="rooftop",
        help="A performance-engineering bench: ladders from the naive program up to the roof.",
        epilog=_EPILOG,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def top(
        version: Annotated[
            bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
        ] = False,
    ) -> None:
        pass

    for register in _commands(wanted):
        register(app)
    return app


def _say(message: str) -> None:
    sys.stderr.write(f"rooftop: {' '.join(message.split())}\n")


def _keep_trace() -> str:
    """Write the trace of an internal error where it can be found, and say where."""
    try:
        path = Settings().home_folder / "last-error.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(traceback.format_exc(), encoding="utf-8")
    except OSError:
        return "the trace could not be written"
    return f"the trace is in {path}"


@remembered_interrupts()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit code; never lets a traceback out."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = build_app(words[0] if words else None)(args=words, prog_name="rooftop", standalone_mode=False)
        sys.stdout.flush()
        if code == errors.INTERRUPTED:  # the option parser has made this of a KeyboardInterrupt
            _say("interrupted")
        return code if isinstance(code, int) else errors.FINE
    except errors.RooftopError as error:
        _say(str(error))
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        _say("interrupted")
        return errors.INTERRUPTED
    except BrokenPipeError:
        # The reader of standard output has left; closing it again at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return errors.FINE
    except Exception as error:
        explain: Callable[[], str] | None = getattr(error, "format_message", None)
        if explain is not None:  # the option parser's own errors
            if message := explain():
                _say(f"{message} (see rooftop --help)")
            return errors.MISUSE
        if os.environ.get("ROOFTOP_DEBUG"):
            traceback.print_exc()
        _say(f"internal error: {type(error).__name__}: {error}; {_keep_trace()}")
        return errors.INTERNAL
