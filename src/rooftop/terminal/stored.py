"""The option --store of every command that keeps campaigns or reads them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rooftop.settings import store_at
from rooftop.terminal.trusting import FromCommand


def _store_option() -> Any:
    """Return --store as typer makes it; the function of the command does not get it: it is no part of a request."""
    alone = typer.Typer(add_completion=False)

    @alone.command()
    def take(
        store: Annotated[
            str | None,
            typer.Option(
                "--store",
                metavar="STORE",
                callback=store_at,
                help="Keep campaigns in this file, or in postgresql://USER@HOST/DATABASE. Default: ROOFTOP_STORE, "
                "or a file in ROOFTOP_HOME. A password is better in ~/.pgpass, where no list of processes shows it.",
            ),
        ] = None,
    ) -> None:
        pass

    option = typer.main.get_command(alone).params[0]
    option.expose_value = False
    return option


class StoreCommand(FromCommand):
    """Takes --store."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.append(_store_option())
