"""Model of a deck: parts and instances, materials, supports and the first step."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rooftop.solvers.elasticity.deck.cards import Card
from rooftop.solvers.elasticity.deck.materials import Material
from rooftop.solvers.elasticity.deck.space import Space


@dataclass
class Step:
    """A step.

    card       its *STEP
    procedure  card of the kind of analysis, such as *STATIC; None: not given
    cards      supports and loads, in the order of the deck
    """

    card: Card
    procedure: Card | None = None
    cards: list[Card] = field(default_factory=list)


@dataclass
class Deck:
    """Model of a deck.

    root        contents outside of parts: a whole deck without parts, or those of the assembly itself
    parts       parts by name
    instances   instances of parts by name
    materials   materials by name
    supports    *BOUNDARY cards before the first step
    steps       steps, of which only the first is solved
    warm        cards with temperatures
    initial     cards with initial stresses and plastic strains
    transforms  *TRANSFORM cards and the spaces of their nodes
    links       cards with constraints between displacements, and their spaces
    amplitudes  *AMPLITUDE cards by name
    """

    path: Path
    root: Space = field(default_factory=lambda: Space(""))
    parts: dict[str, Space] = field(default_factory=dict)
    instances: dict[str, Space] = field(default_factory=dict)
    materials: dict[str, Material] = field(default_factory=dict)
    supports: list[Card] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    warm: list[Card] = field(default_factory=list)
    initial: list[Card] = field(default_factory=list)
    transforms: list[tuple[Card, Space]] = field(default_factory=list)
    links: list[tuple[Card, Space]] = field(default_factory=list)
    amplitudes: dict[str, Card] = field(default_factory=dict)

    @property
    def spaces(self) -> list[Space]:
        """Spaces with nodes: the root and the instances."""
        return [self.root, *self.instances.values()]
