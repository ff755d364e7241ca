"""One command as it is to be measured."""

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
    """A command to be measured.

    setup, cleanup  run once each, before the first run and after the last
    prepare         runs before every run, untimed
    environment     variables of the command's own, beside those that it inherits
    folder          that all of these run in; None: the present one
    build           must be done before
    judge           its own in place of the one that all commands have; None: that one
    rung            is measured instead: the command names it
    input           the file that is its standard input, from `folder`; None: the null device
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
        """Return where a file is that is named from its folder."""
        return self.folder / file if self.folder is not None else file
