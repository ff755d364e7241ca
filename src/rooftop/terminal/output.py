"""Where a command's words go: one JSON document to standard output, everything else to standard error."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import BaseModel
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from rooftop.errors import Misuse
from rooftop.files.atomic import refuse_overwriting
from rooftop.terminal.stored import StoreCommand
from rooftop.terminal.streams import speaks_unicode
from rooftop.text.visible import visible, visible_json

if TYPE_CHECKING:
    from rooftop.documents import Finding

_UNBOUNDED = 10_000  # letters
_verbose: ContextVar[bool] = ContextVar("verbose", default=False)

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
FromOption = Annotated[
    Path | None,
    typer.Option("--from", metavar="DIR", help="Folder of experiments, or the folder of one."),
]


class _VisibleConsole(Console):
    """Shows what a terminal would obey spelled out, whoever wrote it: names, output of programs, stored campaigns."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """See Console."""
        for one in super().render(renderable, options):
            yield one if one.control else Segment(visible(one.text), one.style)


def tables() -> Console:
    """Return the console for what the user asked to see, on standard output.

    Texts are shown as they are: most are the user's, whose brackets and colons are neither styles nor pictures. What is
    to be styled is a rich Text. In a pipe or a file lines are as long as they are: nobody's window is known.
    """
    console = _VisibleConsole(markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _UNBOUNDED
    return console


def messages() -> Console:
    """Return the console for progress and remarks, on standard error."""
    return _VisibleConsole(stderr=True, markup=False, emoji=False)


def say(console: Console, text: str, style: str = "") -> None:
    """Print one line as it is, however long."""
    console.print(visible(text), style=style, markup=False, highlight=False, soft_wrap=True)


def _verbose_option() -> Any:
    """Return --verbose as typer makes it; the function of the command does not get it."""
    alone = typer.Typer(add_completion=False)

    @alone.command()
    def take(
        verbose: Annotated[
            bool, typer.Option("--verbose", help="List every rung, command or comparison that a doubt is about.")
        ] = False,
    ) -> None:
        pass

    option = typer.main.get_command(alone).params[0]
    option.expose_value = False
    return option


class VerboseCommand(StoreCommand):
    """Takes --verbose, by which `say_findings` lists everything that a doubt is about."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.append(_verbose_option())

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        _verbose.set("--verbose" in args[:own])
        return super().parse_args(ctx, args)


def say_findings(console: Console, lead: str | Text, findings: Iterable[Finding]) -> None:
    """Print what was found, each after `lead`: a doubt in one line, others with their remedies on lines below."""
    for one in findings:
        told = "\n    ".join(one.lines(verbose=_verbose.get()))
        console.print(
            Text.assemble(lead, (visible(one.name), "bold"), visible(f": {told}")), highlight=False, soft_wrap=True
        )


def _finite(content: Any) -> Any:
    """Return content with null in the place of figures that are no numbers, which JSON does not have."""
    if isinstance(content, float):
        return content if math.isfinite(content) else None
    if isinstance(content, dict):
        return {key: _finite(value) for key, value in content.items()}
    return [_finite(value) for value in content] if isinstance(content, list | tuple) else content


def print_document(document: BaseModel | dict[str, Any]) -> None:
    """Print a document as JSON."""
    content = document.model_dump(mode="json", by_alias=True) if isinstance(document, BaseModel) else document
    content = _finite(content)
    text = json.dumps(content, allow_nan=False, ensure_ascii=not speaks_unicode(sys.stdout), indent=1)
    sys.stdout.write(visible_json(text) + "\n")


def check_writable(option: str, path: Path | None, *read: Path | None) -> None:
    """Raise Misuse, before anything is measured, where a file could not be written in the end, or is read."""
    if path is None:
        return
    refuse_overwriting(option, path, [("the command", file) for file in read])
    try:
        path.lstat()
    except FileNotFoundError:
        pass
    except OSError as error:  # its name is too long, or a part of it is no folder
        raise Misuse(f"{option} is {path}: {error.strerror or error}") from error
    if path.is_dir():
        raise Misuse(f"{option} is {path}, which is a folder, expected a file")
    if not path.parent.is_dir():
        raise Misuse(f"{option} is {path}, and there is no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise Misuse(f"{option} is {path}, which may not be written")
