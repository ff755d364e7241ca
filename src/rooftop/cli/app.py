"""Finds the commands, runs one, and turns every error into one line and an exit code."""

from __future__ import annotations

import os
import pkgutil
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

import rooftop
from rooftop import cli, errors
from rooftop.settings import Settings

_EPILOG = (
    "Exit codes: 0 fine, 1 wrong result or failed rung, 2 misuse, 3 nothing measured, 4 not built, 5 busy, "
    "6 regression, 7 not resolved (both of gate), 130 interrupted."
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rooftop {rooftop.__version__}")
        raise typer.Exit


def build_app() -> typer.Typer:
    """Make the application with every command found in ``rooftop.cli``."""
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

    for found in sorted(pkgutil.iter_modules(cli.__path__), key=lambda module: module.name):
        register: Callable[[typer.Typer], None] | None = getattr(
            import_module(f"rooftop.cli.{found.name}"), "register", None
        )
        if register is not None:
            register(app)
    return app


def _say(message: str) -> None:
    sys.stderr.write(f"rooftop: {' '.join(message.split())}\n")


def _terminate(signum: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _keep_trace() -> str:
    """Write the trace of an internal error where it can be found, and say where."""
    try:
        path = Settings().home_folder / "last-error.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(traceback.format_exc(), encoding="utf-8")
    except OSError:
        return "the trace could not be written"
    return f"the trace is in {path}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit code; never lets a traceback out."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = build_app()(
            args=list(arguments) if arguments is not None else None, prog_name="rooftop", standalone_mode=False
        )
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
