"""Where a command's words go: one JSON document to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console

from rooftop.errors import Misuse

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]


def tables() -> Console:
    """Give the console for what the user asked to see, on standard output."""
    return Console()


def messages() -> Console:
    """Give the console for progress and remarks, on standard error."""
    return Console(stderr=True)


def print_document(document: BaseModel | dict[str, Any]) -> None:
    """Print a document as JSON; figures that are not numbers are an error, since JSON has none."""
    content = document.model_dump(mode="json", by_alias=True) if isinstance(document, BaseModel) else document
    sys.stdout.write(json.dumps(content, allow_nan=False, ensure_ascii=False, indent=1) + "\n")


def check_writable(option: str, path: Path | None) -> None:
    """Raise Misuse, before anything is measured, where a file could not be written in the end."""
    if path is None:
        return
    if path.is_dir():
        raise Misuse(f"{option} is {path}, which is a folder, expected a file")
    if not path.parent.is_dir():
        raise Misuse(f"{option} is {path}, and there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Misuse(f"{option} is {path}, which may not be written")
