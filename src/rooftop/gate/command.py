"""Check whether a change makes programs slower, for continuous integration.

Corrects for multiple tests and confirms a regression by new runs.

Exit codes: 0 passed, 6 regression, 1 wrong or failed head, 7 not resolved.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from rooftop.command.option import given_values, read_toml
from rooftop.errors import Misuse, NotBuilt
from rooftop.gate.file import GateFile
from rooftop.gate.options import JUDGEMENT, Options, chosen_benchmarks, listed_benchmarks
from rooftop.gate.reports import Reports, report_refusal
from rooftop.terminal.campaigns import measured
from rooftop.terminal.foreign_options import explained
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, print_document, say, say_findings, tables
from rooftop.terminal.output_files import kept_files, kept_with
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.gate.document import GateDocument
    from rooftop.gate.history import HistoryDocument

GROUP = YOUR_PROGRAMS

_WORDS, _COMMANDS = "rooftop.gate.text", "rooftop.gate.commands"
_STYLES = {"regression": "bold red", "wrong": "bold red", "failed": "bold red", "not resolved": "yellow"}


class GateCommand(MeasuringCommand):
    """Separate the words after -- from the revisions before it, which the option parser does not."""

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
    given: Given[Options], revisions: list[str], words: list[str], home: Path, file: Path | None = None
) -> Options:
    """Return the options of the command line and its file; the command line takes precedence. Raises Misuse."""
    from rooftop.command.line import read_commands, started_alike
    from rooftop.gate.revision import Repository

    if len(revisions) not in (0, 2):
        number = f"{len(revisions)} revision{'' if len(revisions) == 1 else 's'}"
        raise Misuse(f"{number} before --, expected BASE and HEAD, or none")
    declared: Any = read_toml(file, GateFile) if file is not None else GateFile()
    if not revisions and (declared.base is not None or declared.head is not None):
        if declared.base is None or declared.head is None:
            raise Misuse(f"{file} names one revision, expected both base and head, or none")
        revisions = [declared.base, declared.head]
    commands = read_commands(words, given.how.shell, words=True)
    if not revisions:  # they are compared with each other
        commands = started_alike(commands)
    filed = given_values(Options, declared.model_dump(exclude_unset=True), str(file))
    options = given.request(filed, listed=tuple((one.words, one.text) for one in commands))
    benchmarks = (
        *declared.benchmarks(file or Path(), options.threshold, options.how),
        *listed_benchmarks(commands, revisions=bool(revisions), threshold=options.threshold, how=options.how),
    )
    options = replace(options, benchmarks=chosen_benchmarks(benchmarks, options.chosen))
    if revisions:
        repository = Repository.around(Path.cwd())
        base, head = (repository.revision(name, home) for name in revisions)
        options = replace(options, base=base, head=head, repository=repository)
    return options


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("gate", cls=GateCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(Options, helps={"budget_s": "Time to measure, such as 5m, without the builds."})
    def gate(
        context: typer.Context,
        revisions: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="[BASE HEAD] -- CMD ::: CMD …",
                help="Two revisions and commands to run in both, or OLD ::: NEW. '.' is the working tree.",
            ),
        ] = None,
        *,
        given: Given[Options],
        allow_unresolved: Annotated[
            bool,
            typer.Option(
                "--allow-unresolved",
                help="Exit 0 if the worst outcome is 'not resolved'.",
                rich_help_panel=JUDGEMENT,
            ),
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
        resume: ResumeOption = None,
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.settings import Settings

        settings = Settings()
        if history:
            from rooftop.gate.history import read_history
            from rooftop.store.place import place_of

            told = read_history(place_of(settings))
            if as_json:
                print_document(told)
            else:
                _print_history(told, tables())
            return
        from rooftop.gate.document import exit_code
        from rooftop.gate.run import KIND

        with Reports(junit, markdown) as reports:
            words: list[str] = context.meta[_COMMANDS]
            file = given.own.get("file")
            options = _options(
                given, revisions or [], words, settings.home_folder, Path(file) if file is not None else None
            )
            places = {"revisions": "head.commit"} if options.head is not None else {}
            more = {"the commands": "listed"} if words else {}
            kept = kept_with(junit=junit, markdown=markdown)
            ended = measured(KIND, options, resume, context, places, more=more, beside=kept)
            reports.go_to(*kept_files(ended.beside, junit=junit, markdown=markdown))
            reports.write(ended.document)
        document = ended.document
        code = exit_code(document, allow_unresolved=allow_unresolved)
        failure = NotBuilt(document.error) if document.error is not None else None
        finish("gate", ended, code, _print, as_json=as_json, files=reports, failure=failure)
