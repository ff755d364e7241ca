"""Runs of `rooftop diagnose` on the programs, and of the programs with and without their fault."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from benchmarks.diagnose.fault_programs import NotBuilt, Program
from benchmarks.diagnose.unprivileged import Started
from benchmarks.form import ROOT
from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.text import prediction_text
from rooftop.errors import BUSY

AS_WE_ARE = Started()
_BETWEEN_S = 10.0  # two tries while another campaign runs


@dataclass(frozen=True)
class Told:
    """A finding: its name, the seconds that it is ordered by, and the cure that helped, with how much.

    predicted  what was predicted of the first cure that was tried, and whether it was so
    """

    name: str
    seconds: float
    cure: str | None = None
    ratio: float | None = None
    predicted: str | None = None


@dataclass(frozen=True)
class Row:
    """What came out of a program.

    missing  why it was left out
    failed   why there is no diagnosis
    seconds  of one run under observation
    gain     how many times as fast it is without its fault
    """

    program: Program
    missing: str | None = None
    failed: str | None = None
    seconds: float | None = None
    gain: float | None = None
    told: tuple[Told, ...] = ()

    @property
    def right(self) -> bool | None:
        """Whether the first finding is right, or a healthy program has none; None: left out."""
        if self.missing is not None:
            return None
        if self.failed is not None:
            return False
        return not self.told if self.program.healthy else bool(self.told) and self.told[0].name in self.program.findings

    @property
    def among(self) -> bool | None:
        """Whether a right finding is among all; None: left out, or healthy."""
        if self.missing is not None or self.program.healthy:
            return None
        return any(one.name in self.program.findings for one in self.told)

    @property
    def cured(self) -> bool | None:
        """Whether a right cure helped; None: left out, or no cure is expected."""
        if self.missing is not None or not self.program.cures:
            return None
        return any(one.cure in self.program.cures for one in self.told)


def told(document: DiagnoseDocument) -> tuple[Told, ...]:
    """Return the findings of a document."""
    return tuple(
        Told(
            one.name,
            one.seconds,
            one.cure.name if one.cure else None,
            one.cure.ratio if one.cure else None,
            prediction_text(one),
        )
        for one in document.findings
    )


def gain(program: Program, words: Sequence[str], scale: float, rounds: int) -> float | None:
    """Return how many times as fast a program is without its fault, by medians of alternating runs."""
    if program.cured is None or rounds == 0:
        return None
    taken: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(rounds):
        for cured, seconds in taken.items():
            began = time.perf_counter()
            subprocess.run(
                program.words(words, scale, cured=cured),
                env={**os.environ, **program.variables(cured=cured)},
                stdout=subprocess.DEVNULL,
                check=True,
            )
            seconds.append(time.perf_counter() - began)
    return statistics.median(taken[False]) / statistics.median(taken[True])


def ended(line: Sequence[str], variables: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, env={**os.environ, **variables}, capture_output=True, text=True, check=False)


def last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def diagnosed(
    words: Sequence[str],
    variables: Mapping[str, str],
    budget: str,
    keep: Path | None = None,
    start: Started = AS_WE_ARE,
) -> DiagnoseDocument | str:
    """Diagnose a command, and return the document, or why there is none. While another campaign runs, wait.

    keep   where the document goes
    start  of the bench
    """
    line = [*start.words, str(ROOT / "rooftop"), "diagnose", "--json", "--budget", budget, "--", *words]
    while (done := ended(line, {**variables, **start.variables})).returncode == BUSY:
        print(f"waiting: {last_line(done.stderr)}", flush=True)
        time.sleep(_BETWEEN_S)
    if keep is not None:
        keep.write_text(done.stdout, encoding="utf-8")
    try:
        document = DiagnoseDocument.model_validate_json(done.stdout)
    except ValidationError:
        return f"ended with {done.returncode} without a document: {last_line(done.stderr)}"
    return f"the program {document.failure}" if document.failure is not None else document


def row(
    program: Program,
    folder: Path,
    budget: str,
    scale: float,
    rounds: int,
    keep: Path | None = None,
    start: Started = AS_WE_ARE,
) -> Row:
    """Build, time and diagnose a program. The bench's files go below `folder`, the document to `keep`."""
    if program.missing is not None:
        return Row(program, missing=program.missing)
    try:
        words = program.build(folder)
        ratio = gain(program, words, scale, rounds)
    except (NotBuilt, subprocess.CalledProcessError) as reason:
        return Row(program, failed=str(reason))
    variables = {**program.variables(), "ROOFTOP_HOME": str(folder / "home")}
    file = keep / f"{Path(program.source).stem}.json" if keep is not None else None
    document = diagnosed(program.words(words, scale), variables, budget, file, start)
    if isinstance(document, str):
        return Row(program, failed=document, gain=ratio)
    return Row(program, seconds=document.facts.elapsed_s, gain=ratio, told=told(document))
