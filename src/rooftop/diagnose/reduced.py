"""Observe a smaller run in place of the command, and try cures on it; results say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rooftop.diagnose import cures
from rooftop.diagnose.cures import Cure, Start
from rooftop.diagnose.facts import Facts


def applied_to(found: Sequence[Cure], whole: Start, facts: Facts) -> list[Cure]:
    """Return cures that start the smaller run, each with the line that applies it to the whole program.

    A cure that the whole program does not have is left out: what it does to the smaller run helps nobody.

    whole  how the whole program is started
    """
    lines = {cure.name: cure.line for cure in cures.cures([cure.name for cure in found], whole, facts, ())}
    return [replace(cure, line=lines[cure.name]) for cure in found if cure.name in lines]
