"""How experiments outside the tree were compiled, which their own CMakeLists.txt may decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rooftop.ladder.discovery import Found
from rooftop.ladder.location import BUILD
from rooftop.machine.conditions import build_conditions


def compiled(found: Sequence[Found]) -> dict[str, Any]:
    """Return compiler, flags and build as conditions hold them; where builds differ, each with its experiment's name.

    Nothing where no experiment has a build of its own.
    """
    told = {one.name: own for one in found if (own := build_conditions(one.folder / BUILD)) is not None}
    if not told:
        return {}
    first = next(iter(told.values()))
    joined: dict[str, Any] = {}
    for key, value in first.items():
        values = {name: own[key] for name, own in told.items()}
        if all(other == value for other in values.values()):
            joined[key] = value
        else:
            joined[key] = values if key == "build" else "; ".join(f"{name}: {said}" for name, said in values.items())
    return joined
