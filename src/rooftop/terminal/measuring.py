"""What the commands that measure commands share: their options, a bench to measure with, and how they end."""

from __future__ import annotations

import copy
import functools
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeVar, get_args

import typer
from pydantic import BaseModel
from rich.console import Console
from typer.models import OptionInfo

from rooftop.command.measurement import Measurement
from rooftop.command.option import OUTPUT, Declared, Option, declared, read_all
from rooftop.command.request import usual_measurement
from rooftop.errors import Misuse, RooftopError
from rooftop.files.atomic import refuse_overwriting
from rooftop.schedulers.options import JobOptions
from rooftop.terminal.jobs import ASKED, SAID
from rooftop.terminal.output import messages, print_document, say, tables
from rooftop.terminal.resume import ResumeCommand

if TYPE_CHECKING:
    from rooftop.campaign.run import Ended


_LETTERS = re.compile(r"-[A-Za-z]{2,}")
BEHIND = "rooftop.behind"  # where a context keeps the words that stand behind --


def _with_and_without_value(parameters: Sequence[Any]) -> list[Option]:
    """Return the options of Measurement that are among the parameters: some may stand alone."""
    names = {each.name for each in parameters}
    return [one.option for one in declared(Measurement) if one.field in names]


def taking(parameters: Sequence[Any]) -> dict[str, int]:
    """Return how many words each option takes as its value."""
    found: dict[str, int] = {}
    for one in parameters:
        if one.param_type_name == "option" and not one.is_flag:
            found |= dict.fromkeys((*one.opts, *one.secondary_opts), one.nargs)
    for option in _with_and_without_value(parameters):
        found |= {word: 0 for word, _ in option.alone}
    return found | {"--resume": 0}  # it is read by another


def with_values(words: Sequence[str], parameters: Sequence[Any]) -> list[str]:
    """Return the words with every option that stands alone spelled out, ``--ignore-failure=all-non-zero``.

    parameters  of the option parser: what follows an option as its value is left as it is
    """
    alone, own_names = {}, {}
    for option in _with_and_without_value(parameters):
        for word, value in option.alone:
            alone[word] = f"{option.name}={value}"
            own_names[word] = option.name
    counts = taking(parameters)
    found: list[str] = []
    values = 0
    for word in words:
        name, equals, value = word.partition("=")
        if values:
            values -= 1
            found.append(word)
        elif word in alone:
            found.append(alone[word])
        elif equals and name in own_names:
            found.append(f"{own_names[name]}={value}")
        elif _LETTERS.fullmatch(word) and all(f"-{letter}" in alone for letter in word[1:]):
            found += [alone[f"-{letter}"] for letter in word[1:]]
        else:
            values = counts.get(word, 0)
            found.append(word)
    return found


class Requested(Protocol):
    """What a kind of campaign is asked: a MeasuredCommand, or a Measurement with options of its own."""

    @classmethod
    def of(cls, how: Measurement, **own: Any) -> Any: ...

    def stored(self) -> dict[str, Any]: ...


class _Written(Protocol):
    """Files that a command writes."""

    def require_written(self) -> None: ...


RequestT = TypeVar("RequestT", bound=Requested)
DocumentT = TypeVar("DocumentT", bound=BaseModel)


