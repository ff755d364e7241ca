"""The option --resume, with or without a campaign's id, and what is said beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rooftop.terminal.output import VerboseCommand

if TYPE_CHECKING:
    from rooftop.store.interrupted import Resume

ResumeOption = Annotated[
    str | None,
    typer.Option(
        "--resume",
        metavar="[ID]",
        help="Resume the newest interrupted campaign, or the one with this id (see 'rooftop list --campaigns').",
    ),
]

_NEWEST = "newest"
_ID = re.compile(r"\d{8}(-\d{0,6}(-[0-9a-f]{0,8})?)?")


def names_campaign(word: str) -> bool:
    """Whether a word behind --resume is the id of a campaign, or the beginning of one."""
    return _ID.fullmatch(word) is not None


def spelled(words: list[str]) -> list[str]:
    """Return the words with a value for each --resume, which the option parser wants: the next word if it is an id."""
    found: list[str] = []
    for place, word in enumerate(words):
        found.append(word)
        if word == "--resume" and not (place + 1 < len(words) and names_campaign(words[place + 1])):
            found.append(_NEWEST)
    return found


class ResumeCommand(VerboseCommand):
    """Takes --resume with an id and without one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        own = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, spelled(args[:own]) + args[own:])


def read_resume(
    wanted: str | None,
    context: typer.Context,
    stored: Mapping[str, Any],
    places: Mapping[str, str],
    more: Mapping[str, str] | None = None,
) -> Resume | None:
    """Return which campaign to go on with; None where none is.

    stored  what is asked for now, as the store keeps it
    places  by parameter, where `stored` has what it says; with dots between
    more    the same of what was said and is no parameter, by what the user calls it
    """
    if wanted is None:
        return None
    from rooftop.store.interrupted import Resume, Said, value_at

    said = [Said(name, place, value_at(stored, place)) for name, place in (more or {}).items()]
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if name in places and source is not None and source.name == "COMMANDLINE":
            option = parameter.opts[0] if parameter.param_type_name == "option" else f"the {name}"
            said.append(Said(option, places[name], value_at(stored, places[name])))
    return Resume(None if wanted == _NEWEST else wanted, tuple(said))
