"""Busy threads run on more than one memory node, away from where their data was first touched."""

from collections.abc import Iterator

from rooftop.pin.findings import Ground, Placement, made
from rooftop.text.plural import some

ORDER = 70

_CROSSES = 0.05  # of a thread's running time was spent away from its own node


def find(ground: Ground) -> Iterator[Placement]:
    if ground.places.nodes < 2:
        return
    found = []
    for story in ground.scene.busy:
        by_node: dict[int, float] = {}
        for cpu, share in story.shares.items():
            node = ground.places.node.get(cpu, 0)
            by_node[node] = by_node.get(node, 0.0) + share
        if 1 - max(by_node.values(), default=1.0) >= _CROSSES:
            found.append((story, by_node))
    if found:
        told = []
        for story, by_node in found:
            shares = sorted(by_node.items(), key=lambda one: -one[1])
            told.append(f"{story.name} ran " + ", ".join(f"{share:.0%} on node {node}" for node, share in shares))
        yield made(
            "crossing",
            [story for story, _ in found],
            {cpu for story, _ in found for cpu in story.shares},
            some(told),
            "bind every thread to a core, and have it touch its data first",
        )
