"""Command outlines: what the help lists, read from a module's text instead of importing it, which takes long."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outline:
    """A command as its module's text describes it.

    file     the module
    name     the command's: NAME, or what the file's place says
    summary  what the help says of it: the module's docstring
    group    in which the help lists it: the name that GROUP is bound to, None where there is no GROUP
    """

    file: Path
    name: str
    summary: str
    group: str | None


def read_outline(file: Path, name: str) -> Outline | None:
    """Return the outline of a module's command, called `name` unless NAME says otherwise; None if it registers none."""
    text = file.read_text(encoding="utf-8")
    if "\ndef register(" not in text:
        return None
    module = ast.parse(text)
    said = {ast.unparse(one.targets[0]): one.value for one in module.body if isinstance(one, ast.Assign)}
    return Outline(
        file=file,
        name=ast.literal_eval(said["NAME"]) if "NAME" in said else name,
        summary=ast.get_docstring(module) or "",
        group=ast.unparse(said["GROUP"]) if "GROUP" in said else None,
    )
