"""The option --trust of every command that has --from, and the question on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from rooftop.ladder.trust import Pack, answered_by
from rooftop.text.visible import visible


def ask_on_terminal(packs: Sequence[Pack]) -> bool:
    """Show what would run, and return whether it may; False where nobody can answer."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    told = [line for pack in packs for line in pack.lines]
    sys.stderr.write(visible("\n".join(["Code of others that has not run here as it is now:", *told])) + "\n")
    return typer.confirm("Build and run it, with all that you may do yourself?", default=False, err=True)


def _trust_option() -> Any:
    """Return --trust as typer makes it; the function of the command does not get it: it is no part of a request."""
    alone = typer.Typer(add_completion=False)

    @alone.command()
    def take(
        trust: Annotated[
            bool,
            typer.Option(
                "--trust",
                callback=lambda agreed: answered_by(lambda _: True) if agreed else None,
                help="Agree that the code in --from DIR runs. It is asked for once, and again when the code changes.",
            ),
        ] = False,
    ) -> None:
        pass

    option = typer.main.get_command(alone).params[0]
    option.expose_value = False
    return option


class FromCommand(TyperCommand):
    """Takes --trust where it takes --from."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if any("--from" in one.opts for one in self.params):
            self.params.append(_trust_option())

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """See Click's Command."""
        answered_by(ask_on_terminal)
        return super().parse_args(ctx, args)
