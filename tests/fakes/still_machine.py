"""Surroundings in which nothing ever changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rooftop.documents import Machine, Roof
from rooftop.machine.file_system import file_system_of


class StillMachine:
    """A machine with few, fixed roofs, and more where they are given."""

    def __init__(self, identity: str = "still", more: Sequence[Roof] = ()) -> None:
        self.id = identity
        self.more = more
        self.refreshed = 0

    def identity(self) -> Machine:
        return self.machine(None).model_copy(update={"roofs": []})

    def known_roofs(self, machine: Machine) -> list[Roof]:
        return self.machine(None).roofs

    def machine(self, threads: int | None) -> Machine:
        return Machine(
            id=self.id,
            processor="Paper",
            architecture="x86_64",
            cores=2,
            threads_per_core=1,
            numa_nodes=1,
            memory_bytes=1 << 34,
            caches=[
                {"level": "L1", "bytes": 48 << 10, "shared_by": 1},
                {"level": "L2", "bytes": 2 << 20, "shared_by": 1},
            ],
            roofs=[
                Roof(metric="fma", value=1e11, unit="flop/s", threads=2, isa="avx2", precision="fp32"),
                Roof(metric="read", value=1e11, unit="byte/s", threads=2, level="L1"),
                Roof(metric="read", value=1e10, unit="byte/s", threads=2, level="memory"),
                Roof(metric="timer", value=3e-8, unit="s"),
                *self.more,
            ],
        )

    def refresh_roofs(self, threads: int, *, messages: bool = False, quickest: bool = False) -> list[Roof]:
        self.refreshed += 1
        return [Roof(metric="fma", value=1.1e11, unit="flop/s", threads=2, isa="avx2", precision="fp32")]

    def refresh_device_roofs(self, folder: Path, threads: int) -> list[Roof]:
        name = file_system_of(folder).name
        return [
            Roof(metric=metric, value=value, unit=unit, threads=2, level="device", detail={"file_system": name})
            for metric, value, unit in (("file_read", 1e9, "byte/s"), ("file_random_read_direct", 1e4, "reads/s"))
        ]

    def conditions(self) -> dict[str, Any]:
        return {"load": [0.1, 0.1, 0.1], "steal": {"over_interval": 0.0}, "governor": None}
