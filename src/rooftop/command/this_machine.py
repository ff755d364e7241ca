"""The real machine that comparisons run on."""

from __future__ import annotations

from typing import Any

from rooftop.documents import Machine


class ThisMachine:
    """See Place. Steal is counted from the first call of `conditions` on."""

    def __init__(self) -> None:
        from rooftop.surroundings import ThisMachine as Surrounding

        self._surroundings = Surrounding()

    def identity(self) -> Machine:
        """See Place."""
        from rooftop.machine import identity

        return Machine(**identity().fields())

    def conditions(self) -> dict[str, Any]:
        """See Place."""
        return self._surroundings.conditions()
