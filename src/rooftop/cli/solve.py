"""Run a solver on a problem of yours."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from rooftop import solvers
from rooftop.cli.outlines import Outline, read_outline
from rooftop.terminal.groups import SOLVERS

GROUP = SOLVERS


def _outlines() -> list[Outline]:
    """Return the outlines of the solvers' commands: solvers/NAME/command.py."""
    files = sorted(Path(solvers.__path__[0]).glob("*/command.py"))
    found = (read_outline(file, file.parent.name) for file in files)
    return sorted((one for one in found if one is not None), key=lambda one: one.name)


def _command(one: Outline) -> Any:
    """Return the command itself, from its module."""
    alone = typer.Typer(add_completion=False)
    import_module(f"{solvers.__name__}.{one.file.parent.name}.command").register(alone)
    return typer.main.get_command(alone)


class SolverCommands(TyperGroup):
    """The solvers' commands, of which only the one that is run is imported."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """See Click's Group."""
        for one in _outlines():
            if args and one.name == args[0]:
                self.add_command(_command(one), one.name)
        return super().resolve_command(ctx, args)


def register(app: typer.Typer) -> None:
    """Add the command."""
    solve = typer.Typer(cls=SolverCommands, help=__doc__, no_args_is_help=True)
    app.add_typer(solve, name="solve", rich_help_panel=GROUP)

    @solve.callback()
    def top() -> None:
        pass

    for one in _outlines():
        hidden = one.file.parent.name.startswith("_")
        solve.command(one.name, help=one.summary, hidden=hidden)(lambda: None)
