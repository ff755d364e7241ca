"""Options for commands: the metric, the checks, and how commands run."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

from pydantic.dataclasses import dataclass

from rooftop.command.line import NO_SHELL
from rooftop.command.option import CORRECTNESS, RUNNING, TIMING, Option, declared
from rooftop.command.reported_values import (
    ALL_CODES,
    codes_text,
    command_option,
    read_better,
    read_bytes,
    read_codes,
    read_from,
    read_tolerance,
)
from rooftop.errors import Misuse
from rooftop.files.atomic import refuse_overwriting
from rooftop.measure.metric import Better

if TYPE_CHECKING:
    from rooftop.command.check import Check
    from rooftop.command.measured import Measured
    from rooftop.command.process import Output
    from rooftop.command.spec import Spec


@dataclass(frozen=True, kw_only=True)
class CommandRuns:
    """Options for commands only, with texts as written by the user. None or empty if not given.

    setups, prepares, cleanups  none, one for all commands, or one for each
    same_output                 relative tolerance for equal outputs
    """

    metric: Annotated[
        str, Option("--metric", "Metric: wall, user, cpu, maxrss (peak memory of the largest process) or instructions.")
    ] = "wall"
    metric_regex: Annotated[
        str | None,
        Option(
            "--metric-regex",
            "Compare the number that this pattern finds in standard output, in its last match.",
            metavar="RE",
        ),
    ] = None
    better: Annotated[
        Better,
        Option(
            "--better",
            "Whether lower or higher numbers are better (also: minimize, maximize).",
            also=("--direction",),
            metavar="lower|higher",
            said=str,
            read=read_better,
        ),
    ] = "lower"
    check: Annotated[
        str | None,
        Option(
            "--check",
            "Command that checks the output on its standard input. Exit code 0 means correct.",
            metavar="CMD",
            panel=CORRECTNESS,
        ),
    ] = None
    expect_regex: Annotated[
        str | None, Option("--expect-regex", "Pattern that a correct output contains.", metavar="RE", panel=CORRECTNESS)
    ] = None
    same_output: Annotated[
        float | None,
        Option(
            "--expect-same-output",
            "All commands must print the same. With =1e-6, numbers may differ by that relative tolerance.",
            metavar="[TOLERANCE]",
            panel=CORRECTNESS,
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
            panel=CORRECTNESS,
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
            "Shell that starts the commands, such as 'bash --norc'; 'default' is /bin/sh, and none (-N) is no shell. "
            "Without this option, /bin/sh starts only the commands that need a shell.",
            short="-S",
            metavar="SHELL",
            panel=RUNNING,
            alone=(("-N", NO_SHELL),),
        ),
    ] = None
    input: Annotated[
        str | None,
        Option(
            "--input", "File to use as standard input of every run (default: null).", metavar="WHERE", panel=RUNNING
        ),
    ] = None
    output: Annotated[
        str,
        Option(
            "--output",
            "Where standard output goes: null, pipe, inherit (--show-output) or a file. Some programs do less work "
            "when it is null (/dev/null).",
            metavar="WHERE",
            panel=RUNNING,
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
        int,
        Option("--warmup", "Number of runs before the first timed one.", short="-w", panel=TIMING, read=read_from(0)),
    ] = 0
    memory_bytes: Annotated[
        int | None,
        Option(
            "--memory-limit",
            "Memory limit of one run's processes, such as 2GiB.",
            panel=RUNNING,
            said=str,
            read=read_bytes,
        ),
    ] = None

    def require_kept(self, spec: Spec) -> None:
        """Raise Misuse if the output would overwrite a file that the command reads, or if the input is a pipe."""
        output = self._output()
        if spec.input is not None and spec.place(spec.input).is_fifo():
            raise Misuse(f"--input is {spec.input}, a pipe: expected a file that every run can read")
        if isinstance(output, Path):
            named = [(f"the command {spec.command.text!r}", spec.place(Path(word))) for word in spec.command.all_words]
            read = [("--input", spec.place(spec.input))] if spec.input is not None else []
            refuse_overwriting("--output", spec.place(output), [*read, *named])

    def input_file(self) -> Path | None:
        """Return the file for standard input; None for the null device."""
        return Path(self.input) if self.input not in (None, "null") else None

    def _output(self) -> Output:
        """Return the destination of standard output. Raises Misuse if an option needs to read the output."""
        output: Output = self.output if self.output in ("null", "pipe", "inherit") else Path(self.output)  # type: ignore[assignment]
        if output in ("null", "pipe"):
            return output
        reading = ("metric_regex", "check", "expect_regex", "same_output")
        options = {one.field: one.option.name for one in declared(CommandRuns)}
        asked = next((options[name] for name in reading if getattr(self, name) is not None), None)
        if asked is not None:
            raise Misuse(f"--output is {self.output!r}, and {asked} needs to read the output: use one of them")
        return output

    def texts_beside(self) -> tuple[str, ...]:
        """Return the texts of the setup, prepare, cleanup and check commands, and of the input."""
        others = [text for text in (self.check, self.input) if text is not None]
        return (*self.setups, *self.prepares, *self.cleanups, *others)

    def filled(self, values: Mapping[str, object]) -> Self:
        """Return the options with {name} replaced in the setup, prepare, cleanup and check commands and the input."""
        from rooftop.command.line import filled, substituted

        return replace(
            self,
            setups=substituted(self.setups, values),
            prepares=substituted(self.prepares, values),
            cleanups=substituted(self.cleanups, values),
            check=filled(self.check, values) if self.check is not None else None,
            input=filled(self.input, values) if self.input is not None else None,
        )

    def _require_metric(self) -> None:
        """Raise Misuse for an unknown metric or contradicting options."""
        from rooftop.command.measured import NAMES

        if self.metric not in NAMES:
            raise Misuse(f"--metric is {self.metric!r}, expected {', '.join(NAMES[:-1])} or {NAMES[-1]}")
        if self.metric_regex is not None and self.metric != "wall":
            raise Misuse(f"--metric is {self.metric!r} and --metric-regex is given too: use one of them")
        if self.metric_regex is None and self.better != "lower":
            raise Misuse(f"--better is {self.better!r}, which has no effect without --metric-regex")

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
            raise Misuse(f"--check: {judge.words[0]!r} cannot be found: expected a program that checks the output")
        return Check(
            any_status=self.ignore_failure is True,
            codes=() if isinstance(self.ignore_failure, bool) else self.ignore_failure,
            pattern=read_pattern(self.expect_regex) if self.expect_regex is not None else None,
            same_output=self.same_output,
            judge=judge,
        )
