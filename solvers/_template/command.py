"""Compute the dot product of two columns of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop.errors import Misuse
from rooftop.terminal.output import JsonOption, print_document, tables

NAME = "template"


def register(solve: typer.Typer) -> None:
    """Add the command to those of ``rooftop solve``."""

    @solve.command(NAME, help=__doc__)
    def columns(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="A file with two numbers on each line.")],
        as_json: JsonOption = False,
    ) -> None:
        import numpy as np

        from rooftop.solvers._template import dot

        try:
            x, y = np.loadtxt(file, ndmin=2, unpack=True)
        except (OSError, ValueError) as error:
            raise Misuse(f"{file}: {error}; expected two numbers on each line") from error
        result = dot(x, y)
        if as_json:
            print_document({"schema": f"rooftop/solve-{NAME}/1", "file": str(file), "length": len(x), "dot": result})
        else:
            tables().print(f"{file}: {len(x)} lines, dot product {result:.17g}", highlight=False, markup=False)
