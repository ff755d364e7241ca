"""Default free speeds of links by road type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rooftop.solvers.network.rows import DEFAULT_KM_H, Link

# Free speeds in km/h by road type, as in osm2gmns (user guide, default_speed_dict).
_KM_H = {"motorway": 120, "trunk": 100, "primary": 80, "secondary": 60, "tertiary": 40, "residential": 30}
_KM_H |= {"living_street": 30, "service": 30, "track": 30, "unclassified": 30, "cycleway": 5, "footway": 5}
_KM_H |= {"connector": 120}


def _known_type(link: Link) -> str | None:
    for name in (link.facility_type, link.link_type_name):
        road = (name or "").lower().removesuffix("_link")  # a ramp counts as its road
        if road in _KM_H:
            return road
    return None


def free_speed_km_h(link: Link, unit_km_h: float) -> float:
    """Return a link's free speed in km/h. `unit_km_h` is the table's unit of speed."""
    if "free_speed" in link.model_fields_set:
        return link.free_speed * unit_km_h
    road = _known_type(link)
    return DEFAULT_KM_H if road is None else _KM_H[road]


def free_speed_remark(path: Path, links: Sequence[Link]) -> str | None:
    """Return a remark on the speeds assumed for links without one, or None if all links have one."""
    missing = Counter(_known_type(link) for link in links if "free_speed" not in link.model_fields_set)
    if not missing:
        return None
    taken = [f"{_KM_H[road]} km/h ({count} {road})" for road, count in missing.items() if road is not None]
    if others := missing[None]:
        taken.append(f"{DEFAULT_KM_H:g} km/h" + (f" ({others} others)" if taken else ""))
    return f"{path}: {missing.total()} of {len(links)} links have no free_speed; assumed {', '.join(taken)}"
