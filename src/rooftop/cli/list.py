"""List the experiments, or the campaigns."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from rooftop import errors
from rooftop.ladder.discovery import Found, Module
from rooftop.ladder.location import place_of
from rooftop.settings import Settings
from rooftop.terminal.groups import LADDERS
from rooftop.terminal.output import FromOption, JsonOption, messages, print_document, say, tables
from rooftop.terminal.stored import StoreCommand

if TYPE_CHECKING:
    from rooftop.store.schema import ListedRow

GROUP = LADDERS

SCHEMA = "rooftop/list/1"
CAMPAIGNS_SCHEMA = "rooftop/campaigns/1"


def _status(modules: tuple[Module, ...]) -> dict[str, int]:
    return dict(Counter(module.status for module in modules))


def _entry(found: Found) -> dict[str, Any]:
    return {
        "name": found.name,
        "group": found.group,
        "title": found.declaration.title,
        "question": found.declaration.question,
        "rate_unit": found.declaration.rate_unit,
        "sizes": list(found.declaration.sizes),
        "rungs": [module.name for module in found.rungs],
        "peers": [module.name for module in found.peers],
        "status": _status(found.modules),
    }


def _table(found: list[Found]) -> Table:
    table = Table("experiment", "what it asks", "sizes", "rungs", "peers", "built", box=None, pad_edge=False)
    for one in found:
        built = sum(module.status == "built" for module in one.modules)
        table.add_row(
            one.name,
            one.declaration.question or one.declaration.title,
            " ".join(one.declaration.sizes),
            str(len(one.rungs)),
            str(len(one.peers)),
            f"{built} of {len(one.modules)}",
        )
    return table


def _state(row: ListedRow, under_way: str | None) -> str:
    if row.finished is not None:
        return "finished"
    if row.copying is not None:
        return "copied in part"
    return "running" if row.id == under_way else "interrupted"


def _list_campaigns(as_json: bool) -> None:
    from rooftop.machine.lock import campaign_under_way
    from rooftop.store.database import opened_database
    from rooftop.store.interrupted import campaigns, kind_of, subject
    from rooftop.store.place import is_there, place_of
    from rooftop.text.visible import on_one_line

    settings = Settings()
    place = place_of(settings)
    under_way = campaign_under_way(settings.home_folder)
    rows: list[dict[str, Any]] = []
    if is_there(place):
        with opened_database(place) as connection:
            rows = [
                {
                    "id": row.id,
                    "kind": kind_of(row),
                    "started": row.started,
                    "finished": row.finished,
                    "state": _state(row, under_way),
                    "samples": samples,
                    "subject": subject(row.request),
                }
                for row, samples in campaigns(connection)
            ]
    if as_json:
        print_document({"schema": CAMPAIGNS_SCHEMA, "campaigns": rows})
        return
    form = "{id}  {kind:<7}  {state:<11}  {samples:>6} samples  {subject}"
    if rows:  # all in one call: one for each line takes longer than to read the store
        tables().print("\n".join(on_one_line(form.format(**row)) for row in rows), highlight=False, soft_wrap=True)
    if any(row["state"] == "interrupted" for row in rows):
        messages().print("'rooftop KIND --resume ID' goes on with one that was interrupted", highlight=False)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command("list", cls=StoreCommand, help=__doc__, rich_help_panel=GROUP)
    def list_experiments(
        hidden: Annotated[
            bool, typer.Option("--hidden", help="Also show experiments whose names begin with _.")
        ] = False,
        folder: FromOption = None,
        campaigns: Annotated[
            bool, typer.Option("--campaigns", help="List campaigns instead: finished, interrupted and running.")
        ] = False,
        as_json: JsonOption = False,
    ) -> None:
        if campaigns:
            _list_campaigns(as_json)
            return
        place, refused = place_of(Settings(), folder), list[str]()
        found = place.find_all(place.names(hidden=hidden), refused.append)
        for reason in refused:
            say(messages(), f"rooftop: {reason}")
        if as_json:
            print_document({"schema": SCHEMA, "experiments": [_entry(one) for one in found], "refused": refused})
        else:
            _print(found)
        if refused:
            raise typer.Exit(errors.MISUSE)


def _print(found: list[Found]) -> None:
    """Print a table of each group."""
    console = tables()
    for group in sorted({one.group or "" for one in found}):
        if group:
            console.print(f"\n{group}  (climbed when named: 'rooftop climb {group}')", highlight=False)
        console.print(_table([one for one in found if (one.group or "") == group]))
