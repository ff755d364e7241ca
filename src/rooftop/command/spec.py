"""A command to measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rooftop.command.build import Build
from rooftop.command.line import CommandLine

if TYPE_CHECKING:
    from rooftop.subject.rung import Rung


@dataclass(frozen=True)
class Spec:
    """A command to measure.

    setup, cleanup  commands to run once, before the first run and after the last
    prepare         command to run before every run, untimed
    environment     variables in addition to the inherited ones
    folder          working folder of all commands; None for the current one
    build           build that must come first
    judge           check for this command only; None for the common one
    rung            rung that the command names, to measure instead
    input           file for standard input, relative to `folder`; None for the null device
    """

    command: CommandLine
    setup: CommandLine | None = None
    prepare: CommandLine | None = None
    cleanup: CommandLine | None = None
    environment: Mapping[str, str] | None = None
    folder: Path | None = None
    build: Build | None = None
    judge: CommandLine | None = None
    rung: Rung | None = None
    input: Path | None = None

    def place(self, file: Path) -> Path:
        """Return the path of a file relative to the working folder."""
        return self.folder / file if self.folder is not None else file