class JobCommand(ResumeCommand):
    """Keeps the words of a command line as they were said, for the job that its campaign may run in."""

    def make_context(self, info_name: Any, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """See Click's Command."""
        said = list(args)
        context = super().make_context(info_name, args, parent, **extra)
        context.meta[SAID] = said
        return context


class MeasuringCommand(JobCommand):
    """Takes options of Measurement with and without a value, which the option parser cannot."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        ctx.meta[BEHIND] = args[own + 1 :]
        return super().parse_args(ctx, with_values(args[:own], self.params) + args[own:])


@dataclass(frozen=True)
class Given(Generic[RequestT]):
    """The options of a command line.

    model  class of the request of this kind of campaign
    own    values of this kind's own options that were given, by field
    how    values of the options that all kinds have
    """

    model: type[RequestT]
    own: Mapping[str, Any]
    how: Measurement

    def request(self, filed: Mapping[str, Any] | None = None, **more: Any) -> RequestT:
        """Return the request. `more`: fields that are no options.

        filed  values of fields that a file sets: the command line has the last word, and several values add up
        """
        own = dict(filed or {})
        for field, value in self.own.items():
            own[field] = own[field] + value if isinstance(value, tuple) and field in own else value
        request: RequestT = self.model.of(self.how, **own, **more)
        return request


def _parameter(one: Declared, default: Any, help_: str | None) -> inspect.Parameter:
    """Return the parameter of a command's function that an option is, as typer reads it."""
    option = one.option
    type_ = option.said or one.type
    if option.said is bool:
        default = False
    elif default in (None, ()) or (default is False and option.said is not None):
        type_, default = type_ | None, None
    elif isinstance(default, float):
        default = option.spell(default)
    said = typer.Option(*option.names, help=help_ or option.help, metavar=option.metavar, rich_help_panel=option.panel)
    annotation = Annotated[type_, said]  # type: ignore[valid-type]
    return inspect.Parameter(one.parameter, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _in_output_panel(one: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter that a command's function has itself, such as --json, listed with the output."""
    metadata = get_args(one.annotation)[1:] if hasattr(one.annotation, "__metadata__") else ()
    if not metadata or not isinstance(metadata[0], OptionInfo):
        return one
    said = copy.copy(metadata[0])
    said.rich_help_panel = said.rich_help_panel or OUTPUT
    return one.replace(annotation=Annotated[get_args(one.annotation)[0], said])


def _files(said: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """Yield the files that options other than those of Measurement name, among them the ones that are written."""
    for name, value in said.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, Path) or (isinstance(value, str) and name.startswith("export_")):
            yield option, Path(value)
        elif name == "exports":
            yield from (("--export", Path(one.partition(":")[2])) for one in value or ())


def _of_job(in_allocations: bool = False) -> list[Declared]:
    return [one for one in declared(JobOptions) if in_allocations or one.field != "allocations"]


def _ask_for_job(context: typer.Context, said: Mapping[str, Any]) -> None:
    """Keep the options of a job where any is given. Raises Misuse."""
    if said:
        context.meta[ASKED] = JobOptions(**read_all(JobOptions, said, _name)).checked()


def with_job_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a job to a command's function, which takes a `context` and calls `gone_on_with`."""
    signature = inspect.signature(function, eval_str=True)
    options = [_parameter(one, one.default, None) for one in _of_job()]

    @functools.wraps(function)
    def command(context: typer.Context, **said: Any) -> None:
        values = {one.name: said.pop(one.name) for one in options}
        _ask_for_job(context, {name: value for name, value in values.items() if given_here(context, name)})
        function(context=context, **said)

    own = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in signature.parameters.values()]
    parameters = [*own, *options]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
    return command


def measuring(
    model: type[Any],
    *,
    without: Collection[str] = (),
    helps: Mapping[str, str] | None = None,
    in_jobs: bool = True,
    in_allocations: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator of a command's function that takes `given`: its command line has the options of a request.

    model    of the request; its options replace those of Measurement that have the same name
    without  fields of Measurement that the command does not have
    helps    help texts of its own, by field
    in_jobs  whether its campaigns may run in jobs: it then calls `measured`
    in_allocations  whether several jobs have one verdict
    """
    usual, own_helps = usual_measurement(model), helps or {}
    own = [one for one in declared(model) if one.field not in without]
    taken = {one.option.name for one in own}
    shared = [one for one in declared(Measurement) if one.option.name not in taken and one.field not in without]
    options = [_parameter(one, one.default, own_helps.get(one.field)) for one in own]
    options += [_parameter(one, getattr(usual, one.field), own_helps.get(one.field)) for one in shared]
    of_job = _of_job(in_allocations) if in_jobs else []
    options += [_parameter(one, one.default, None) for one in of_job]
    of_all = {one.name for one in fields(Measurement)} if issubclass(model, Measurement) else set()

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(function, eval_str=True)

        @functools.wraps(function)
        def command(context: typer.Context, **said: Any) -> None:
            all_values = {one.name: said.pop(one.name) for one in options}
            told = {name: value for name, value in all_values.items() if given_here(context, name)}
            values = read_all(
                model, {one.parameter: told[one.parameter] for one in own if one.parameter in told}, _name
            )
            _ask_for_job(context, {one.parameter: told[one.parameter] for one in of_job if one.parameter in told})
            shared_told = {one.parameter: told[one.parameter] for one in shared if one.parameter in told}
            how_values = read_all(Measurement, shared_told, _name)
            how_values |= {field: values.pop(field) for field in list(values) if field in of_all}
            how = replace(usual, **how_values)
            if how.output == "inherit" and said.get("as_json"):
                raise Misuse("--output inherit and --json both print on standard output, expected one of them")
            if (input_file := how.input_file()) is not None:
                for option, file in _files(said):
                    refuse_overwriting(option, file, [("--input", input_file)])
            if "context" in signature.parameters:
                said["context"] = context
            function(**said, given=Given(model, values, how))

        parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        for one in signature.parameters.values():
            if one.name == "given":
                parameters += options
            elif one.name != "context":
                parameters.append(_in_output_panel(one.replace(kind=inspect.Parameter.KEYWORD_ONLY)))
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
        return command

    return decorated


def _name(option: Any) -> str:
    return str(option.name)


def given_here(context: typer.Context, name: str) -> bool:
    """Whether a command line gives a parameter."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def finish(
    kind: str,
    ended: Ended[DocumentT],
    code: int,
    show: Callable[[DocumentT, Console], None],
    *,
    as_json: bool,
    files: _Written | None = None,
    failure: RooftopError | None = None,
    written: Mapping[str, Path] | None = None,
    kept: bool = True,
    printed: str = "",
) -> None:
    """Print the document of a campaign, or show it, and end the command.

    files    checked for write errors once the document is printed
    failure  reason why nothing was measured, raised instead of showing the document
    written  other files that were written, by what they are
    kept     whether there are samples to resume from
    printed  text in another format for standard output; the document is then shown on standard error

    Raises Misuse for a file that could not be written, KeyboardInterrupt for an interrupted campaign, and typer.Exit
    for an exit code other than 0.
    """
    if as_json:
        print_document(ended.document)
    elif failure is None:
        show(ended.document, messages() if printed else tables())
    sys.stdout.write(printed)
    if files is not None:
        files.require_written()
    if failure is not None:
        raise failure
    for what, path in (written or {}).items():
        say(messages() if as_json else tables(), f"{what}: {path}")
    end(kind, code, interrupted=ended.interrupted, kept=kept)


def end(kind: str, code: int, *, interrupted: bool, kept: bool = True) -> None:
    """End a command whose document is printed. Raises KeyboardInterrupt if it was interrupted, else typer.Exit.

    kept  whether there are samples to resume from
    """
    if interrupted:
        if kept:
            say(messages(), f"every sample taken so far is kept: 'rooftop {kind} --resume' goes on")
        raise KeyboardInterrupt
    if code:
        raise typer.Exit(code)
