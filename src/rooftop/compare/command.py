"""Compare commands in interleaved pairs, with checked outputs and a paired verdict."""

from __future__ import annotations

import itertools
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rooftop import errors
from rooftop.compare.options import COMMANDS, Options
from rooftop.compare.text import print_comparison
from rooftop.errors import Misuse
from rooftop.terminal.campaigns import asks_for_allocations, bench_for, measured, measured_in_allocations
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.measuring import BEHIND, Given, MeasuringCommand, finish, measuring
from rooftop.terminal.output import JsonOption, messages, say
from rooftop.terminal.output_files import Files
from rooftop.terminal.resume import ResumeOption

if TYPE_CHECKING:
    from rooftop.compare.document import CompareDocument

GROUP = YOUR_PROGRAMS


_LIST = ("-L", "--parameter-list")


class CompareCommand(MeasuringCommand):
    """Accept --parameter-list NAME VALUES repeatedly, which typer cannot."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        words, joined = iter(args[:own]), []
        for word in words:
            two = [*itertools.islice(words, 2)] if word in _LIST else []
            if two and len(two) < 2:
                raise Misuse(f"{word} has one value, {two[0]!r}, expected NAME and a,b")
            joined.append(f"{_LIST[1]}={'='.join(two)}" if two else word)
        return super().parse_args(ctx, joined + args[own:])


def exit_code(document: CompareDocument) -> int:
    """Return 1 if any command is wrong or failed, 3 if none has a figure, else 0."""
    if any(command.outcome in ("wrong", "failed") for command in document.commands):
        return errors.WRONG
    measured = any(command.median is not None for command in document.commands)
    return errors.FINE if measured else errors.NOTHING_MEASURED


def _exports(texts: list[str], *, as_json: bool) -> list[tuple[str, Path]]:
    """Return the form and the file of each export. Raises Misuse."""
    if not texts:
        return []
    from rooftop.compare.export import STANDARD_OUTPUT, read_export

    found = [read_export(text) for text in texts]
    printing = [form for form, file in found if file == STANDARD_OUTPUT]
    if len(printing) + as_json > 1:
        several = [*(f"--export {form}:-" for form in printing), *(["--json"] if as_json else [])]
        raise Misuse(f"{' and '.join(several)} all print on standard output, expected one of them")
    return found


def _kept(file: Path) -> str:
    """Return a file as it is kept with a campaign, which may be resumed in another folder."""
    return str(file) if str(file) == "-" else str(file.absolute())


def _write(wanted: list[tuple[str, Path]], document: CompareDocument, files: Files) -> str:
    """Write the exports to their files; return what is for standard output."""
    if not wanted:
        return ""
    from rooftop.compare.export import STANDARD_OUTPUT, exported

    for form, file in wanted:
        if file != STANDARD_OUTPUT:
            files.write("--export", file, partial(exported, document, form))
    return "".join(exported(document, form) for form, file in wanted if file == STANDARD_OUTPUT)


def _over_allocations(options: Options, context: typer.Context, *, as_json: bool) -> None:
    """Compare in several jobs, and print one verdict over all."""
    from rooftop.compare.allocations_text import end_with
    from rooftop.compare.in_allocations import of_group
    from rooftop.compare.run import KIND
    from rooftop.measure.allocations import require_statsmodels

    require_statsmodels()
    with bench_for(messages()) as bench:
        document = of_group(bench, measured_in_allocations(bench, KIND, options, context))
    end_with(document, as_json=as_json)


def register(app: typer.Typer) -> None:
    """Add the command."""
    each = "Give one, or one for each command."

    @app.command("compare", cls=CompareCommand, help=__doc__, rich_help_panel=GROUP)
    @measuring(
        Options,
        in_allocations=True,
        helps={
            "setups": f"Command to run once before a command's first run. {each}",
            "prepares": f"Command to run before every run, not timed. {each}",
            "cleanups": f"Command to run once after a command's last run. {each}",
        },
    )
    def compare(
        context: typer.Context,
        commands: Annotated[
            list[str] | None,
            typer.Argument(
                metavar="'A' 'B' … | -- A ::: B …",
                help="Two or more commands, or rungs such as winograd/90-fused. The first is the base.",
            ),
        ] = None,
        *,
        reference: Annotated[
            str | None,
            typer.Option(
                "--reference", metavar="CMD", help="Command to compare all others with.", rich_help_panel=COMMANDS
            ),
        ] = None,
        names: Annotated[
            list[str] | None,
            typer.Option(
                "--command-name",
                "-n",
                metavar="NAME",
                help="Name of a command. Give one for each.",
                rich_help_panel=COMMANDS,
            ),
        ] = None,
        lists: Annotated[
            list[str] | None,
            typer.Option(
                "--parameter-list",
                "-L",
                metavar="NAME a,b",
                help="Compare the commands with each value of {NAME}.",
                rich_help_panel=COMMANDS,
            ),
        ] = None,
        scan: Annotated[
            tuple[str, str, str] | None,
            typer.Option(
                "--parameter-scan",
                "-P",
                metavar="NAME MIN MAX",
                help="Compare the commands with each value of {NAME} in a range.",
                rich_help_panel=COMMANDS,
            ),
        ] = None,
        step: Annotated[
            str | None,
            typer.Option(
                "--parameter-step-size",
                "-D",
                metavar="STEP",
                help="Step of the range (default: 1).",
                rich_help_panel=COMMANDS,
            ),
        ] = None,
        given: Given[Options],
        resume: ResumeOption = None,
        exports: Annotated[
            list[str] | None,
            typer.Option(
                "--export",
                metavar="FORM:FILE",
                help="Write the results as hyperfine:FILE, google-benchmark:FILE, csv:FILE or markdown:FILE. "
                "- is standard output.",
            ),
        ] = None,
        export_json: Annotated[
            str | None, typer.Option("--export-json", metavar="FILE", help="The same as --export hyperfine:FILE.")
        ] = None,
        export_csv: Annotated[
            str | None, typer.Option("--export-csv", metavar="FILE", help="The same as --export csv:FILE.")
        ] = None,
        export_markdown: Annotated[
            str | None, typer.Option("--export-markdown", metavar="FILE", help="The same as --export markdown:FILE.")
        ] = None,
        as_json: JsonOption = False,
    ) -> None:
        # The store and the statistics take a while to import: only those who compare pay for it.
        from rooftop.command.line import from_text, started_alike
        from rooftop.compare.run import KIND
        from rooftop.compare.variants import Variant, named, read_parameters, variants

        how = given.how
        own_forms = {"hyperfine": export_json, "csv": export_csv, "markdown": export_markdown}
        more = [f"{form}:{file}" for form, file in own_forms.items() if file is not None]
        wanted = _exports([*(exports or ()), *more], as_json=as_json)
        if wanted and how.metric == "instructions":
            raise Misuse("--export writes times, which include those of perf with --metric instructions: leave one out")
        if how.output == "inherit" and any(str(file) in ("-", "/dev/stdout") for _, file in wanted):
            raise Misuse("--output inherit and --export to standard output both print there, expected one of them")
        parameters = read_parameters(lists or (), scan, step)
        behind = bool(commands) and commands == context.meta[BEHIND]
        found = named(variants(commands or (), parameters, how.texts_beside(), how.shell, words=behind), names or ())
        if reference is not None:
            found.insert(0, Variant(from_text(reference, how.shell), {}))
        asked = [one.command for one in found]
        # Programs that time themselves need not start alike, and no option reaches one behind a shell.
        started = asked if given.own.get("google_benchmark") else started_alike(asked)
        options = given.request(
            commands=tuple((one.words, one.text) for one in started),
            values=tuple(one.values for one in found) if parameters else (),
        )
        if started != asked:
            options.specs()  # misuse is told alone
            options.terms()
            needing = next(one.text for one in asked if one.by_shell)
            say(messages(), f"a shell starts every command, since {needing!r} needs one")
        if asks_for_allocations(context):
            if wanted or resume is not None:
                raise Misuse(
                    f"--allocations and {'--export' if wanted else '--resume'} are both given: each allocation is a "
                    "campaign of its own, which 'rooftop export' and 'rooftop compare --resume' take afterwards"
                )
            _over_allocations(options, context, as_json=as_json)
            return
        with Files(*(file for _, file in wanted)) as files:
            places, kept = {"commands": "commands"}, {"export": [[form, _kept(file)] for form, file in wanted]}
            ended = measured(KIND, options, resume, context, places, beside=kept, budget_s=how.budget_s)
            if not wanted and ended.beside is not None:  # it goes on, and writes what it was begun with
                wanted = [(form, Path(file)) for form, file in ended.beside.get("export", ())]
            printed = _write(wanted, ended.document, files)
            code = exit_code(ended.document)
            finish("compare", ended, code, print_comparison, as_json=as_json, files=files, printed=printed)
