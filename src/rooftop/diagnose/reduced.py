"""A smaller run of a program, observed and cured in its place: what applies its cures to the whole program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rooftop.diagnose import cures
from rooftop.diagnose.cures import Cure, Start
from rooftop.diagnose.facts import Facts


def applied_to(found: Sequence[Cure], whole: Start, facts: Facts) -> list[Cure]:
    """Return cures that start the smaller run, each with the line that applies it to the whole program.

    whole  how the whole program is started: a cure that it does not have, such as one that it has already, is left out
    """
    lines = {cure.name: cure.line for cure in cures.cures([cure.name for cure in found], whole, facts, ())}
    return [replace(cure, line=lines[cure.name]) for cure in found if cure.name in lines]
