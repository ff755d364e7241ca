"""Finds the commands, runs one, and turns every error into one line and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

import rooftop
from rooftop import cli, errors
from rooftop.cli.completion import Shell, asked_to_complete, print_script
from rooftop.cli.outlines import Outline, read_outline
from rooftop.interrupts import interrupt_came, remembered_interrupts
from rooftop.settings import store_at
from rooftop.terminal import groups
from rooftop.terminal.groups import GroupedCommands
from rooftop.terminal.streams import steady_streams
from rooftop.text.passwords import without_passwords
from rooftop.text.visible import visible

_PACKAGE = Path(rooftop.__path__[0])
_EPILOG = (
    "Exit codes: 0 fine, 1 wrong result or failed rung, 2 misuse, 3 nothing measured, 4 not built, 5 busy, "
    "6 regression, 7 not resolved (both of gate), 130 interrupted."
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rooftop {rooftop.__version__}")
        raise typer.Exit


def _command_files() -> dict[str, Path]:
    """Return the modules that may have a command: those of ``rooftop.cli``, ``command.py`` in any other folder, and
    ``tool.py`` of a solver.

    The keys are the names of the commands, where a module has no NAME of its own: its own, or its folder's.
    """
    own = {file.stem: file for file in sorted(Path(cli.__path__[0]).glob("*.py"))}
    others = (file for form in ("[!_]*/command.py", "solvers/*/tool.py") for file in sorted(_PACKAGE.glob(form)))
    return own | {file.parent.name: file for file in others}


def _outlines(wanted: str | None) -> list[Outline]:
    """Return the wanted command's outline alone; where there is none of that name, those of all commands."""
    files = _command_files()
    if wanted in files and (own := read_outline(files[wanted], wanted)) is not None and own.name == wanted:
        return [own]
    found = [one for one in (read_outline(file, name) for name, file in files.items()) if one is not None]
    return [one for one in found if one.name == wanted] or found


def _write_man_pages(folder: Path | None) -> None:
    if folder is None:
        return
    from rooftop.cli.man_pages import write_man_pages

    names = [one.name for one in _outlines(None)]
    files = write_man_pages(folder, lambda name: typer.main.get_command(build_app(name)), names, rooftop.__version__)
    typer.echo(f"{len(files)} pages in {folder}")
    raise typer.Exit


def build_app(wanted: str | None = None) -> typer.Typer:
    """Make the application with the wanted command; where there is none of that name, with outlines of all."""
    app = typer.Typer(
        name="rooftop",
        cls=GroupedCommands,
        help="A performance-engineering bench for parallel programs.",
        epilog=_EPILOG,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def top(
        version: Annotated[
            bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version and exit.")
        ] = False,
        show_completion: Annotated[
            Shell | None,
            typer.Option(
                "--show-completion",
                callback=print_script,
                is_eager=True,
                help="Print the script that completes command lines, as in source <(rooftop --show-completion bash).",
            ),
        ] = None,
        man_pages: Annotated[
            Path | None,
            typer.Option(
                "--man-pages",
                metavar="FOLDER",
                callback=_write_man_pages,
                is_eager=True,
                help="Write the man pages of all commands, as in rooftop --man-pages ~/.local/share/man/man1.",
            ),
        ] = None,
    ) -> None:
        pass

    for one in _outlines(wanted):
        if one.name == wanted:
            import_module(".".join(("rooftop", *one.file.relative_to(_PACKAGE).with_suffix("").parts))).register(app)
        else:
            group = getattr(groups, one.group) if one.group is not None else None
            app.command(one.name, help=one.summary, rich_help_panel=group)(lambda: None)
    return app


def _say(message: str) -> None:
    sys.stderr.write(f"rooftop: {visible(without_passwords(' '.join(message.split())))}\n")


def _check_words(words: Sequence[str]) -> None:
    """Raise Misuse for what cannot be stored, printed and drawn as the text that it is."""
    arguments = [(f"argument {place + 1}", word) for place, word in enumerate(words)]
    variables = [(name, value) for name, value in os.environ.items() if name.startswith("ROOFTOP_")]
    for name, text in arguments + variables:
        try:
            text.encode()
        except UnicodeEncodeError:
            shown = os.fsencode(text).decode("utf-8", "backslashreplace")
            raise errors.Misuse(
                f"{name} is '{shown}', which is not UTF-8: put such bytes into a file, or a script of your own"
            ) from None


def _keep_trace() -> str:
    """Write the trace of an internal error where it can be found, and say where."""
    from rooftop.settings import Settings

    try:
        path = Settings().home_folder / "last-error.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(without_passwords(traceback.format_exc()), encoding="utf-8")
    except (OSError, ValueError):
        return "the trace could not be written"
    return f"the trace is in {path}"


def _asking_for_help(words: Sequence[str]) -> Sequence[str]:
    """Return the words with ``help COMMAND`` as ``COMMAND --help``."""
    return [*words[1:2], "--help"] if words[:1] == ["help"] else words


def _wanted(words: Sequence[str]) -> str | None:
    """Return the command that words name, or those that a shell asks to complete; None where they name none."""
    asked = asked_to_complete()
    return next((word for word in (words if asked is None else asked) if not word.startswith("-")), None)


def _ended(words: Sequence[str]) -> int:
    """Run one command line; give its exit code once what went wrong is told."""
    try:
        _check_words(words)
        words = _asking_for_help(words)
        code = build_app(_wanted(words))(args=list(words), prog_name="rooftop", standalone_mode=False)
        if code == errors.INTERRUPTED:  # the option parser has made this of a KeyboardInterrupt
            _say("interrupted")
        return code if isinstance(code, int) else errors.FINE
    except errors.RooftopError as error:
        _say(str(error))
        return errors.INTERRUPTED if interrupt_came() else error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        _say("interrupted")
        return errors.INTERRUPTED
    except Exception as error:
        if (message := _refused(error)) is not None:
            if message:
                _say(message)
            return errors.MISUSE
        if os.environ.get("ROOFTOP_DEBUG"):
            traceback.print_exc()
        told = f"{type(error).__name__}: {error}; {_keep_trace()}"
        if interrupt_came():  # which a library has made another error of
            _say(f"interrupted; what was known by then cannot be told: {told}")
            return errors.INTERRUPTED
        if isinstance(error, OSError):
            _say(f"{_of_the_system(error)}; {_keep_trace()}")
            return errors.WRONG
        _say(f"internal error: {told}")
        return errors.INTERNAL


def _refused(error: Exception) -> str | None:
    """Return why the option parser refuses a command line; None where it is not that."""
    if not hasattr(error, "format_message"):
        return None
    from rooftop.terminal.foreign_options import explained  # whoever is not refused needs none of it

    return explained(error)


def _of_the_system(error: OSError) -> str:
    """Write an error of the system to standard error: a disk that is full, a folder that may not be written."""
    where = " and ".join(str(file) for file in (error.filename, error.filename2) if file is not None)
    return f"{where or 'the system'}: {error.strerror or error}"


@remembered_interrupts()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit code; never lets a traceback out."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with steady_streams() as output:
        code = _ended(words)
        store_at(None)
        output.flush()
        failure = output.failure
        # A reader that has left, such as `head`, has read what it wanted.
        if failure is None or failure.errno == errno.EPIPE:
            return code
        _say(f"standard output cannot be written: {failure.strerror or failure}")
        return code or errors.WRONG
