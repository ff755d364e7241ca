"""Copy campaigns from one store to another, so that jobs, machines or a team have theirs in one place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rooftop import errors
from rooftop.errors import Misuse
from rooftop.terminal.groups import YOUR_PROGRAMS
from rooftop.terminal.output import JsonOption, messages, print_document, say, tables
from rooftop.text.plural import plural

GROUP = YOUR_PROGRAMS

SCHEMA = "rooftop/sync/1"
_FORMS = "A file, a folder that has a store.sqlite, or postgresql://USER@HOST/DATABASE."


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("sync", help=__doc__, rich_help_panel=GROUP)
    def command(
        source: Annotated[str, typer.Argument(metavar="FROM", help=f"Store to copy from. {_FORMS}")],
        target: Annotated[str, typer.Argument(metavar="TO", help="Store to copy to; it is created if there is none.")],
        as_json: JsonOption = False,
    ) -> None:
        from rooftop.store.database import opened_database
        from rooftop.store.place import is_there, read_place
        from rooftop.store.sync import synchronized

        places = read_place(source), read_place(target)
        if not is_there(places[0]):
            raise Misuse(f"FROM is {places[0]}, and there is no such store")
        if _same(*places):
            raise Misuse(f"FROM and TO are both {places[0]}: expected two stores")
        changed: list[dict[str, object]] = []
        with opened_database(places[0]) as here, opened_database(places[1]) as there:
            done = synchronized(here, there, lambda name, samples: changed.append({"id": name, "samples": samples}))
        for line in done.refused:
            say(messages(), f"rooftop: {line}")
        if as_json:
            counts = {"new": done.new, "grown": done.grown, "unchanged": done.unchanged, "samples": done.samples}
            print_document({"schema": SCHEMA, **counts, "changed": changed, "refused": done.refused})
        else:
            for one in changed:
                tables().print(f"{one['id']}  {one['samples']:>6} samples", highlight=False, soft_wrap=True)
            told = f"{done.new} new, {done.grown} brought up to date, {done.unchanged} unchanged"
            say(messages(), f"{told}; {plural(done.samples, 'sample')} copied")
        if done.refused:
            raise typer.Exit(errors.WRONG)


def _same(source: object, target: object) -> bool:
    """Whether two places are one."""
    if isinstance(source, Path) and isinstance(target, Path):
        return source.resolve() == target.resolve()
    return source == target
