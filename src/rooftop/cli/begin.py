"""Create an experiment of your own, outside the bench's tree, from the template."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from rooftop.settings import Settings
from rooftop.terminal.groups import LADDERS
from rooftop.terminal.output import JsonOption, print_document, tables

GROUP = LADDERS
NAME = "new"

SCHEMA = "rooftop/new/1"


def _shown(folder: Path) -> str:
    """Return the folder as one would type it here: below the current folder without the way to it."""
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) else str(folder)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command(NAME, help=__doc__, rich_help_panel=GROUP)
    def begin(
        name: Annotated[
            str, typer.Argument(metavar="NAME", help="Name of the experiment: letters, digits and underscores.")
        ],
        where: Annotated[
            Path, typer.Option("--in", metavar="DIR", help="Folder to create it in. Default: the current folder.")
        ] = Path(),
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.ladder.template import make_experiment

        folder = make_experiment(name, where, Settings())
        program = os.environ.get("ROOFTOP_PROGRAM", "rooftop")
        following = [
            shlex.join([program, *words, "--from", _shown(folder)]) for words in (["show", name], ["climb", name])
        ]
        if as_json:
            files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
            print_document({"schema": SCHEMA, "name": name, "folder": str(folder), "files": files, "next": following})
            return
        console = tables()
        for line in (f"made {_shown(folder)}, the template under its new name; next:", *following):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
