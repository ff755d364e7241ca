"""What the commands that measure commands share: their options, a bench to measure with, and how they end."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from rooftop.command.measurement import Measurement
from rooftop.command.option import Declared, declared, read_all
from rooftop.errors import Misuse
from rooftop.files.overwriting import refuse_overwriting
from rooftop.terminal.optional_values import with_values
from rooftop.terminal.output import messages, say
from rooftop.terminal.progress import Progress
from rooftop.terminal.resume import ResumeCommand

if TYPE_CHECKING:
    from rooftop.campaign.bench import Bench

BEHIND = "rooftop.behind"  # where a context keeps the words that stand behind --


class MeasuringCommand(ResumeCommand):
    """Takes options of Measurement with and without a value, which the option parser cannot."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        ctx.meta[BEHIND] = args[own + 1 :]
        known = [one.option for one in declared(Measurement) if one.field in {each.name for each in self.params}]
        return super().parse_args(ctx, with_values(args[:own], known, self.params) + args[own:])


def _parameter(one: Declared, default: Any, help_: str | None) -> inspect.Parameter:
    """Return the parameter of a command's function that an option is, as typer reads it."""
    option = one.option
    type_ = option.said or one.type
    if default in (None, ()) or (default is False and option.said is not None):
        type_, default = type_ | None, None
    elif isinstance(default, float):
        default = option.spell(default)
    said = typer.Option(*option.names, help=help_ or option.help, metavar=option.metavar)
    annotation = Annotated[type_, said]  # type: ignore[valid-type]
    return inspect.Parameter(one.field, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _files(said: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield the files that options other than those of Measurement name, among them the ones that are written."""
    for name, value in said.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, Path) or (isinstance(value, str) and name.startswith("export_")):
            yield option, Path(value)
        elif name == "exports":
            yield from (("--export", Path(one.partition(":")[2])) for one in value or ())


def measuring(
    *, without: Collection[str] = (), defaults: Mapping[str, Any] | None = None, helps: Mapping[str, str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator of a command's function that takes `how`: its command line has the options of Measurement.

    without   fields that the command does not have
    defaults  of its own, by field
    helps     of its own, by field
    """
    own_defaults, own_helps = defaults or {}, helps or {}
    shared = [
        _parameter(one, own_defaults.get(one.field, one.default), own_helps.get(one.field))
        for one in declared(Measurement)
        if one.field not in without
    ]
    names = [one.name for one in shared]

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def command(**said: Any) -> None:
            told = {name: value for name in names if (value := said.pop(name)) not in (None, [], ())}
            how = Measurement(**read_all(Measurement, told, lambda option: option.name))
            if how.output == "inherit" and said.get("as_json"):
                raise Misuse("--output inherit and --json both print on standard output, expected one of them")
            if (given := how.input_file()) is not None:
                for option, file in _files(said):
                    refuse_overwriting(option, file, [("--input", given)])
            function(**said, how=how)

        signature = inspect.signature(function, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for one in signature.parameters.values():
            parameters += shared if one.name == "how" else [one.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
        return command

    return decorated


def stored_places(prefix: str = "") -> dict[str, str]:
    """Return, by option, where a stored request has what it says; the budget may be another when it is resumed."""
    return {one.field: f"{prefix}{one.field}" for one in declared(Measurement) if one.field != "budget_s"}


@contextmanager
def bench_for(console: Console, budget_s: float | None = None) -> Iterator[Bench]:
    """Yield what commands are measured with on this machine; progress is shown on the console."""
    from rooftop.campaign.bench import Bench
    from rooftop.probe.surroundings import ThisMachine
    from rooftop.settings import Settings

    progress = Progress(console, budget_s)
    try:
        yield Bench(Settings(), ThisMachine(), progress)
    finally:
        progress.done()


def end(kind: str, code: int, *, interrupted: bool, kept: bool = True) -> None:
    """End a command once its document is printed. Raises KeyboardInterrupt where it was interrupted, else typer.Exit.

    kept  whether there are samples to go on from
    """
    if interrupted:
        if kept:
            say(messages(), f"every sample taken so far is kept: 'rooftop {kind} --resume' goes on")
        raise KeyboardInterrupt
    if code:
        raise typer.Exit(code)
