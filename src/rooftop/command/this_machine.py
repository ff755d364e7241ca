"""The real machine that comparisons run on."""

from __future__ import annotations

from typing import Any

from rooftop.documents import Machine, Roof


class ThisMachine:
    """See Place. Steal is counted from the first call of `conditions` on."""

    def __init__(self) -> None:
        from rooftop.surroundings import ThisMachine as Surrounding

        self._surroundings = Surrounding()

    def identity(self) -> Machine:
        """See Place."""
        from rooftop.machine import identity

        return Machine(**identity().fields())

    def known_roofs(self, machine: Machine) -> list[Roof]:
        """See Place."""
        from rooftop.probe.cache import cache_file, load
        from rooftop.probe.merging import best
        from rooftop.settings import Settings

        cache, _ = load(cache_file(Settings().home_folder, machine.id), machine.id)
        return best(*(record.roofs for record in cache.probes.values()))

    def conditions(self) -> dict[str, Any]:
        """See Place."""
        return self._surroundings.conditions()
