"""The machine as a campaign sees it: identity, roofs and conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from rooftop.documents import Machine, Roof


class Surroundings(Protocol):
    """Interface to the machine, so that tests can replace it by one that never changes."""

    def identity(self) -> Machine:
        """Return the machine without roofs."""
        ...

    def known_roofs(self, machine: Machine) -> list[Roof]:
        """Return the cached roofs of a machine. Nothing is measured."""
        ...

    def machine(self, threads: int | None) -> Machine:
        """Return the machine with its roofs, measured if they are not cached."""
        ...

    def refresh_roofs(self, threads: int, *, messages: bool = False, quickest: bool = False) -> list[Roof]:
        """Measure the roofs that drift again, briefly.

        messages  whether to measure messages between ranks too
        quickest  measure only clocks and core-to-core latency, in 0.1 s
        """
        ...

    def refresh_device_roofs(self, folder: Path, threads: int) -> list[Roof]:
        """Measure cold reads from the file system of a folder, briefly."""
        ...

    def conditions(self) -> dict[str, Any]:
        """Return the current conditions, which may explain a measurement."""
        ...


class ThisMachine:
    """The real machine. Steal and throttling are counted from the creation of the object."""

    def __init__(self) -> None:
        from rooftop.machine.cgroup import ThrottleMeter
        from rooftop.machine.conditions import StealMeter
        from rooftop.machine.system_files import SystemFiles

        self._steal = StealMeter(SystemFiles())
        self._throttle = ThrottleMeter(SystemFiles())
        self._asked = False

    def identity(self) -> Machine:
        from rooftop.machine import identity

        return Machine(**identity().fields())

    def known_roofs(self, machine: Machine) -> list[Roof]:
        from rooftop.probe import known_device_roofs
        from rooftop.probe.cache import cache_file, load
        from rooftop.probe.lines import best
        from rooftop.settings import Settings

        cache, _ = load(cache_file(Settings().home_folder, machine.id), machine.id)
        return best(*(record.roofs for record in cache.probes.values()), known_device_roofs(machine.id))

    def machine(self, threads: int | None) -> Machine:
        from rooftop.probe import machine

        return machine(quick=True, threads=threads)

    def refresh_roofs(self, threads: int, *, messages: bool = False, quickest: bool = False) -> list[Roof]:
        from rooftop.probe import refresh_roofs

        return refresh_roofs(threads=threads, messages=messages, quickest=quickest)

    def refresh_device_roofs(self, folder: Path, threads: int) -> list[Roof]:
        from rooftop.probe import refresh_device_roofs

        return refresh_device_roofs(folder, threads)

    def conditions(self) -> dict[str, Any]:
        from rooftop.machine import conditions

        # After the first call, steal is counted since then, without waiting for another interval.
        found = conditions(interval_s=0.0) if self._asked else conditions()
        if self._asked and isinstance(found.get("steal"), dict):
            found["steal"]["over_campaign"] = self._steal.fraction()
        if self._asked and isinstance(found.get("cgroup"), dict):
            found["cgroup"]["throttled_over_campaign"] = self._throttle.fraction()
        self._asked = True
        return found
