"""The networks that a lab in Python has to show: those of its function ``graph``, if it has one.

``graph(name)`` returns what a variant computes on: a graph of networkx whose nodes have their place in a picture as
"pos", and whose edges may have a width, "links".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from rooftop.ladder.discovery import Found

Place = tuple[float, float]


@dataclass(frozen=True)
class Network:
    """A graph as it is drawn.

    nodes  where they lie
    links  the ends of each, and how wide it is
    """

    name: str
    nodes: Sequence[Place]
    links: Sequence[tuple[Place, Place, float]]


def _network(name: str, graph: Any) -> Network:
    places = {node: (float(data["pos"][0]), float(data["pos"][1])) for node, data in graph.nodes(data=True)}
    links = [(places[a], places[b], float(data.get("links", 1))) for a, b, data in graph.edges(data=True)]
    return Network(name, list(places.values()), links)


def networks(lab: Found, names: Sequence[str]) -> list[Network]:
    """Return the networks of these variants, which have run here; none where the lab has none to show."""
    source = lab.rungs[0].source
    if not names or source.suffix != ".py" or "\ndef graph(" not in source.read_text(encoding="utf-8"):
        return []
    spec = spec_from_file_location(f"rooftop_lab_{lab.folder.name}", source)
    if spec is None or spec.loader is None:
        return []
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return [_network(name, module.graph(name)) for name in names]
