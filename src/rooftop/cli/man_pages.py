"""Man pages: one of the program and of each command, from what the option parser knows of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rooftop.errors import Misuse

_TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class ManPage:
    """A page.

    command     the command as it is typed
    usage       what follows it
    paragraphs  what it does, the summary first
    options     titles of groups, each with options and their meanings
    commands    names of the pages of its commands, and their summaries
    above       name of the page of the command that it belongs to
    """

    command: str
    usage: str
    paragraphs: Sequence[str]
    options: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    epilog: str = ""
    commands: Sequence[tuple[str, str]] = field(default_factory=tuple)
    above: str = ""

    @property
    def name(self) -> str:
        """The page's name, which is its file's."""
        return self.command.replace(" ", "-")

    @property
    def summary(self) -> str:
        """The first sentence of what it does."""
        return self.paragraphs[0].removesuffix(".") if self.paragraphs else self.command


def troff(text: str) -> str:
    """Return text as troff shows it, in one line that is no request."""
    escaped = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _groups(command: Any, context: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return a command's arguments, and its options in the groups in which its help shows them, those in none first."""
    groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and not getattr(parameter, "hidden", False):
            kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
            title = getattr(parameter, "rich_help_panel", None) or kind
            groups.setdefault(title, []).append((str(record[0]), str(record[1])))
    return [(title, options) for title, options in groups.items() if options]


def _subcommands(command: Any, context: Any) -> Iterator[tuple[str, Any]]:
    """Yield the commands of a group that are not hidden, each as it is run."""
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        if not command.commands[name].hidden:
            yield name, command.resolve_command(context, [name])[1]


def pages_of(command: Any, name: str, above: Any = None) -> Iterator[ManPage]:
    """Yield the page of a command and those of its commands."""
    context = command.context_class(command, info_name=name, parent=above)
    own = f"{above.command_path} {name}" if above is not None else name
    below = [page for one, other in _subcommands(command, context) for page in pages_of(other, one, context)]
    yield ManPage(
        command=own,
        usage=" ".join(command.collect_usage_pieces(context)),
        paragraphs=[one for one in re.split(r"\n\s*\n", command.help or "") if one.strip()],
        options=_groups(command, context),
        epilog=command.epilog or "",
        commands=[(page.name, page.summary) for page in below if page.above == own.replace(" ", "-")],
        above=above.command_path.replace(" ", "-") if above is not None else "",
    )
    yield from below


def text_of(page: ManPage, version: str) -> str:
    """Return a page as ``man`` reads it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )  # no autoescape: the text is troff, which the filter writes
    environment.filters["troff"] = troff
    return environment.get_template("man.troff").render(page=page, version=version)


def write_man_pages(folder: Path, whole: Callable[[str | None], Any], names: Sequence[str], version: str) -> list[Path]:
    """Write all pages into a folder, which is made if need be; return their files.

    whole  makes the program with one command, or with outlines of all
    names  the commands

    Raises Misuse where they cannot be written.
    """
    top = whole(None)
    pages = [next(pages_of(top, "rooftop"))]
    for name in names:
        program = whole(name)
        context = program.context_class(program, info_name="rooftop")
        pages += pages_of(program.commands[name], name, context)
    files = [folder / f"{page.name}.1" for page in pages]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, page in zip(files, pages, strict=True):
            file.write_text(text_of(page, version), encoding="utf-8")
    except OSError as error:
        raise Misuse(f"--man-pages: {error.filename or folder} cannot be written: {error.strerror or error}") from error
    return files
