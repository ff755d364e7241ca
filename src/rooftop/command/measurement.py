"""What is measured of a command, how its answers are checked, and what limits its runs."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic.dataclasses import dataclass

from rooftop.command.option import Option, declared
from rooftop.command.reported_values import (
    ALL_CODES,
    codes_text,
    command_option,
    read_better,
    read_bytes,
    read_codes,
    read_folder,
    read_from,
    read_seed,
    read_texts,
    read_time,
    read_tolerance,
    time_text,
)
from rooftop.command.shell import NO_SHELL
from rooftop.errors import Misuse
from rooftop.files.overwriting import refuse_overwriting
from rooftop.measure.metric import Better

if TYPE_CHECKING:
    from rooftop.command.build import Build
    from rooftop.command.check import Check
    from rooftop.command.driver import Terms
    from rooftop.command.line import CommandLine
    from rooftop.command.measured import Measured
    from rooftop.command.process import Output
    from rooftop.command.spec import Spec
    from rooftop.subject.rung import Rung

_OF_RUNGS = ("size", "cases", "ranks", "workers", "experiments")  # options that rungs alone have
_OF_BOTH = ("budget_s", "pairs", "max_pairs", "timeout_s", "seed")  # options that commands and rungs have


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What every campaign about commands is asked. Texts are as the user wrote them; None or empty: not asked.

    setups, prepares, cleanups  none, one for all commands, or one for each
    same_output                 the relative tolerance within which outputs must be the same
    """

    metric: Annotated[
        str, Option("--metric", "Metric: wall, user, cpu, maxrss (peak memory of the largest process) or instructions.")
    ] = "wall"
    metric_regex: Annotated[
        str | None,
        Option(
            "--metric-regex",
            "Compare the number that this pattern finds in standard output. The last match counts.",
            metavar="RE",
        ),
    ] = None
    better: Annotated[
        Better,
        Option(
            "--better",
            "Whether a lower or a higher number is better; or minimize, maximize.",
            also=("--direction",),
            metavar="lower|higher",
            said=str,
            read=read_better,
        ),
    ] = "lower"
    check: Annotated[
        str | None,
        Option(
            "--check", "Command that checks the output on its standard input. Exit code 0 means correct.", metavar="CMD"
        ),
    ] = None
    expect_regex: Annotated[
        str | None, Option("--expect-regex", "Pattern that a correct output contains.", metavar="RE")
    ] = None
    same_output: Annotated[
        float | None,
        Option(
            "--expect-same-output",
            "All commands must print the same. With =1e-6, numbers may differ by that relative tolerance.",
            metavar="[TOLERANCE]",
            said=str,
            filed=bool | float,
            read=read_tolerance,
            spell=repr,
            joined=True,
            alone=(("--expect-same-output", "0"),),
        ),
    ] = None
    ignore_failure: Annotated[
        bool | tuple[int, ...],
        Option(
            "--ignore-failure",
            "Accept exit codes other than 0; with =1,2 only these.",
            short="-i",
            metavar="[CODES]",
            said=str,
            filed=bool | list[int],
            read=read_codes,
            spell=codes_text,
            joined=True,
            alone=(("--ignore-failure", ALL_CODES), ("-i", ALL_CODES)),
        ),
    ] = False
    shell: Annotated[
        str | None,
        Option(
            "--shell",
            "Shell that starts the commands, such as 'bash --norc': default is /bin/sh, none (-N) is no shell. "
            "Without the option, /bin/sh starts what needs a shell.",
            short="-S",
            metavar="SHELL",
            alone=(("-N", NO_SHELL),),
        ),
    ] = None
    input: Annotated[
        str | None, Option("--input", "File that every run gets as standard input. Default: null.", metavar="WHERE")
    ] = None
    output: Annotated[
        str,
        Option(
            "--output",
            "Where standard output goes: null, pipe, inherit (--show-output) or a file. Some programs do less work "
            "when it is null (/dev/null).",
            metavar="WHERE",
            alone=(("--show-output", "inherit"),),
        ),
    ] = "null"
    setups: Annotated[
        tuple[str, ...], command_option("--setup", "Command to run once before a command's first run.", "-s")
    ] = ()
    prepares: Annotated[
        tuple[str, ...], command_option("--prepare", "Command to run before every run, not timed.", "-p")
    ] = ()
    cleanups: Annotated[
        tuple[str, ...], command_option("--cleanup", "Command to run once after a command's last run.", "-c")
    ] = ()
    warmup: Annotated[
        int, Option("--warmup", "Number of runs before the first timed one.", short="-w", read=read_from(0))
    ] = 0
    budget_s: Annotated[
        float, Option("--budget", "Total time, such as 30s or 5m.", said=str, read=read_time, spell=time_text)
    ] = 60.0
    pairs: Annotated[
        int | None,
        Option("--pairs", "Minimum number of pairs of a comparison, if time allows. Default: 6.", read=read_from(1)),
    ] = None
    max_pairs: Annotated[int, Option("--max-pairs", "Maximum number of pairs.", read=read_from(1))] = 200
    timeout_s: Annotated[
        float, Option("--timeout", "Time limit of one run, such as 10s.", said=str, read=read_time, spell=time_text)
    ] = 3600.0
    memory_bytes: Annotated[
        int | None,
        Option("--memory-limit", "Memory limit of one run's processes, such as 2GiB.", said=str, read=read_bytes),
    ] = None
    seed: Annotated[int | None, Option("--seed", "Seed of the order. Default: a new one.", read=read_seed)] = None
    size: Annotated[
        str | None, Option("--size", "Set of cases that rungs are measured on: quick (default), S, M, L, …")
    ] = None
    cases: Annotated[
        tuple[str, ...],
        Option(
            "--case",
            "Only this case of the size. Can be repeated.",
            metavar="NAME",
            said=list[str],
            filed=str,
            read=read_texts,
        ),
    ] = ()
    workers: Annotated[
        int | None,
        Option(
            "--threads", "Threads of a rung, or ranks of an MPI rung. Default: one per usable core.", read=read_from(1)
        ),
    ] = None
    ranks: Annotated[
        int | None,
        Option(
            "--ranks",
            "Ranks of an MPI rung, each of which then has --threads threads, by default one.",
            read=read_from(1),
        ),
    ] = None
    experiments: Annotated[
        str | None,
        Option("--from", "Folder with experiments, whose rungs are measured.", metavar="DIR", read=read_folder),
    ] = None

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        return asdict(self)

    @classmethod
    def from_stored(cls, content: Mapping[str, Any]) -> Self:
        """Return what `stored` gave, whatever else is kept with it. Raises ValueError for what cannot be."""
        own = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in content.items() if key in own})

    def head(self) -> dict[str, Any]:
        """Return what a document says of the metric. Raises Misuse."""
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
        """Return one command with what was told once for all, or a rung where its words name one. Raises Misuse."""
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

    def require_kept(self, spec: Spec) -> None:
        """Raise Misuse where a command's output would be written over what it reads, or where its input is a pipe."""
        output = self._output()
        if spec.input is not None and spec.place(spec.input).is_fifo():
            raise Misuse(f"--input is {spec.input}, which is a pipe, expected a file that every run can read")
        if isinstance(output, Path):
            named = [(f"the command {spec.command.text!r}", spec.place(Path(word))) for word in spec.command.all_words]
            read = [("--input", spec.place(spec.input))] if spec.input is not None else []
            refuse_overwriting("--output", spec.place(output), [*read, *named])

    def input_file(self) -> Path | None:
        """Return the file that runs get as their standard input; None: they get nothing."""
        return Path(self.input) if self.input not in (None, "null") else None

    def _output(self) -> Output:
        """Return where standard output goes. Raises Misuse where it is to be read as well."""
        output: Output = self.output if self.output in ("null", "pipe", "inherit") else Path(self.output)  # type: ignore[assignment]
        if output in ("null", "pipe"):
            return output
        reading = ("metric_regex", "check", "expect_regex", "same_output")
        asked = next(
            (
                one.option.name
                for one in declared(type(self))
                if one.field in reading and getattr(self, one.field) is not None
            ),
            None,
        )
        if asked is not None:
            raise Misuse(f"--output is {self.output!r}, and {asked} reads the output: expected one of them")
        return output

    def rung(self, words: Sequence[str], folder: Path | None = None) -> Rung | None:
        """Return the rung that words name, in the tree around a folder; None where they are a command.

        Words after its name set parameters of its cases: NAME=VALUE. Raises Misuse where something is given that has no
        effect on it, and NotBuilt.
        """
        rung: Rung | None = None
        if words and "/" in words[0]:
            from rooftop.subject.rung import named_rung
            from rooftop.subject.set_parameters import set_parameters

            rung = named_rung(words[0], self.size, self.cases, self.experiments, folder)
            if rung is not None:
                rung = set_parameters(rung, words[1:])
        for one in declared(Measurement):
            given = getattr(self, one.field) != one.default
            if rung is None and given and one.field in _OF_RUNGS:
                raise Misuse(f"{one.option.name} has no effect on a command, expected a rung such as winograd/90-fused")
            if rung is not None and given and one.field not in (*_OF_RUNGS, *_OF_BOTH):
                raise Misuse(
                    f"{one.option.name} has no effect on {rung.name}, which its experiment times and verifies: "
                    "leave it out"
                )
        if rung is None:
            return None
        if self.ranks is not None:
            return rung.on(ranks=self.ranks, threads=self.workers or 1)
        return rung.on(ranks=self.workers) if rung.module.ranked else rung.on(threads=self.workers)

    def texts_beside(self) -> tuple[str, ...]:
        """Return the texts of the commands that run beside the measured ones."""
        others = [text for text in (self.check, self.input) if text is not None]
        return (*self.setups, *self.prepares, *self.cleanups, *others)

    def filled(self, values: Mapping[str, object]) -> Self:
        """Return it with values in the places of what runs beside the commands."""
        from rooftop.command.placeholders import filled, substituted

        return replace(
            self,
            setups=substituted(self.setups, values),
            prepares=substituted(self.prepares, values),
            cleanups=substituted(self.cleanups, values),
            check=filled(self.check, values) if self.check is not None else None,
            input=filled(self.input, values) if self.input is not None else None,
        )

    def terms(self) -> Terms:
        """Return what holds for all commands. Raises Misuse."""
        from rooftop.command.driver import Terms
        from rooftop.command.process import Limits

        measured = self._measured()
        limits = Limits(self.timeout_s, self.memory_bytes)
        if self.pairs is not None and self.pairs > self.max_pairs:
            raise Misuse(f"--pairs is {self.pairs}, expected at most --max-pairs, which is {self.max_pairs}")
        return Terms(self._check(), measured, limits, warmup=self.warmup, output=self._output())

    def _require_metric(self) -> None:
        """Raise Misuse for a metric that does not exist, or options that contradict each other."""
        from rooftop.command.measured import NAMES

        if self.metric not in NAMES:
            raise Misuse(f"--metric is {self.metric!r}, expected {', '.join(NAMES[:-1])} or {NAMES[-1]}")
        if self.metric_regex is not None and self.metric != "wall":
            raise Misuse(f"--metric is {self.metric!r} and --metric-regex is given too, expected one of them")
        if self.metric_regex is None and self.better != "lower":
            raise Misuse(f"--better is {self.better!r} and has no effect, expected --metric-regex with it")

    def _measured(self) -> Measured:
        from rooftop.command.measured import Measured, read_pattern, require_counter

        self._require_metric()
        if self.metric_regex is None:
            if self.metric == "instructions":
                require_counter()
            return Measured(self.metric)
        pattern = read_pattern(self.metric_regex)
        if pattern.groups > 1:
            raise Misuse(
                f"--metric-regex {self.metric_regex!r} has {pattern.groups} groups, expected one, around the "
                "number: write (?:…) for the others"
            )
        return Measured("figure", pattern, self.better)

    def _check(self) -> Check:
        from rooftop.command.check import Check
        from rooftop.command.line import from_text
        from rooftop.command.measured import read_pattern

        judge = from_text(self.check, self.shell) if self.check is not None else None
        if judge is not None and shutil.which(judge.words[0]) is None:
            raise Misuse(f"--check: {judge.words[0]!r} cannot be found, expected a program that judges the output")
        return Check(
            any_status=self.ignore_failure is True,
            codes=() if isinstance(self.ignore_failure, bool) else self.ignore_failure,
            pattern=read_pattern(self.expect_regex) if self.expect_regex is not None else None,
            same_output=self.same_output,
            judge=judge,
        )
