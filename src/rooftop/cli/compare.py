"""``rooftop compare``: which of two or more commands is faster, interleaved and paired."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console
from typer.core import TyperCommand

from rooftop import errors
from rooftop.cli.output import JsonOption, messages, print_document, tables
from rooftop.climb.request import parse_budget
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.compare.document import CommandComparison, CompareDocument
    from rooftop.measure.case_run import CaseState

_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def parse_bytes(option: str, text: str) -> int:
    """Give the bytes that "512M" or "2GiB" mean. Raises Misuse."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", text.lower())
    if match is None or float(match[1]) <= 0:
        raise Misuse(f"{option} is {text!r}, expected bytes such as 512M or 2GiB")
    return int(float(match[1]) * _BYTES[match[2]])


def _figure(value: float, unit: str) -> str:
    if unit == "s":
        for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
            if value >= scale:
                return f"{value / scale:.4g} {name}"
    if unit == "B":
        return f"{value / 2**20:.4g} MiB"
    return f"{value:.6g} {unit}".rstrip()


def sentence(one: CommandComparison, better: str) -> str:
    """Tell a comparison in one line."""
    word = {"faster": "better", "slower": "worse"} if better == "higher" else {"faster": "faster", "slower": "slower"}
    told = word.get(one.verdict, "not resolved")
    figures = f"{one.ratio:.4g}× [{one.lo:.4g}, {one.hi:.4g}], {one.pairs} pairs, A/A floor {one.floor:.2%}"
    if told == "not resolved":
        return f"{one.subject}: not resolved against {one.against}: {figures}; {one.advice}"
    return f"{one.subject} is {told} than {one.against}: {figures}; {one.advice}"


def _print(document: CompareDocument, console: Console) -> None:
    for command in document.commands:
        if command.median is None:
            told = f"{command.outcome}: {command.reason}"
        else:
            interval = ""
            if command.lo is not None and command.hi is not None:
                interval = f" [{_figure(command.lo, document.unit)}, {_figure(command.hi, document.unit)}]"
            told = f"{_figure(command.median, document.unit)}{interval}, {len(command.samples)} samples"
        console.print(f"{command.name}  {told}", markup=False, highlight=False, soft_wrap=True)
    for one in document.comparisons:
        console.print(sentence(one, document.better), style="bold", markup=False, highlight=False, soft_wrap=True)
    for doubt in document.doubts:
        console.print(f"doubt: {doubt.doubt}: {doubt.evidence}. {doubt.remedy}.", markup=False, soft_wrap=True)


class _Progress:
    """Shows between samples how far a comparison has come, where someone looks on."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def remark(self, message: str) -> None:
        """See CompareWatcher."""
        self._line("")
        self._console.print(message, markup=False, highlight=False, soft_wrap=True)

    def progressed(self, case: CaseState, doing: str) -> None:
        """Draw one line; a spinner that goes on by itself would take time from what is measured."""
        self._line(doing)

    def done(self) -> None:
        """Leave the line empty."""
        self._line("")

    def _line(self, text: str) -> None:
        if self._console.is_terminal:
            self._console.file.write(f"\r\x1b[K{text}")
            self._console.file.flush()


class _Command(TyperCommand):
    """Takes --expect-same-output with a tolerance and without one, which the option parser cannot."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        spelled: list[str] = []
        for word in args[:own]:
            option, equals, value = word.partition("=")
            told = option == "--expect-same-output" and equals
            spelled += [option, "--tolerance", value] if told else [word]
        return super().parse_args(ctx, spelled + args[own:])


