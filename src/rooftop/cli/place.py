"""The option by which commands find experiments outside the bench's tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

FromOption = Annotated[
    Path | None,
    typer.Option("--from", metavar="DIR", help="A folder of experiments, or the folder of one."),
]
