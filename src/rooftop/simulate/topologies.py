"""How nodes are linked: each topology with its dimensions, and how many nodes these make.

Dimensions are those that SimGrid's clusters have, so that a platform can be exported without losing anything.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from rooftop.simulate.figures import Count, Described, Rate


class Crossbar(Described):
    """A link from each node to one switch.

    backbone_bytes_per_s  that all messages through the switch share; None: the switch limits nothing
    """

    topology: Literal["crossbar"]
    backbone_bytes_per_s: Rate | None = None

    @property
    def size(self) -> int | None:
        """Nodes that the dimensions make; None: any number."""
        return None


class Torus(Described):
    """A grid of any number of dimensions, closed in each: ``dimensions = [4, 4, 2]``."""

    topology: Literal["torus"]
    dimensions: Annotated[tuple[Count, ...], Field(min_length=1, max_length=8)]

    @property
    def size(self) -> int:
        """Nodes that the dimensions make."""
        return math.prod(self.dimensions)


class FatTree(Described):
    """A k-ary tree of switches, widest at the root; figures are by level, from the nodes up.

    down   how many below each switch
    up     how many switches above each below
    links  parallel links of each such pair
    """

    topology: Literal["fat_tree"]
    down: Annotated[tuple[Count, ...], Field(min_length=1, max_length=8)]
    up: Annotated[tuple[Count, ...], Field(min_length=1, max_length=8)]
    links: Annotated[tuple[Count, ...], Field(min_length=1, max_length=8)]

    @property
    def size(self) -> int:
        """Nodes that the dimensions make."""
        return math.prod(self.down)

    @model_validator(mode="after")
    def _levels(self) -> Self:
        if not len(self.down) == len(self.up) == len(self.links):
            raise ValueError(
                f"down, up and links have {len(self.down)}, {len(self.up)} and {len(self.links)} figures: "
                "expected one for each level"
            )
        return self


class Dragonfly(Described):
    """Groups, each pair of which has a link; a group is a grid of chassis and routers with links along both.

    routers          in each chassis
    nodes_per_router  that each router links
    *_links          parallel ones: between groups, between chassis of a group, between routers of a chassis
    """

    topology: Literal["dragonfly"]
    groups: Count
    chassis: Count
    routers: Count
    nodes_per_router: Count
    group_links: Count = 1
    chassis_links: Count = 1
    router_links: Count = 1

    @property
    def size(self) -> int:
        """Nodes that the dimensions make."""
        return self.groups * self.chassis * self.routers * self.nodes_per_router

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        # A router has one link to another group: router j of each group that to group j.
        if self.groups > self.chassis * self.routers:
            raise ValueError(
                f"groups is {self.groups}: expected at most the {self.chassis * self.routers} routers of a group "
                "(chassis x routers), each of which has the link to one other group"
            )
        return self


Topology = Annotated[Crossbar | Torus | FatTree | Dragonfly, Field(discriminator="topology")]