def parse_tolerance(text: str) -> float:
    """Give the relative tolerance that a text says. Raises Misuse."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise Misuse(f"--expect-same-output is {text!r}, expected a relative tolerance from 0 to below 1")
    return value


def exit_code(document: CompareDocument) -> int:
    """Give 1 if any command is wrong or failed, 3 if none has a figure, else 0."""
    if any(command.outcome in ("wrong", "failed") for command in document.commands):
        return errors.WRONG
    measured = any(command.median is not None for command in document.commands)
    return errors.FINE if measured else errors.NOTHING_MEASURED


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("compare", cls=_Command)
    def compare(
        commands: Annotated[
            list[str] | None,
            typer.Argument(metavar="'A' 'B' … | -- A ::: B …", help="Two or more commands; the first is the base."),
        ] = None,
        metric: Annotated[str, typer.Option("--metric", help="wall, user, cpu, maxrss or instructions.")] = "wall",
        metric_regex: Annotated[
            str | None,
            typer.Option("--metric-regex", metavar="RE", help="Compare the number that this finds in the output."),
        ] = None,
        better: Annotated[
            Literal["lower", "higher"], typer.Option("--better", help="Which way that number is better.")
        ] = "lower",
        check: Annotated[
            str | None,
            typer.Option(
                "--check", metavar="CMD", help="Judges the output on its standard input: exit code 0 is right."
            ),
        ] = None,
        expect_regex: Annotated[
            str | None, typer.Option("--expect-regex", metavar="RE", help="What a right output has.")
        ] = None,
        expect_same_output: Annotated[
            bool,
            typer.Option(
                "--expect-same-output",
                help="All commands print the same; with =1e-6, numbers may differ by so much, relative.",
            ),
        ] = False,
        tolerance: Annotated[str, typer.Option("--tolerance", hidden=True)] = "0",
        ignore_failure: Annotated[
            bool, typer.Option("--ignore-failure", "-i", help="An exit code other than 0 is right too.")
        ] = False,
        setup: Annotated[
            list[str] | None, typer.Option("--setup", help="Runs once before a command's first run; one, or one each.")
        ] = None,
        prepare: Annotated[
            list[str] | None, typer.Option("--prepare", help="Runs before every run, untimed; one, or one each.")
        ] = None,
        cleanup: Annotated[
            list[str] | None, typer.Option("--cleanup", help="Runs once after a command's last run; one, or one each.")
        ] = None,
        warmup: Annotated[int, typer.Option("--warmup", help="Untimed runs before the first timed one.")] = 0,
        budget: Annotated[str, typer.Option("--budget", help="Time for all of it, such as 30s or 5m.")] = "60s",
        max_pairs: Annotated[int, typer.Option("--max-pairs", help="Stop at so many pairs at the latest.")] = 200,
        timeout: Annotated[str, typer.Option("--timeout", help="For one run, such as 10s; it is then ended.")] = "1h",
        memory_limit: Annotated[
            str | None, typer.Option("--memory-limit", help="For one run's processes, such as 2GiB.")
        ] = None,
        seed: Annotated[int | None, typer.Option("--seed", help="Seed of the order; fresh by default.")] = None,
        resume: Annotated[
            bool, typer.Option("--resume", help="Go on with the comparison that was interrupted.")
        ] = False,
        exports: Annotated[
            list[str] | None,
            typer.Option("--export", metavar="FORM:FILE", help="Write hyperfine:FILE or google-benchmark:FILE."),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        """Compare commands: interleaved pairs in balanced random order, one process each run, and a paired verdict."""
        for name, value, least in (("--warmup", warmup, 0), ("--max-pairs", max_pairs, 1)):
            if value < least:
                raise Misuse(f"{name} is {value}, expected a whole number from {least}")
        if seed is not None and not 0 <= seed < 2**63:
            raise Misuse(f"--seed is {seed}, expected a whole number from 0 to 2^63 - 1")
        # The store and the statistics take a while to import: only those who compare pay for it.
        from rooftop.command.line import read_commands
        from rooftop.compare.export import export, read_export
        from rooftop.compare.options import Options
        from rooftop.compare.run import Comparing
        from rooftop.compare.this_machine import ThisMachine
        from rooftop.settings import Settings

        wanted = [read_export(text) for text in exports or ()]
        options = Options(
            commands=tuple((command.words, command.text) for command in read_commands(commands or ())),
            setups=tuple(setup or ()),
            prepares=tuple(prepare or ()),
            cleanups=tuple(cleanup or ()),
            metric=metric,
            metric_regex=metric_regex,
            better=better,
            ignore_failure=ignore_failure,
            check=check,
            expect_regex=expect_regex,
            same_output=parse_tolerance(tolerance) if expect_same_output else None,
            budget_s=parse_budget(budget),
            max_pairs=max_pairs,
            timeout_s=parse_budget(timeout, "--timeout"),
            memory_bytes=parse_bytes("--memory-limit", memory_limit) if memory_limit is not None else None,
            warmup=warmup,
            seed=seed,
        )
        console = messages()
        progress = _Progress(console)
        try:
            ended = Comparing(Settings(), ThisMachine(), progress).compare(options, resume=resume)
        finally:
            progress.done()
        if as_json:
            print_document(ended.document)
        else:
            _print(ended.document, tables())
        for form, file in wanted:
            export(ended.document, form, file)
        if ended.interrupted:
            console.print("every sample taken so far is kept: 'rooftop compare --resume' goes on", highlight=False)
            raise KeyboardInterrupt
        if code := exit_code(ended.document):
            raise typer.Exit(code)
