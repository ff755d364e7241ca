"""The groups in which ``rooftop --help`` lists the commands."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

YOUR_PROGRAMS = "Your programs"
LADDERS = "Reference ladders"
SOLVERS = "Solvers"
MACHINE = "This machine"
_ORDER = (YOUR_PROGRAMS, LADDERS, SOLVERS, MACHINE)


class GroupedCommands(TyperGroup):
    """Lists commands group by group."""

    def list_commands(self, ctx: Any) -> list[str]:
        """See Click's Group."""

        def group(name: str) -> int:
            panel = getattr(self.commands[name], "rich_help_panel", None)
            return _ORDER.index(panel) if panel in _ORDER else len(_ORDER)

        return sorted(self.commands, key=lambda name: (group(name), name))
