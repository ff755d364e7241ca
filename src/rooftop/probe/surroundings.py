"""What a campaign asks of the machine that it runs on: identity, roofs and conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from rooftop.documents import Machine, Roof


class Surroundings(Protocol):
    """The machine, so that campaigns can be tested on one that never changes."""

    def identity(self) -> Machine:
        """Return what the machine is; its roofs are not asked for."""
        ...

    def known_roofs(self, machine: Machine) -> list[Roof]:
        """Return the roofs that are known of a machine; nothing is measured."""
        ...

    def machine(self, threads: int | None) -> Machine:
        """Return the machine with its roofs, from the cache or measured now."""
        ...

    def refresh_roofs(self, threads: int, *, messages: bool = False, quickest: bool = False) -> list[Roof]:
        """Measure the roofs that drift again, briefly.

        messages  what messages between ranks take, too
        quickest  only what takes a tenth of a second: clocks, and the way of a line from core to core
        """
        ...

    def refresh_device_roofs(self, folder: Path, threads: int) -> list[Roof]:
        """Measure cold reads on the file system of a folder, briefly."""
        ...

    def conditions(self) -> dict[str, Any]:
        """Return what holds now and could explain a number."""
        ...


class ThisMachine:
    """The real one. Steal and throttling are counted from its making on."""

    def __init__(self) -> None:
        from rooftop.machine.cgroup import ThrottleMeter
        from rooftop.machine.conditions import StealMeter
        from rooftop.machine.system_files import SystemFiles

        self._steal = StealMeter(SystemFiles())
        self._throttle = ThrottleMeter(SystemFiles())
        self._asked = False

    def identity(self) -> Machine:
        """See Surroundings."""
        from rooftop.machine import identity

        return Machine(**identity().fields())

    def known_roofs(self, machine: Machine) -> list[Roof]:
        """See Surroundings."""
        from rooftop.probe import known_device_roofs
        from rooftop.probe.cache import cache_file, load
        from rooftop.probe.lines import best
        from rooftop.settings import Settings

        cache, _ = load(cache_file(Settings().home_folder, machine.id), machine.id)
        return best(*(record.roofs for record in cache.probes.values()), known_device_roofs(machine.id))

    def machine(self, threads: int | None) -> Machine:
        """See Surroundings."""
        from rooftop.probe import machine

        return machine(quick=True, threads=threads)

    def refresh_roofs(self, threads: int, *, messages: bool = False, quickest: bool = False) -> list[Roof]:
        """See Surroundings."""
        from rooftop.probe import refresh_roofs

        return refresh_roofs(threads=threads, messages=messages, quickest=quickest)

    def refresh_device_roofs(self, folder: Path, threads: int) -> list[Roof]:
        """See Surroundings."""
        from rooftop.probe import refresh_device_roofs

        return refresh_device_roofs(folder, threads)

    def conditions(self) -> dict[str, Any]:
        """See Surroundings."""
        from rooftop.machine import conditions

        # Once asked, steal is known since then: at the end nobody waits for another interval.
        found = conditions(interval_s=0.0) if self._asked else conditions()
        if self._asked and isinstance(found.get("steal"), dict):
            found["steal"]["over_campaign"] = self._steal.fraction()
        if self._asked and isinstance(found.get("cgroup"), dict):
            found["cgroup"]["throttled_over_campaign"] = self._throttle.fraction()
        self._asked = True
        return found
