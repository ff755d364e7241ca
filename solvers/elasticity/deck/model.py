"""Model of a deck: parts and instances, materials, supports and the first step."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rooftop.solvers.elasticity.deck.cards import Card
from rooftop.solvers.elasticity.deck.materials import Material
from rooftop.solvers.elasticity.deck.space import Space


@dataclass
class Step:
    """A step: what holds and loads the body in it, in the order of the deck.

    card       *STEP
    procedure  *STATIC, or what the step is instead; None: it does not say
    """

    card: Card
    procedure: Card | None = None
    cards: list[Card] = field(default_factory=list)


@dataclass
class Deck:
    """Model of a deck.

    root       what is in no part: the whole of a deck without parts, or what an assembly has itself
    instances  by name
    supports   *BOUNDARY before the first step
    steps      of which the first is solved
    warm       cards that give a temperature
    links      cards that tie displacements to others
    initial    cards that give stresses and plastic strains
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
        """Return what has nodes: the root and the instances."""
        return [self.root, *self.instances.values()]
