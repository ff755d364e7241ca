"""The options of every campaign that measures commands and rungs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic.dataclasses import dataclass

from rooftop.command.option import RUNGS, TIMING, Option, declared
from rooftop.command.reported_values import read_folder, read_from, read_seed, read_texts, read_time, time_text
from rooftop.command.runs import CommandRuns
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.command.build import Build
    from rooftop.command.driver import Terms
    from rooftop.command.line import CommandLine
    from rooftop.command.spec import Spec
    from rooftop.subject.rung import Rung


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """Options for commands and rungs. None if not given."""

    budget_s: Annotated[
        float,
        Option("--budget", "Total time, such as 30s or 5m.", panel=TIMING, said=str, read=read_time, spell=time_text),
    ] = 60.0
    pairs: Annotated[
        int | None,
        Option(
            "--pairs",
            "Minimum number of pairs of a comparison, if time allows (default: 6).",
            panel=TIMING,
            read=read_from(1),
        ),
    ] = None
    max_pairs: Annotated[int, Option("--max-pairs", "Maximum number of pairs.", panel=TIMING, read=read_from(1))] = 200
    timeout_s: Annotated[
        float,
        Option(
            "--timeout", "Time limit of one run, such as 10s.", panel=TIMING, said=str, read=read_time, spell=time_text
        ),
    ] = 3600.0
    seed: Annotated[
        int | None, Option("--seed", "Seed of the order (default: a new one).", panel=TIMING, read=read_seed)
    ] = None


@dataclass(frozen=True, kw_only=True)
class RungChoice:
    """Options for rungs only. None or empty if not given."""

    size: Annotated[
        str | None, Option("--size", "Set of cases to measure rungs on: quick (default), S, M, L, …", panel=RUNGS)
    ] = None
    cases: Annotated[
        tuple[str, ...],
        Option(
            "--case",
            "Only this case of the size. Can be repeated.",
            metavar="NAME",
            panel=RUNGS,
            said=list[str],
            filed=str,
            read=read_texts,
        ),
    ] = ()
    workers: Annotated[
        int | None,
        Option(
            "--threads",
            "Number of threads of a rung, or of ranks of an MPI rung (default: usable cores).",
            panel=RUNGS,
            read=read_from(1),
        ),
    ] = None
    ranks: Annotated[
        int | None,
        Option(
            "--ranks",
            "Number of ranks of an MPI rung, each with --threads threads (default: one).",
            panel=RUNGS,
            read=read_from(1),
        ),
    ] = None
    experiments: Annotated[
        str | None,
        Option("--from", "Folder of experiments to take rungs from.", metavar="DIR", panel=RUNGS, read=read_folder),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Measurement(Sampling, RungChoice, CommandRuns):
    """The options of every campaign that measures commands and rungs."""

    def stored(self) -> dict[str, Any]:
        """Return the options as stored."""
        return asdict(self)

    @classmethod
    def from_stored(cls, content: Mapping[str, Any]) -> Self:
        """Return the options from `stored`, ignoring unknown keys. Raises ValueError for invalid values."""
        own = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in content.items() if key in own})

    def head(self) -> dict[str, Any]:
        """Return the fields of a document that describe the metric. Raises Misuse."""
        metric = self.terms().measured.metric
        name = self.metric_regex or self.metric
        if metric.each:
            name = f"geometric mean of {(metric.figure or '').rstrip(':')}"
        return {"metric": name, "unit": metric.unit, "better": metric.better}

    def spec(
        self,
        command: CommandLine,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        build: Build | None = None,
    ) -> Spec:
        """Return the spec of a command, with the options that all commands share, or of a rung. Raises Misuse."""
        from rooftop.command.line import from_text
        from rooftop.command.spec import Spec

        if (rung := self.rung(command.words, folder)) is not None:
            return Spec(command, rung=rung)
        beside = (("--setup", self.setups), ("--prepare", self.prepares), ("--cleanup", self.cleanups))
        for option, texts in beside:
            if len(texts) > 1:
                raise Misuse(f"{option} is given {len(texts)} times, expected once")
        setup, prepare, cleanup = (from_text(texts[0], self.shell) if texts else None for _, texts in beside)
        judge = from_text(self.check, self.shell) if self.check is not None else None
        spec = Spec(command, setup, prepare, cleanup, environment, folder, build, judge, input=self.input_file())
        self.require_kept(spec)
        return spec

    def rung(self, words: Sequence[str], folder: Path | None = None) -> Rung | None:
        """Return the rung that words name, in the tree around a folder; None where they are a command.

        Words after its name set parameters of its cases: NAME=VALUE. Raises Misuse for an option that has no effect,
        and NotBuilt.
        """
        rung: Rung | None = None
        if words and "/" in words[0]:
            from rooftop.subject.rung import named_rung, set_parameters

            rung = named_rung(words[0], self.size, self.cases, self.experiments, folder)
            if rung is not None:
                rung = set_parameters(rung, words[1:])
        for one in declared(RungChoice if rung is None else CommandRuns):
            if getattr(self, one.field) == one.default:
                continue
            if rung is None:
                raise Misuse(f"{one.option.name} has no effect on a command, expected a rung such as winograd/90-fused")
            raise Misuse(
                f"{one.option.name} has no effect on {rung.name}, which its experiment times and verifies: leave it out"
            )
        if rung is None:
            return None
        if self.ranks is not None:
            return rung.on(ranks=self.ranks, threads=self.workers or 1)
        return rung.on(ranks=self.workers) if rung.module.ranked else rung.on(threads=self.workers)

    def terms(self) -> Terms:
        """Return the settings that all commands share. Raises Misuse."""
        from rooftop.command.driver import Terms
        from rooftop.command.process import Limits

        measured = self._measured()
        limits = Limits(self.timeout_s, self.memory_bytes)
        if self.pairs is not None and self.pairs > self.max_pairs:
            raise Misuse(f"--pairs is {self.pairs}, expected at most --max-pairs, which is {self.max_pairs}")
        return Terms(self._check(), measured, limits, warmup=self.warmup, output=self._output())
