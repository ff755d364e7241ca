"""Where the ranks of a program are on a platform: nodes are filled one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.errors import Misuse
from rooftop.simulate.platform import Platform
from rooftop.text.plural import plural

#: Rounds of a collective are counted one by one: a million are milliseconds, more are a slip.
MOST_RANKS = 4_000_000


@dataclass(frozen=True)
class Layout:
    """Ranks of so many threads each, `per_node` of them on a node.

    places  the node of each rank; None: nodes are filled one after the other, in the order of the ranks
    """

    platform: Platform
    ranks: int
    threads: int
    per_node: int
    places: tuple[int, ...] | None = None

    @property
    def node_of(self) -> Sequence[int]:
        """The node of each rank."""
        return self.places or [rank // self.per_node for rank in range(self.ranks)]

    @property
    def nodes(self) -> int:
        """Nodes that have ranks."""
        return -(-self.ranks // self.per_node)

    @property
    def crowd(self) -> int:
        """Ranks of the fullest node."""
        return min(self.ranks, self.per_node)

    @property
    def busy_cores(self) -> int:
        """Cores of the fullest node that compute."""
        return min(self.platform.node.cores, self.crowd * self.threads)

    @property
    def core_share(self) -> float:
        """Cores that a rank has, which are fewer than its threads where hardware threads share them."""
        return min(self.threads, self.platform.node.cores / self.crowd)


def laid_out(platform: Platform, ranks: int, threads: int = 1, per_node: int | None = None) -> Layout:
    """Return where ranks are; without `per_node`, as many on a node as it has cores for. Raises Misuse."""
    if not 1 <= ranks <= MOST_RANKS:
        raise Misuse(f"ranks is {ranks}, expected 1 to {MOST_RANKS}")
    if threads < 1:
        raise Misuse(f"threads is {threads}, expected 1 or more")
    node = platform.node
    places = node.cores * node.hardware_threads
    if threads > places:
        raise Misuse(f"threads is {threads}, and a node of this platform has {plural(places, 'hardware thread')}")
    most = places // threads
    if per_node is None:
        per_node = max(1, node.cores // threads)
        # Hardware threads beyond one of each core are used where there is no other place.
        if -(-ranks // per_node) > platform.nodes:
            per_node = most
    if not 1 <= per_node <= most:
        raise Misuse(
            f"ranks per node is {per_node}, and a node has places for 1 to {most} of {plural(threads, 'thread')}"
        )
    found = Layout(platform, ranks, threads, min(per_node, ranks))
    if found.nodes > platform.nodes:
        raise Misuse(
            f"{ranks} ranks of {plural(threads, 'thread')} take {plural(found.nodes, 'node')}, and the platform has "
            f"{platform.nodes}: expected at most {platform.nodes * per_node} ranks"
        )
    return found
