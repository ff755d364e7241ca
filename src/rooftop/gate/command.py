"""Check whether a change makes programs slower, for continuous integration.

Corrects for multiple tests and confirms a regression by new runs.

Exit codes: 0 passed, 6 regression, 1 wrong or failed head, 7 not resolved.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.console import Console

from rooftop.command.measurement import Measurement
from rooftop.errors import Misuse
from rooftop.gate.reports import Reports, report_refusal
from rooftop.terminal.foreign_options import explained
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import MeasuringCommand, bench_for, end, measuring, stored_places
from rooftop.terminal.output import JsonOption, messages, print_document, say, say_findings, tables
from rooftop.terminal.output_files import kept_files, kept_with
from rooftop.terminal.resume import ResumeOption, read_resume

if TYPE_CHECKING:
    from rooftop.gate.document import GateDocument
    from rooftop.gate.history import HistoryDocument
    from rooftop.gate.options import Options

GROUP = YOUR_PROGRAMS

_WORDS, _COMMANDS = "rooftop.gate.text", "rooftop.gate.commands"
_STYLES = {"regression": "bold red", "wrong": "bold red", "failed": "bold red", "not resolved": "yellow"}


class GateCommand(MeasuringCommand):
    """Keeps the words after -- apart from the revisions before it, which the option parser does not."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        ctx.meta[_WORDS], ctx.meta[_COMMANDS] = args[:own], args[own + 1 :]
        try:
            return super().parse_args(ctx, args[:own])
        except Exception as error:
            if told := explained(error):  # an error of the option parser's
                report_refusal(args[:own], told)
            raise

    def invoke(self, ctx: Any) -> Any:
        """See Click's Command. Options are read before the reports are begun."""
        try:
            return super().invoke(ctx)
        except Misuse as error:
            report_refusal(ctx.meta[_WORDS], str(error))
            raise


def _print(document: GateDocument, console: Console) -> None:
    from rooftop.gate.text import figures, headline, revisions

    if line := revisions(document):
        say(console, line)
    for one in document.benchmarks:
        told = "; ".join(part for part in (figures(one), one.told) if part)
        line = f"{one.outcome}: {one.name}" + (f": {told}" if told else "")
        say(console, line, style=_STYLES.get(one.outcome, ""))
    say(console, headline(document), style="bold")
    say_findings(console, "doubt: ", document.doubts)


def _print_history(document: HistoryDocument, console: Console) -> None:
    from rooftop.gate.text import history_lines

    for line in history_lines(document):
        say(console, line)


def _options(
    revisions: list[str],
    words: list[str],
    build: str | None,
    file: Path | None,
    chosen: list[str],
    threshold: str | None,
    correction: Literal["holm", "bh"] | None,
    how: Measurement,
    home: Path,
) -> Options:
    """Return what the command line and its file ask for. What stands in both is the command line's. Raises Misuse."""
    from rooftop.command.line import read_commands, started_alike
    from rooftop.gate.file import GateFile, read_file
    from rooftop.gate.options import Options, chosen_benchmarks, listed_benchmarks, parse_threshold
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
    commands = read_commands(words, how.shell, words=True)
    if not revisions:  # they are compared with each other
        commands = started_alike(commands)
    benchmarks = (
        *declared.benchmarks(file or Path(), allowed, how),
        *listed_benchmarks(commands, revisions=bool(revisions), threshold=allowed, how=how),
    )
    options = Options(
        benchmarks=chosen_benchmarks(benchmarks, chosen),
        build=build if build is not None else declared.build,
        threshold=allowed,
        correction=correction or declared.correction or "holm",
        how=how,
        file=str(file) if file is not None else None,
        listed=tuple((one.words, one.text) for one in commands),
        chosen=tuple(chosen),
    )
    if revisions:
        repository = Repository.around(Path.cwd())
        base, head = (repository.revision(name, home) for name in revisions)
        options = replace(options, base=base, head=head, repository=repository)
    return options


def _places(options: Options) -> dict[str, str]:
    """Return by parameter where the stored request has what it says."""
    places = stored_places("how.")
    places |= {name: name for name in ("build", "threshold", "correction", "file")} | {"benchmark": "chosen"}
    if options.head is not None:
        places["revisions"] = "head.commit"
    return places


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("gate", cls=GateCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        defaults={"budget_s": 300.0}, helps={"budget_s": "Time to measure, such as 5m. Builds are not included."}
    )
    def gate(
        context: typer.Context,
        revisions: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="[BASE HEAD] -- CMD ::: CMD …",
                help="Two revisions and commands to run in both, or OLD ::: NEW. '.' is the working tree.",
            ),
        ] = None,
        build: Annotated[
            str | None,
            typer.Option("--build", metavar="CMD", help="Command that builds a revision, run in a folder of its own."),
        ] = None,
        file: Annotated[
            Path | None, typer.Option("--file", metavar="FILE.toml", help="Read benchmarks from a file.")
        ] = None,
        benchmark: Annotated[
            list[str] | None,
            typer.Option(
                "--benchmark", metavar="NAME", help="Only this benchmark. Can be repeated; * matches anything."
            ),
        ] = None,
        threshold: Annotated[
            str | None, typer.Option("--threshold", help="Largest slowdown that passes. Default: 2%.")
        ] = None,
        correction: Annotated[
            Literal["holm", "bh"] | None,
            typer.Option(
                "--correction", help="Correction for multiple tests: holm (default) or bh (Benjamini-Hochberg)."
            ),
        ] = None,
        allow_unresolved: Annotated[
            bool, typer.Option("--allow-unresolved", help="Exit 0 if the worst outcome is 'not resolved'.")
        ] = False,
        junit: Annotated[
            Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML for CI servers.")
        ] = None,
        markdown: Annotated[
            Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary for a pull request.")
        ] = None,
        history: Annotated[
            bool,
            typer.Option("--history", help="Show the results of earlier gates with change points. Measures nothing."),
        ] = False,
        *,
        how: Measurement,
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
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
        from rooftop.gate.document import exit_code
        from rooftop.gate.run import Gating

        with Reports(junit, markdown) as reports:
            words: list[str] = context.meta[_COMMANDS]
            options = _options(
                revisions or [], words, build, file, benchmark or [], threshold, correction, how, settings.home_folder
            )
            with bench_for(messages()) as bench:
                more = {"the commands": "listed"} if words else {}
                wanted = read_resume(resume, context, options.stored(), _places(options), more)
                ended = Gating(bench).gate(options, resume=wanted, beside=kept_with(junit=junit, markdown=markdown))
            reports.go_to(*kept_files(ended.beside, junit=junit, markdown=markdown))
            reports.write(ended.document)
        if as_json:
            print_document(ended.document)
        elif ended.failure is None:
            _print(ended.document, tables())
        reports.require_written()
        if ended.failure is not None:
            raise ended.failure
        code = exit_code(ended.document, allow_unresolved=allow_unresolved)
        end("gate", code, interrupted=ended.interrupted)
