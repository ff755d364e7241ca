"""What campaigns about one command are asked in the same form: their own options, and how the command is measured."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from rooftop.command.measurement import Measurement


@dataclass(frozen=True, kw_only=True)
class MeasuredCommand:
    """Base of such options. `how`: what a run is measured by and checked for, its limits, seed and budget."""

    how: Measurement = field(default_factory=Measurement)

    def measured(self, **changes: Any) -> Self:
        """Return it with other values of what `how` says."""
        return replace(self, how=replace(self.how, **changes))

    def stored(self) -> dict[str, Any]:
        """Return it as the store keeps it."""
        return asdict(self) | {"how": self.how.stored()}
