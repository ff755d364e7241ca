"""``rooftop gate``: whether a change makes programs slower, for continuous integration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console

from rooftop.cli.gate_reports import Reports, report_refusal
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
from rooftop.errors import Misuse

if TYPE_CHECKING:
    from rooftop.compare.options import Options as CompareOptions
    from rooftop.gate.document import GateDocument
    from rooftop.gate.history import HistoryDocument
    from rooftop.gate.options import Options

_COMMANDS = "rooftop.gate.commands"
_STYLES = {"regression": "bold red", "wrong": "bold red", "failed": "bold red", "not resolved": "yellow"}


class GateCommand(HowCommand):
    """Keeps the words after -- apart from the revisions before it, which the option parser does not."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        ctx.meta[_COMMANDS] = args[own + 1 :]
        try:
            return super().parse_args(ctx, args[:own])
        except Exception as error:
            explain: Callable[[], str] | None = getattr(error, "format_message", None)
            if explain is not None:  # an error of the option parser's
                report_refusal(args[:own], explain())
            raise


def _print(document: GateDocument, console: Console) -> None:
    from rooftop.gate.words import figures, headline, revisions

    if line := revisions(document):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for one in document.benchmarks:
        told = "; ".join(part for part in (figures(one), one.told) if part)
        line = f"{one.outcome}: {one.name}" + (f": {told}" if told else "")
        console.print(line, style=_STYLES.get(one.outcome), markup=False, highlight=False, soft_wrap=True)
    console.print(headline(document), style="bold", markup=False, highlight=False, soft_wrap=True)
    for doubt in document.doubts:
        console.print(f"doubt: {doubt.doubt}: {doubt.evidence}. {doubt.remedy}.", markup=False, soft_wrap=True)


def _print_history(document: HistoryDocument, console: Console) -> None:
    from rooftop.gate.words import history_lines

    for line in history_lines(document):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _options(
    revisions: list[str],
    words: list[str],
    build: str | None,
    file: Path | None,
    threshold: str | None,
    correction: Literal["holm", "bh"] | None,
    how: CompareOptions,
    home: Path,
) -> Options:
    """Return what the command line and its file ask for. What stands in both is the command line's. Raises Misuse."""
    from rooftop.command.line import SEPARATOR, from_arguments, read_commands, started_alike
    from rooftop.gate.file import GateFile, read_file
    from rooftop.gate.options import Options, listed_benchmarks, parse_threshold
    from rooftop.gate.revision import Repository

    if len(revisions) not in (0, 2):
        number = f"{len(revisions)} revision{'' if len(revisions) == 1 else 's'}"
        raise Misuse(f"{number} before --, expected BASE and HEAD, or none")
    declared = read_file(file) if file is not None else GateFile()
    if not revisions and (declared.base is not None or declared.head is not None):
        if declared.base is None or declared.head is None:
            raise Misuse(f"{file} names one revision, expected both base and head, or none")
        revisions = [declared.base, declared.head]
    said, told = ("--threshold", threshold) if threshold is not None else (f"{file}: threshold", declared.threshold)
    allowed = parse_threshold(said, str(told)) if told is not None else Options(()).threshold
    # Words without a separator are one command here, as there is one for both revisions.
    commands = read_commands(words) if SEPARATOR in words or not words else [from_arguments(words)]
    if not revisions:  # they are compared with each other
        commands = started_alike(commands)
    options = Options(
        benchmarks=(
            *declared.benchmarks(file or Path(), allowed, how),
            *listed_benchmarks(commands, revisions=bool(revisions), threshold=allowed, how=how),
        ),
        build=build if build is not None else declared.build,
        threshold=allowed,
        correction=correction or declared.correction or "holm",
        how=how,
        file=str(file) if file is not None else None,
        listed=tuple((one.words, one.text) for one in commands),
    )
    if revisions:
        repository = Repository.around(Path.cwd())
        base, head = (repository.revision(name, home) for name in revisions)
        options = replace(options, base=base, head=head, repository=repository)
    return options


