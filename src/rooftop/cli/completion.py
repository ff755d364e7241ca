"""Scripts with which shells complete the command line: those of the option parser."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum

import typer
from typer.completion import get_completion_inspect_parameters, shell_complete

_ASKING = "_ROOFTOP_COMPLETE"  # set by a shell that wants to know how words go on


class Shell(StrEnum):
    """Shells that there is a script for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def print_script(context: typer.Context, shell: Shell | None) -> None:
    """Print the script that a shell is to read, and exit; a callback of the option parser.

    It is for programs named ``rooftop``. Bash runs the one that is typed, the others the one on PATH.
    """
    if shell is not None:
        _prepare()
        raise typer.Exit(shell_complete(context.command, {}, "rooftop", _ASKING, f"source_{shell.value}"))


def _prepare() -> None:
    """Let the option parser know its shells."""
    get_completion_inspect_parameters()


def asked_to_complete() -> Sequence[str] | None:
    """Return the words after the program that a shell wants completed; None where none asks.

    The option parser, which answers, is made ready for it.
    """
    if not os.environ.get(_ASKING):
        return None
    _prepare()
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or "").split()[1:]
