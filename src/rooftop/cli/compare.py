"""``rooftop compare``: which of two or more commands is faster, interleaved and paired."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from rooftop import errors
from rooftop.cli.files import Files
from rooftop.cli.how import (
    BetterOption,
    CheckOption,
    ExpectRegexOption,
    ExpectSameOutputOption,
    HowCommand,
    IgnoreFailureOption,
    MaxPairsOption,
    MemoryLimitOption,
    MetricOption,
    MetricRegexOption,
    OrderSeedOption,
    TimeoutOption,
    ToleranceOption,
    WarmupOption,
    how_options,
)
from rooftop.cli.output import JsonOption, messages, print_document, tables
from rooftop.cli.progress import Progress
from rooftop.cli.resume import HOW, ResumeOption, read_resume
from rooftop.command.figure import figure
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.compare.document import CommandComparison, CompareDocument


def sentence(one: CommandComparison, better: str) -> str:
    """Return a comparison in one line."""
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
                interval = f" [{figure(command.lo, document.unit)}, {figure(command.hi, document.unit)}]"
            of = f" ({document.metric})" if document.benchmarks is not None else ""
            told = f"{figure(command.median, document.unit)}{interval}{of}, {len(command.samples)} samples"
        console.print(f"{command.name}  {told}", markup=False, highlight=False, soft_wrap=True)
    if document.benchmarks is not None:
        _print_benchmarks(document, console)
    for one in document.comparisons:
        console.print(sentence(one, document.better), style="bold", markup=False, highlight=False, soft_wrap=True)
    for doubt in document.doubts:
        console.print(f"doubt: {doubt.doubt}: {doubt.evidence}. {doubt.remedy}.", markup=False, soft_wrap=True)


def _benchmark_lines(document: CompareDocument, subject: str, against: str) -> list[str]:
    """Return a line for each benchmark of two programs, and how many verdicts stand after correction."""
    lines: list[str] = []
    counts: dict[str, int] = {}
    for benchmark in document.benchmarks or ():
        times = {time.command: time for time in benchmark.times if time.command in (subject, against)}
        found = next((c for c in benchmark.comparisons if (c.subject, c.against) == (subject, against)), None)
        if found is not None:
            told: str = found.verdict if found.claimed else "not resolved"
            counts[told] = counts.get(told, 0) + 1
            shown = " to ".join(figure(times[name].median or 0.0, "s") for name in (against, subject))
            line = f"{shown}, {found.ratio:.4g}× [{found.lo:.4g}, {found.hi:.4g}], A/A floor {found.floor:.2%}: {told}"
            if found.verdict != told:
                line += f" ({found.advice})"
        else:
            failed = [f"failed in {name}: {time.reason}" for name, time in times.items() if time.outcome != "ok"]
            line = "; ".join(failed) or ", ".join(f"only in {name}" for name in times)
        if times:
            lines.append(f"{benchmark.name}: {line}")
    if counts:
        told = ", ".join(f"{counts[word]} {word}" for word in ("faster", "slower", "not resolved") if word in counts)
        lines.append(f"{sum(counts.values())} benchmarks in both, after Holm's correction: {told}")
    else:
        lines.append("there is no benchmark that both have")
    return lines


def _print_benchmarks(document: CompareDocument, console: Console) -> None:
    usable = [command.name for command in document.commands if command.median is not None]
    for place, subject in enumerate(usable):
        for against in usable[:place]:
            console.print(f"{against} to {subject}", style="bold", markup=False, highlight=False, soft_wrap=True)
            for line in _benchmark_lines(document, subject, against):
                console.print(f"  {line}", markup=False, highlight=False, soft_wrap=True)
    if document.comparisons:
        console.print("the geometric mean of all benchmarks that both have:", highlight=False)


def exit_code(document: CompareDocument) -> int:
    """Return 1 if any command is wrong or failed, 3 if none has a figure, else 0."""
    if any(command.outcome in ("wrong", "failed") for command in document.commands):
        return errors.WRONG
    measured = any(command.median is not None for command in document.commands)
    return errors.FINE if measured else errors.NOTHING_MEASURED


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("compare", cls=HowCommand)
    def compare(
        context: typer.Context,
        commands: Annotated[
            list[str] | None,
            typer.Argument(metavar="'A' 'B' … | -- A ::: B …", help="Two or more commands; the first is the base."),
        ] = None,
        metric: MetricOption = "wall",
        metric_regex: MetricRegexOption = None,
        google_benchmark: Annotated[
            bool,
            typer.Option(
                "--google-benchmark", help="The commands are programs of Google Benchmark: compare each of theirs."
            ),
        ] = False,
        better: BetterOption = "lower",
        check: CheckOption = None,
        expect_regex: ExpectRegexOption = None,
        expect_same_output: ExpectSameOutputOption = False,
        tolerance: ToleranceOption = "0",
        ignore_failure: IgnoreFailureOption = False,
        setup: Annotated[
            list[str] | None, typer.Option("--setup", help="Runs once before a command's first run; one, or one each.")
        ] = None,
        prepare: Annotated[
            list[str] | None, typer.Option("--prepare", help="Runs before every run, untimed; one, or one each.")
        ] = None,
        cleanup: Annotated[
            list[str] | None, typer.Option("--cleanup", help="Runs once after a command's last run; one, or one each.")
        ] = None,
        warmup: WarmupOption = 0,
        budget: Annotated[str, typer.Option("--budget", help="Time for all of it, such as 30s or 5m.")] = "60s",
        max_pairs: MaxPairsOption = 200,
        timeout: TimeoutOption = "1h",
        memory_limit: MemoryLimitOption = None,
        seed: OrderSeedOption = None,
        resume: ResumeOption = None,
        exports: Annotated[
            list[str] | None,
            typer.Option("--export", metavar="FORM:FILE", help="Write hyperfine:FILE or google-benchmark:FILE."),
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        """Compare commands: interleaved pairs in balanced random order, one process each run, and a paired verdict."""
        how = how_options(
            metric=metric,
            metric_regex=metric_regex,
            better=better,
            check=check,
            expect_regex=expect_regex,
            expect_same_output=expect_same_output,
            tolerance=tolerance,
            ignore_failure=ignore_failure,
            setup=setup,
            prepare=prepare,
            cleanup=cleanup,
            warmup=warmup,
            budget=budget,
            max_pairs=max_pairs,
            timeout=timeout,
            memory_limit=memory_limit,
            seed=seed,
        )
        # The store and the statistics take a while to import: only those who compare pay for it.
        from rooftop.command.campaign import Bench
        from rooftop.command.line import read_commands, started_alike
        from rooftop.command.this_machine import ThisMachine
        from rooftop.compare.export import exported, read_export
        from rooftop.compare.run import Comparing
        from rooftop.settings import Settings

        wanted = [read_export(text) for text in exports or ()]
        if wanted and metric == "instructions":
            raise Misuse("--export writes times, and with --metric instructions perf's own are in them: leave one out")
        given = read_commands(commands or ())
        # Programs that time themselves need not start alike, and no option reaches one behind a shell.
        started = given if google_benchmark else started_alike(given)
        options = replace(
            how, commands=tuple((one.words, one.text) for one in started), google_benchmark=google_benchmark
        )
        places = HOW | {"commands": "commands", "google_benchmark": "google_benchmark"}
        wanted_one = read_resume(resume, context, options.stored(), places)
        console = messages()
        if started != given:
            options.specs()  # misuse is told alone
            options.terms()
            needing = next(one.text for one in given if one.by_shell)
            told = f"a shell starts every command, since {needing!r} needs one"
            console.print(told, markup=False, highlight=False, soft_wrap=True)
        progress = Progress(console, how.budget_s)
        with Files(*(file for _, file in wanted)) as files:
            try:
                ended = Comparing(Bench(Settings(), ThisMachine(), progress)).compare(options, resume=wanted_one)
            finally:
                progress.done()
            for form, file in wanted:
                files.write("--export", file, partial(exported, ended.document, form))
            if as_json:
                print_document(ended.document)
            else:
                _print(ended.document, tables())
            files.require_written()
        if ended.interrupted:
            console.print("every sample taken so far is kept: 'rooftop compare --resume' goes on", highlight=False)
            raise KeyboardInterrupt
        if code := exit_code(ended.document):
            raise typer.Exit(code)
