"""What a campaign is asked: its options."""

from __future__ import annotations

from pydantic.dataclasses import dataclass

from rooftop.command.request import MeasuredCommand
from rooftop.errors import Misuse


@dataclass(frozen=True)
class Options(MeasuredCommand):
    """What was asked: the command's words, and how it is measured. An option of the kind's own is a field here."""

    words: tuple[str, ...] = ()

    def prepared(self) -> Options:
        """Return itself. Raises Misuse where it cannot be measured."""
        if not self.words:
            raise Misuse("there is no command to time: rooftop template -- CMD")
        self.how.terms()
        return self
