"""Read a deck's cards and assign them to parts, instances, materials and steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rooftop.solvers.elasticity.deck import reading_mesh
from rooftop.solvers.elasticity.deck.cards import Card, read_cards, shown
from rooftop.solvers.elasticity.deck.effects import NO_EFFECT, OTHER_SECTIONS, OTHER_STEPS
from rooftop.solvers.elasticity.deck.generation import GENERATORS
from rooftop.solvers.elasticity.deck.instances import place_of_instance
from rooftop.solvers.elasticity.deck.materials import Material, read_density, read_elastic
from rooftop.solvers.elasticity.deck.model import Deck, Step
from rooftop.solvers.elasticity.deck.space import Space

_OF_SPACES: dict[str, Callable[[Card, Space], None]] = {
    "NODE": reading_mesh.read_nodes,
    "ELEMENT": reading_mesh.read_elements,
    "NSET": reading_mesh.read_set,
    "ELSET": reading_mesh.read_set,
    "SURFACE": reading_mesh.read_surface,
    "SOLIDSECTION": reading_mesh.read_solid_section,
    "ORIENTATION": reading_mesh.read_orientation,
    **dict.fromkeys(OTHER_SECTIONS, reading_mesh.read_other_section),
    **GENERATORS,
}
_LOADS = {"BOUNDARY", "CLOAD", "DLOAD", "DSLOAD"}
_LINKS = {"COUPLING", "EQUATION", "KINEMATIC", "MPC", "TIE", "RIGIDBODY", "PRE-TENSIONSECTION"}
_OF_STEP = {
    "NAME", "NLGEOM", "INC", "INCF", "PERTURBATION", "AMPLITUDE", "AMP", "EXTRAPOLATION", "UNSYMM", "CONVERTSDI",
    "SOLVER",
}  # fmt: skip
_OF_STATIC = ("DIRECT", "SOLVER", "TIMERESET", "TOTALTIMEATSTART")


class _Reader:
    """Assign cards to the deck, one after another."""

    def __init__(self, path: Path) -> None:
        self.deck = Deck(path)
        self.part: Space | None = None
        self.instance: Space | None = None
        self.assembly = False
        self.material: Material | None = None
        self.step: Step | None = None
        self.opened: list[Card] = []  # open *PART, *ASSEMBLY, *INSTANCE and *STEP cards

    @property
    def space(self) -> Space:
        return self.instance or self.part or self.deck.root

    def take(self, card: Card) -> None:
        """Process a card. Raises Misuse for an unknown one that could change the model."""
        handler = getattr(self, f"_{card.keyword.lower()}", None) if card.keyword.isalpha() else None
        if handler is not None and card.keyword in _HANDLED:
            handler(card)
        elif card.keyword in _OF_SPACES:
            self.material = None
            _OF_SPACES[card.keyword](card, self.space)
        elif card.keyword in _LOADS:
            self._load(card)
        elif card.keyword in _LINKS and self.step is None:
            self._link(card)
        elif card.keyword in OTHER_STEPS and self.step is not None:
            self.step.procedure = self.step.procedure or card
        elif card.keyword not in NO_EFFECT:
            self._other(card)

    def _other(self, card: Card) -> None:
        """Raise Misuse for an unknown card, unless it belongs to a step that is not solved."""
        if self.step is not None and (len(self.deck.steps) > 1 or self._is_of_another_kind()):
            self.step.cards.append(card)  # if this is the first step, its kind is rejected later
            return
        raise card.refused("is not supported and may change the model; expected a deck without it")

    def _is_of_another_kind(self) -> bool:
        return self.step is not None and self.step.procedure is not None and self.step.procedure.keyword != "STATIC"

    def _open(self, card: Card, *within: str) -> None:
        there = [one.keyword for one in self.opened]
        if there != list(within):
            inside = f"inside {self.opened[-1].name} of line {self.opened[-1].line.number}" if there else "outside"
            raise card.refused(f"is {inside}; expected it {'inside *' + within[-1] if within else 'at the top level'}")
        self.opened.append(card)
        self.material = None

    def _close(self, card: Card, keyword: str) -> None:
        if not self.opened or self.opened[-1].keyword != keyword:
            raise card.refused(f"has no open *{keyword}; expected *{keyword} before it")
        self.opened.pop()
        self.material = None

    def _part(self, card: Card) -> None:
        self._open(card)
        name = card.required("NAME")
        if name in self.deck.parts:
            raise card.refused(f"{shown(name)} is defined twice; expected different names")
        self.part = self.deck.parts[name] = Space(name)

    def _endpart(self, card: Card) -> None:
        self._close(card, "PART")
        self.part = None

    def _assembly(self, card: Card) -> None:
        self._open(card)
        self.assembly = True

    def _endassembly(self, card: Card) -> None:
        self._close(card, "ASSEMBLY")

    def _instance(self, card: Card) -> None:
        self._open(card, "ASSEMBLY")
        card.require_only("NAME", "PART")
        name, part = card.required("NAME"), card.required("PART")
        if part not in self.deck.parts:
            raise card.refused(
                f"has part {shown(part)}, which is not defined; expected one of {_names(self.deck.parts)}"
            )
        if name in self.deck.instances:
            raise card.refused(f"{shown(name)} is defined twice; expected different names")
        self.instance = self.deck.instances[name] = self.deck.parts[part].placed(name, *place_of_instance(card))

    def _endinstance(self, card: Card) -> None:
        self._close(card, "INSTANCE")
        self.instance = None

    def _material(self, card: Card) -> None:
        card.require_only("NAME")
        self.material = self.deck.materials[card.required("NAME")] = Material(card)

    def _elastic(self, card: Card) -> None:
        read_elastic(card, self._of_material(card))

    def _density(self, card: Card) -> None:
        read_density(card, self._of_material(card))

    def _of_material(self, card: Card) -> Material:
        if self.material is None:
            raise card.refused("belongs to no material; expected *MATERIAL before it")
        return self.material

    def _expansion(self, card: Card) -> None:
        self._of_material(card).expands = card

    def _amplitude(self, card: Card) -> None:
        self.deck.amplitudes[card.required("NAME")] = card

    def _transform(self, card: Card) -> None:
        self._require_no_part(card)
        self.deck.transforms.append((card, self.space))

    def _link(self, card: Card) -> None:
        self._require_no_part(card)
        self.material = None
        self.deck.links.append((card, self.space))

    def _require_no_part(self, card: Card) -> None:
        if self.part is not None:
            raise card.refused("in a *PART is not supported; expected it in the *ASSEMBLY, or a deck without parts")

    def _initialconditions(self, card: Card) -> None:
        kind = card.get("TYPE")
        if kind == "TEMPERATURE":
            self.deck.warm.append(card)
        elif kind in ("STRESS", "PLASTICSTRAIN"):
            if "USER" in card.parameters:
                raise card.refused("with USER calls a subroutine, which is not supported; expected values")
            self.deck.initial.append(card)
        else:
            raise card.refused(f"with TYPE={kind} is not supported; expected TEMPERATURE, STRESS or PLASTIC STRAIN")

    def _temperature(self, card: Card) -> None:
        if len(self.deck.steps) <= 1:
            self.deck.warm.append(card)

    def _restart(self, card: Card) -> None:
        if "READ" in card.parameters:
            raise card.refused("with READ continues another deck, which is not supported; expected the whole model")

    def _load(self, card: Card) -> None:
        if self.step is not None:
            self.step.cards.append(card)
        elif card.keyword == "BOUNDARY":
            self.deck.supports.append(card)
        else:
            raise card.refused("is before the first *STEP; expected it in a step")

    def _step(self, card: Card) -> None:
        self._open(card)
        self.step = Step(card)
        self.deck.steps.append(self.step)
        if len(self.deck.steps) == 1:
            card.require_only(*sorted(_OF_STEP))
            if card.get("NLGEOM") in ("", "YES"):
                raise card.refused("with NLGEOM is a nonlinear step, which is not supported; expected a linear one")

    def _static(self, card: Card) -> None:
        if self.step is None:
            raise card.refused("is outside of a step; expected *STEP before it")
        if len(self.deck.steps) == 1:
            card.require_only(*_OF_STATIC)
        self.step.procedure = self.step.procedure or card

    def _endstep(self, card: Card) -> None:
        self._close(card, "STEP")
        self.step = None

    def end(self) -> Deck:
        """Return the deck. Raises Misuse for a part, instance or assembly that does not end."""
        if self.opened and self.opened[-1].keyword != "STEP":
            card = self.opened[-1]
            raise card.refused(f"does not end; expected *END {card.keyword}")
        return self.deck


_HANDLED = frozenset(
    [
        "PART",
        "ENDPART",
        "ASSEMBLY",
        "ENDASSEMBLY",
        "INSTANCE",
        "ENDINSTANCE",
        "MATERIAL",
        "ELASTIC",
        "DENSITY",
        "EXPANSION",
        "AMPLITUDE",
        "TRANSFORM",
        "INITIALCONDITIONS",
        "TEMPERATURE",
        "RESTART",
        "STEP",
        "STATIC",
        "ENDSTEP",
    ]
)


def _names(found: dict[str, Space]) -> str:
    return ", ".join(sorted(found)) or "none: the deck has no parts"


def read_deck(path: Path) -> Deck:
    """Read a deck. Raises Misuse, naming the file, the line and the keyword."""
    reader = _Reader(path)
    for card in read_cards(path):
        reader.take(card)
    return reader.end()
