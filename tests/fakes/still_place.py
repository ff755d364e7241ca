"""A machine that never changes and a watcher that remembers, for comparisons and tunings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from still_machine import StillMachine

from rooftop.documents import Machine, Roof
from rooftop.measure.case_state import CaseState


class Place:
    """A machine that never changes."""

    def identity(self) -> Machine:
        return StillMachine().machine(None).model_copy(update={"roofs": []})

    def known_roofs(self, machine: Machine) -> list[Roof]:
        return StillMachine().machine(None).roofs

    def conditions(self) -> dict[str, Any]:
        return StillMachine().conditions()


@dataclass
class Watching:
    """Remembers what it is told; interrupts at a step by its text or its number if asked to."""

    interrupt_at: str | None = None
    interrupt_after: int | None = None
    steps: int = 0
    remarks: list[str] = field(default_factory=list)

    def remark(self, message: str) -> None:
        self.remarks.append(message)

    def progressed(self, case: CaseState, doing: str) -> None:
        self.steps += 1
        if doing == self.interrupt_at or self.steps == self.interrupt_after:
            raise KeyboardInterrupt
