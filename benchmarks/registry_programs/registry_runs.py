"""Runs of a program as it is and with its public cure, in pairs, and of `rooftop diagnose` on it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from benchmarks.diagnose.diagnose_runs import Row, ended, last_line, row
from benchmarks.form import ROOT
from benchmarks.registry_programs.registry_table import RegistryProgram
from rooftop.compare.document import CompareDocument

_OWN_S = 300.0


@dataclass(frozen=True)
class Compared:
    """Seconds of a program as it is and with its cure, and how many times as fast it is with it, with the interval."""

    before_s: float
    after_s: float
    ratio: float
    lo: float
    hi: float


@dataclass(frozen=True)
class RegistryRow:
    """What came out of a program.

    found     what `rooftop diagnose` told
    compared  with its cure; a text: why not; None: there is no cure that is tried
    own       what the program itself says of its fault
    """

    program: RegistryProgram
    found: Row
    compared: Compared | str | None = None
    own: str = ""


def started(program: RegistryProgram, built: tuple[str, ...], scale: float, *, cured: bool) -> str:
    """Return the line that starts a program with its variables."""
    variables = [f"{name}={value}" for name, value in program.variables(cured=cured).items()]
    return shlex.join([*(["env", *variables] if variables else []), *program.words(built, scale, cured=cured)])


def compared(lines: tuple[str, str], home: Path, budget: str) -> Compared | str:
    """Compare a program as it is with the cured one. Return the reason if there are no figures."""
    words = [str(ROOT / "rooftop"), "compare", "--json", "--budget", budget, *lines]
    done = ended(words, {"ROOFTOP_HOME": str(home)})
    try:
        document = CompareDocument.model_validate_json(done.stdout)
    except ValidationError:
        return f"compare ended with {done.returncode} without a document: {last_line(done.stderr)}"
    before, after = document.commands[:2]
    if not document.comparisons or before.median is None or after.median is None:
        return before.reason or after.reason or "compare has no figures"
    found = document.comparisons[0]
    return Compared(before.median, after.median, found.ratio, found.lo, found.hi)


def own_words(program: RegistryProgram, built: tuple[str, ...], scale: float) -> str:
    """Return what a program itself prints of its fault."""
    if program.own_words is None:
        return ""
    environment = {**os.environ, **program.variables()}
    words = program.words(built, scale)
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=_OWN_S)
    lines = re.findall(program.own_words, done.stdout, re.MULTILINE)
    return "; ".join(" ".join(line.split()) for line in lines)


def registry_row(
    program: RegistryProgram, folder: Path, budget: str, scale: float, keep: Path | None, *, pairs: bool
) -> RegistryRow:
    """Build a program, compare it with the cured one, and diagnose it. `pairs`: whether it is compared."""
    found = row(program, folder, budget, scale, rounds=0, keep=keep)
    if found.missing is not None or found.failed is not None:
        return RegistryRow(program, found)
    built = program.build(folder)
    gain = None
    if pairs and program.cured is not None:
        lines = (started(program, built, scale, cured=False), started(program, built, scale, cured=True))
        gain = compared(lines, folder / "home", budget)
    return RegistryRow(program, found, gain, own_words(program, built, scale))
