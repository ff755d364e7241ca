"""Options of a gate, and the benchmarks that follow from them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import Field
from pydantic.dataclasses import dataclass

from rooftop.command.line import SEPARATOR, CommandLine, names_of
from rooftop.command.measurement import Measurement
from rooftop.command.option import RUNNING, Option
from rooftop.command.reported_values import read_texts
from rooftop.command.request import MeasuredCommand, reproduce
from rooftop.command.spec import Spec
from rooftop.errors import Misuse
from rooftop.gate.judge import Correction
from rooftop.gate.revision import Repository, Revision
from rooftop.subject.rung import require_comparable

BENCHMARKS, JUDGEMENT = "Benchmarks", "Judgement"
_benchmarks = partial(Option, panel=BENCHMARKS, in_file=False)

_MOST = 10.0  # a head that takes eleven times as long
Command = tuple[tuple[str, ...], str]  # the words, and the text that names it


def parse_threshold(said: str, given: str | float) -> float:
    """Return the relative difference that "2%" or "0.02" means. `said`: what the user calls it. Raises Misuse.

    A number without % is below 1: 2 could be meant as 2 %.
    """
    text = str(given)
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)\s*", text)
    value = float(match[1]) / (100 if match[2] else 1) if match else math.inf
    if match is None or not 0 <= value <= (_MOST if match[2] else 1) or (value == 1 and not match[2]):
        raise Misuse(f"{said} is {text!r}, expected a slowdown such as 2%, 0.02 or 150%, from 0 to {_MOST:.0%}")
    return value


@dataclass(frozen=True)
class Benchmark:
    """One benchmark: what runs at the base and at the head, the slowdown that is allowed, and how it is measured."""

    name: str
    base: Command
    head: Command
    threshold: float
    how: Measurement

    @property
    def arm_names(self) -> tuple[str, str]:
        """What its two sides are called."""
        return f"{self.name} at base", f"{self.name} at head"

    def specs(self, base: Path | None, head: Path | None) -> dict[str, Spec]:
        """Return both sides as commands, each in its folder. Raises Misuse."""
        found = {}
        for name, (words, text), folder in zip(self.arm_names, (self.base, self.head), (base, head), strict=True):
            found[name] = self.how.spec(CommandLine(words, text), folder=folder)
        require_comparable([self.base[1], self.head[1]], [spec.rung for spec in found.values()])
        return found


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """One gate. `how` holds for all benchmarks that have no options of their own.

    base, head  the revisions; None where plain commands are given for both sides
    listed      the commands of the command line
    """

    benchmarks: tuple[Benchmark, ...] = ()
    base: Revision | None = None
    head: Revision | None = None
    repository: Repository | None = None
    build: Annotated[str | None, Option("--build", "Command that builds a revision.", metavar="CMD", panel=RUNNING)] = (
        None
    )
    file: Annotated[str | None, _benchmarks("--file", "TOML file of benchmarks.", metavar="FILE.toml")] = None
    chosen: Annotated[
        tuple[str, ...],
        _benchmarks(
            "--benchmark",
            "Run only this benchmark. Can be repeated; * matches anything.",
            metavar="NAME",
            said=list[str],
            read=read_texts,
        ),
    ] = ()
    threshold: Annotated[
        float,
        Option(
            "--threshold",
            "Largest slowdown that passes.",
            panel=JUDGEMENT,
            said=str,
            filed=str | float,
            read=parse_threshold,
            spell=lambda threshold: f"{threshold * 100:.12g}%",
        ),
    ] = 0.02
    correction: Annotated[
        Correction,
        Option("--correction", "Correction for multiple tests: holm or bh (Benjamini-Hochberg).", panel=JUDGEMENT),
    ] = "holm"
    listed: tuple[Command, ...] = ()
    how: Measurement = Field(default_factory=lambda: Measurement(budget_s=300.0), kw_only=True)

    def prepared(self) -> Options:
        """Return itself. Raises Misuse where it cannot be measured."""
        if not self.benchmarks:
            raise Misuse(
                "there is no benchmark, expected: rooftop gate BASE HEAD -- CMD ::: CMD, "
                "rooftop gate -- OLD ::: NEW, or --file"
            )
        twice = [name for name, count in Counter(one.name for one in self.benchmarks).items() if count > 1]
        if twice:
            raise Misuse(f"two benchmarks are named {twice[0]!r}, expected unique names")
        if self.build is not None and self.base is None:
            raise Misuse("--build is given without revisions to build, expected: rooftop gate BASE HEAD --build CMD")
        for one in self.benchmarks:
            one.how.terms()
            one.specs(None, None)
        return self

    def reproduced(self) -> str:
        """Return the line that runs the same gate again, its revisions by their commits."""
        revisions = [self.base.short, self.head.short] if self.base is not None and self.head is not None else []
        return reproduce("gate", self, self.listed, revisions)


def chosen_benchmarks(benchmarks: Sequence[Benchmark], names: Sequence[str]) -> tuple[Benchmark, ...]:
    """Return the benchmarks of these names, with * for anything; without names all. Raises Misuse."""
    for name in names:
        if not any(fnmatchcase(one.name, name) for one in benchmarks):
            known = ", ".join(repr(one.name) for one in benchmarks) or "none"
            raise Misuse(f"--benchmark is {name!r}, which matches no benchmark; there are {known}")
    return tuple(one for one in benchmarks if not names or any(fnmatchcase(one.name, name) for name in names))


def listed_benchmarks(
    commands: Sequence[CommandLine], *, revisions: bool, threshold: float, how: Measurement
) -> tuple[Benchmark, ...]:
    """Return the benchmarks that the command line's commands are. Raises Misuse.

    With revisions each command is one, run at both; without, there are two commands, the base's and the head's.
    """
    sides: list[Command] = [(one.words, one.text) for one in commands]
    if revisions:
        names = names_of([text for _, text in sides])
        return tuple(Benchmark(name, side, side, threshold, how) for name, side in zip(names, sides, strict=True))
    if not sides:
        return ()
    if len(sides) != 2:
        number = f"{len(sides)} command{'' if len(sides) == 1 else 's'}"
        raise Misuse(f"{number} and no revisions, expected: gate -- OLD {SEPARATOR} NEW, or gate BASE HEAD -- CMD")
    return (Benchmark(names_of([sides[1][1]])[0], sides[0], sides[1], threshold, how),)