def _places(options: Options) -> dict[str, str]:
    """Return by parameter where the stored request has what it says."""
    places = {name: f"how.{place}" for name, place in HOW.items()}
    places |= {name: name for name in ("build", "threshold", "correction", "file")}
    if options.head is not None:
        places["revisions"] = "head.commit"
    return places


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("gate", cls=GateCommand)
    def gate(
        context: typer.Context,
        revisions: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="[BASE HEAD] -- CMD ::: CMD …",
                help="Two revisions and what runs in both; or none, and OLD ::: NEW. '.' is the working tree.",
            ),
        ] = None,
        build: Annotated[
            str | None, typer.Option("--build", metavar="CMD", help="Builds a revision, in its own folder.")
        ] = None,
        file: Annotated[
            Path | None, typer.Option("--file", metavar="FILE.toml", help="Benchmarks from a file.")
        ] = None,
        threshold: Annotated[
            str | None, typer.Option("--threshold", help="The slowdown that is allowed; 2% by default.")
        ] = None,
        correction: Annotated[
            Literal["holm", "bh"] | None,
            typer.Option("--correction", help="For many tests: holm (default) or bh, Benjamini-Hochberg."),
        ] = None,
        allow_unresolved: Annotated[
            bool, typer.Option("--allow-unresolved", help="Leave with 0 where nothing worse than 'not resolved' is.")
        ] = False,
        junit: Annotated[
            Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML, for CI servers.")
        ] = None,
        markdown: Annotated[
            Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary, for a pull request.")
        ] = None,
        history: Annotated[
            bool, typer.Option("--history", help="Show what earlier gates found, with change points; measure nothing.")
        ] = False,
        metric: MetricOption = "wall",
        metric_regex: MetricRegexOption = None,
        better: BetterOption = "lower",
        check: CheckOption = None,
        expect_regex: ExpectRegexOption = None,
        expect_same_output: ExpectSameOutputOption = False,
        tolerance: ToleranceOption = "0",
        ignore_failure: IgnoreFailureOption = False,
        setup: Annotated[str | None, typer.Option("--setup", help="Runs once before a command's first run.")] = None,
        prepare: Annotated[str | None, typer.Option("--prepare", help="Runs before every run, untimed.")] = None,
        cleanup: Annotated[str | None, typer.Option("--cleanup", help="Runs once after a command's last run.")] = None,
        warmup: WarmupOption = 0,
        budget: Annotated[
            str, typer.Option("--budget", help="Time for measuring, such as 5m; builds take their own.")
        ] = "5m",
        max_pairs: MaxPairsOption = 200,
        timeout: TimeoutOption = "1h",
        memory_limit: MemoryLimitOption = None,
        seed: OrderSeedOption = None,
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        """Check whether a change makes programs slower: paired runs, corrected for multiple tests, confirmed by new runs.

        Leaves with 6 for a regression, 1 for a wrong or failed head, 7 where it cannot be told.
        """
        from rooftop.command.this_machine import ThisMachine
        from rooftop.settings import Settings

        settings = Settings()
        if history:
            from rooftop.gate.history import read_history

            told = read_history(settings.home_folder)
            if as_json:
                print_document(told)
            else:
                _print_history(told, tables())
            return
        from rooftop.command.campaign import Bench
        from rooftop.gate.document import exit_code
        from rooftop.gate.run import Gating

        with Reports(junit, markdown) as reports:
            how = how_options(
                metric=metric,
                metric_regex=metric_regex,
                better=better,
                check=check,
                expect_regex=expect_regex,
                expect_same_output=expect_same_output,
                tolerance=tolerance,
                ignore_failure=ignore_failure,
                setup=[setup] if setup is not None else None,
                prepare=[prepare] if prepare is not None else None,
                cleanup=[cleanup] if cleanup is not None else None,
                warmup=warmup,
                budget=budget,
                max_pairs=max_pairs,
                timeout=timeout,
                memory_limit=memory_limit,
                seed=seed,
            )
            words: list[str] = context.meta[_COMMANDS]
            options = _options(revisions or [], words, build, file, threshold, correction, how, settings.home_folder)
            console = messages()
            progress = Progress(console)
            try:
                more = {"the commands": "listed"} if words else {}
                wanted = read_resume(resume, context, options.stored(), _places(options), more)
                ended = Gating(Bench(settings, ThisMachine(), progress)).gate(options, resume=wanted)
            finally:
                progress.done()
            reports.write(ended.document)
        if as_json:
            print_document(ended.document)
        elif ended.failure is None:
            _print(ended.document, tables())
        reports.require_written()
        if ended.failure is not None:
            raise ended.failure
        if ended.interrupted:
            console.print("every sample taken so far is kept: 'rooftop gate --resume' goes on", highlight=False)
            raise KeyboardInterrupt
        if code := exit_code(ended.document, allow_unresolved=allow_unresolved):
            raise typer.Exit(code)
