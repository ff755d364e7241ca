"""Drivers that run commands, so that commands are measured by the same code as rungs."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from rooftop.command import check as checks
from rooftop.command.check import Check
from rooftop.command.environment import own_environment
from rooftop.command.files import module_files
from rooftop.command.line import CommandLine
from rooftop.command.measured import EXIT_CODE, LEFT_RUNNING, Measured
from rooftop.command.measured_files import MeasuredFiles, RunLook, key_of
from rooftop.command.not_started import not_started, why_not, why_not_within
from rooftop.command.number import FIGURE as UNIT
from rooftop.command.process import Capture, Finished, Limits, Output, left_behind, run
from rooftop.command.spec import Spec
from rooftop.driver.error_output import it_said
from rooftop.driver.executor import Driver, DriverFailed
from rooftop.driver.memory import available_bytes
from rooftop.driver.protocol import CalibrateReply, CaseReply, Description, SampleReply, VerifyReply
from rooftop.ladder.discovery import Module
from rooftop.launchers.team import Team

if TYPE_CHECKING:
    pass

_LONGEST_SAMPLE_NS = 1e9  # so long at most a sample is made where the compared figure's clock is coarse
_OF_STARTER = (2, 126, 127)  # exit codes of a shell, an interpreter or env(1) that could not start a program


WORST = (LEFT_RUNNING, EXIT_CODE)  # figures of which the largest of a sample's runs counts


@dataclass
class Terms:
    """The settings that all commands of a comparison share.

    output      destination of standard output that is not kept; a file is relative to the command's folder
    reference   the first correct output, which --expect-same-output requires of all runs
    complaints  problems outside the timed commands, which do not affect their figures
    files       the files that the samples depend on; None if unknown
    failures    why benchmarks have no time, by the words of the command and the name of the benchmark
    """

    check: Check = field(default_factory=Check)
    measured: Measured = field(default_factory=Measured)
    limits: Limits = field(default_factory=Limits)
    environment: Mapping[str, str] | None = None
    warmup: int = 0
    output: Output = "null"
    reference: bytes | None = None
    complaints: list[str] = field(default_factory=list)
    failures: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    files: MeasuredFiles | None = None

    def complain(self, told: str) -> None:
        """Record a problem, once."""
        if told not in self.complaints:
            self.complaints.append(told)


def run_aside(command: CommandLine | None, stage: str, terms: Terms, folder: Path | None = None) -> None:
    """Run a setup, prepare or cleanup command, untimed. Raises DriverFailed."""
    if command is None:
        return
    option = f"--{stage} "
    try:
        finished = run(command.words, terms.limits, environment=terms.environment, folder=folder)
    except OSError as error:
        raise DriverFailed(stage, option + not_started(command.words, error, folder, terms.environment)) from error
    if reason := checks.failure(finished, Check(), terms.limits):
        raise DriverFailed(stage, f"{option}{command.text!r} {reason}")
    if finished.left:
        terms.complain(left_behind(f"{stage}: {command.text!r}", finished.left))


class Held:
    """The setup and cleanup of a command: each runs once, however many drivers the command has.

    runs  number of runs of the command that all of its drivers have started
    """

    def __init__(self, spec: Spec, terms: Terms) -> None:
        self._spec = spec
        self._terms = terms
        self._holders = 0
        self.runs = 0

    def in_run(self, reason: str) -> str:
        """Return a reason for failure with the number of the run, unless it is the first."""
        return f"in run {self.runs}: {reason}" if self.runs > 1 else reason

    def take(self) -> None:
        """Build and set up on first use. Raises DriverFailed if the build or the setup fails."""
        self._holders += 1
        if self._holders == 1:
            if (build := self._spec.build) is not None:
                if self._terms.files is not None:
                    self._terms.files.meet(build.sources())
                build.ensure(self._terms.limits)
                if build.left:
                    self._terms.complain(left_behind(f"build: {build.command.text!r}", build.left))
            run_aside(self._spec.setup, "setup", self._terms, self._spec.folder)

    def leave(self) -> None:
        """Clean up after the last user. A failing cleanup does not change the figures: it is only reported."""
        self._holders -= 1
        if self._holders == 0:
            try:
                run_aside(self._spec.cleanup, "cleanup", self._terms, self._spec.folder)
            except DriverFailed as failure:
                self._terms.complaints.append(failure.message)


def as_module(name: str, spec: Spec) -> Module:
    """Return the module that represents a command in a case."""
    program = Path(spec.command.words[0])
    return Module(name, "rung", program, program, spec.command.text, None, "built", spec.command.words)


class CommandDriver:
    """Runs one command as often as requested."""

    def __init__(self, spec: Spec, terms: Terms, held: Held) -> None:
        self._spec = spec
        self._terms = terms
        self._held = held
        self._begun = False

    # --- Driver ----------------------------------------------------------------------------------------------------

    def case(self, parameters: dict[str, Any], seed: int, limit_s: float) -> CaseReply:
        """See Driver."""
        self._begun = True
        self._held.take()
        for _ in range(self._terms.warmup):
            self._run("case", limit_s)
        finished, figures, reason = self._checked("case", limit_s)
        return CaseReply(
            protocol=1,
            event="case",
            outcome="wrong" if reason else "ok",
            reason=reason,
            first_run_ns=float(finished.elapsed_ns),
            figures=figures,
        )

    def calibrate(self, min_ns: int, limit_s: float) -> CalibrateReply:
        """See Driver."""
        iterations = 1
        elapsed_ns, total = self._several(iterations, limit_s)
        while elapsed_ns < min_ns or not (self._terms.measured.resolved(total) or elapsed_ns > _LONGEST_SAMPLE_NS):
            iterations *= 2
            elapsed_ns, total = self._several(iterations, limit_s)
        return CalibrateReply(protocol=1, event="calibrate", iterations=iterations, elapsed_ns=elapsed_ns)

    def sample(self, iterations: int, limit_s: float) -> SampleReply:
        """See Driver. No run is left untimed: every run is a new process."""
        elapsed_ns = 0.0
        found: dict[str, list[float]] = {}
        for _ in range(iterations):
            finished, figures = self._run("sample", limit_s)
            if reason := checks.wrong(finished, self._terms.check, self._terms.reference, self._terms.limits):
                raise DriverFailed("sample", self._held.in_run(reason), wrong=True)
            elapsed_ns += finished.elapsed_ns
            for name, value in figures.items():
                found.setdefault(name, []).append(value)
        means = {name: fmean(values) for name, values in found.items() if len(values) == iterations}
        # A benchmark whose clock was too coarse in one run has no time.
        means |= {name: 0.0 for name in self._terms.measured.metric.all_names(means) if min(found[name]) == 0}
        try:
            self._terms.measured.require_resolved(means)
        except ValueError as error:
            raise DriverFailed("sample", str(error)) from error
        means |= {name: max(found[name]) for name in WORST if name in found}
        means |= {name: len(values) / iterations for name, values in found.items() if name.startswith(UNIT)}
        if self._terms.files is not None:
            self._terms.files.glance(key_of(self._spec))
        return SampleReply(protocol=1, event="sample", iterations=iterations, elapsed_ns=elapsed_ns, figures=means)

    def verify(self, limit_s: float) -> VerifyReply:
        """See Driver."""
        _, _, reason = self._checked("verify", limit_s)
        return VerifyReply(protocol=1, event="verify", outcome="wrong" if reason else "ok", reason=reason)

    def peak_bytes(self) -> int:
        """See Driver. A command uses memory only while it runs, and one runs at a time."""
        return 0

    def leave(self) -> None:
        """See Driver. There is nothing to end between runs."""

    def close(self) -> None:
        """See Driver."""
        if self._begun:
            self._begun = False
            self._held.leave()

    # --- runs ------------------------------------------------------------------------------------------------------

    def _several(self, iterations: int, limit_s: float) -> tuple[float, float]:
        """Run `iterations` times. Return the time in ns and the total of the compared figure, 0 without one."""
        elapsed_ns = total = 0.0
        for _ in range(iterations):
            finished, figures = self._run("calibrate", limit_s)
            elapsed_ns += finished.elapsed_ns
            total += figures.get(self._terms.measured.metric.figure or "", 0.0)
        return elapsed_ns, total

    def _checked(self, stage: str, limit_s: float) -> tuple[Finished, dict[str, float], str | None]:
        """Run once. Return the run, its figures, and what is wrong with its result; None if it is correct."""
        finished, figures = self._run(stage, limit_s)
        terms = self._terms
        reason = checks.wrong(finished, terms.check, terms.reference, terms.limits)
        check = replace(terms.check, judge=self._spec.judge or terms.check.judge)
        reason = reason or checks.judged_wrong(finished, check, terms.limits)
        if reason is None and terms.check.same_output is not None and terms.reference is None:
            terms.reference = finished.output
        return finished, figures, self._held.in_run(reason) if reason is not None else None

    def _run(self, stage: str, limit_s: float) -> tuple[Finished, dict[str, float]]:
        """Prepare and run once. Raises DriverFailed if the run fails or yields no figure."""
        self._held.runs += 1
        try:
            return self._run_unnumbered(stage, limit_s)
        except DriverFailed as failure:
            told = self._held.in_run(failure.message)
            raise DriverFailed(failure.stage, told, silent=failure.silent, wrong=failure.wrong) from failure

    def _run_unnumbered(self, stage: str, limit_s: float) -> tuple[Finished, dict[str, float]]:
        """See `_run`."""
        terms = self._terms
        environment = own_environment() if terms.environment is None else dict(terms.environment)
        environment |= self._spec.environment or {}
        look = RunLook(terms.files, self._spec, environment, observed=stage == "case")
        run_aside(self._spec.prepare, "prepare", terms, self._spec.folder)
        limits = Limits(min(limit_s, terms.limits.timeout_s), terms.limits.memory_bytes, terms.limits.output_bytes)
        # A check judges the whole output; of a figure, the last one counts.
        capture: Capture = "last" if terms.measured.pattern is not None else None
        if terms.check.reads_output:
            capture = "first"
        words, folder = self._spec.command.words, self._spec.folder
        with contextlib.ExitStack() as stack:
            file: Path | None = None
            started: Sequence[str] = words
            if terms.measured.writes_file:
                try:
                    aside = stack.enter_context(tempfile.TemporaryDirectory(prefix="rooftop-"))
                except OSError as error:  # the command may have filled the disk
                    raise DriverFailed(stage, f"no temporary folder can be created for its figures: {error}") from error
                file = Path(aside) / "figures"
                started, variables = terms.measured.started(words, file)
                environment |= variables
            wrapped = file is not None or limits.memory_bytes is not None
            # What starts it for us would fail in its place, with an exit code that --ignore-failure allows.
            if wrapped and stage == "case" and (told := why_not(words[0], folder, environment)) is not None:
                raise DriverFailed(stage, f"{words[0]} cannot be started: {told}")
            try:
                finished = run(
                    started,
                    limits,
                    capture=capture,
                    environment=environment,
                    folder=folder,
                    given=self._spec.place(self._spec.input) if self._spec.input is not None else None,
                    output=self._output(),
                    observer=look.observer,
                )
            except OSError as error:
                raise DriverFailed(stage, self._not_run(error, environment)) from error
            look.end()
            if reason := checks.failure(finished, terms.check, limits, folder):
                if (
                    finished.status in _OF_STARTER
                    and (told := why_not_within(words, finished.said, folder)) is not None
                ):
                    reason = f"{reason}; {told}"
                silent = finished.timed_out and limits.timeout_s < terms.limits.timeout_s
                raise DriverFailed(stage, reason, silent=silent)
            if terms.check.reads_output and (told := checks.cut(finished, limits)) is not None:
                raise DriverFailed(stage, told, wrong=True)
            try:
                finished = terms.measured.own(finished, file)
                failures = terms.failures.setdefault(words, {})
                return finished, terms.measured.figures(finished, file, failures, terms.complain)
            except ValueError as error:
                said = it_said(finished.said) if terms.measured.google_benchmark else ""
                raise DriverFailed(stage, f"{error}{said}") from error

    def _output(self) -> Output:
        output = self._terms.output
        return self._spec.place(output) if isinstance(output, Path) else output

    def _not_run(self, error: OSError, environment: Mapping[str, str]) -> str:
        """Return why a run could not start: its command, its input or its output."""
        for option, file in (("--input", self._spec.input), ("--output", self._terms.output)):
            if isinstance(file, Path) and error.filename == str(self._spec.place(file)):
                return f"{option} {file}: {error.strerror or error}"
        return not_started(self._spec.command.words, error, self._spec.folder, environment)


class CommandExecutor:
    """Runs the commands of one comparison on this machine; see Executor."""

    def __init__(self, specs: Mapping[str, Spec], terms: Terms) -> None:
        self._specs = specs
        self._terms = terms
        self._held = {name: Held(spec, terms) for name, spec in specs.items()}

    def describe(self, module: Module) -> Description:
        """See Executor."""
        return Description(protocol=1)

    def start(self, module: Module, team: Team) -> Driver:
        """See Executor."""
        if (rung := self._specs[module.name].rung) is not None:
            from rooftop.subject.driver import RungDriver

            if self._terms.files is not None:
                self._terms.files.meet(module_files([rung.module]))
            return RungDriver(rung)
        return CommandDriver(self._specs[module.name], self._terms, self._held[module.name])

    def now_s(self) -> float:
        """See Executor."""
        return time.monotonic()

    def available_bytes(self) -> int:
        """See Executor."""
        return available_bytes()
