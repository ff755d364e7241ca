"""Which decks are linear static ones of solids, told by their keywords alone, apart from the reader that is tried."""

from __future__ import annotations

import re
from pathlib import Path

_STEPS = """STATIC FREQUENCY HEATTRANSFER DYNAMIC BUCKLE VISCO CFD MODALDYNAMIC STEADYSTATEDYNAMICS NOANALYSIS
ELECTROMAGNETICS COMPLEXFREQUENCY GREEN SENSITIVITY SUBSTRUCTUREGENERATE COUPLEDTEMPERATURE-DISPLACEMENT
UNCOUPLEDTEMPERATURE-DISPLACEMENT"""
_PROCEDURES = frozenset(_STEPS.split())
# What makes a body nonlinear, or no body.
_NONLINEAR_WORDS = """PLASTIC HYPERELASTIC HYPERFOAM USERMATERIAL CREEP DEFORMATIONPLASTICITY CONTACTPAIR
CYCLICHARDENING GAP SUBMODEL"""
_NONLINEAR = frozenset(_NONLINEAR_WORDS.split())
_SOLIDS = re.compile(r"C3D(4|6|8|8I|8R|10|15|20|20R|20RI)")


def kind_of_deck(path: Path) -> str | None:
    """Return "" of a deck whose first step is linear and static on solids, what else it is of others; None: no step."""
    step, procedure, types, cards = "", "", set(), set()
    for line in path.read_text(encoding="latin-1").upper().split("\n"):
        if not line.startswith("*") or line.startswith("**"):
            continue
        card = re.sub(r"\s+", "", line[1:].split(",")[0])
        cards.add(card)
        if card == "STEP" and not step:
            step = line
        elif card in _PROCEDURES and step and not procedure:
            procedure = card
        elif card == "ELEMENT" and (found := re.search(r"TYPE\s*=\s*([A-Z0-9]+)", line)):
            types.add(found[1])
    if not step:
        return None
    others = sorted(one for one in types if not _SOLIDS.fullmatch(one))
    if procedure != "STATIC":
        return f"*{procedure or 'STEP alone'}"
    if "NLGEOM" in step:
        return "NLGEOM"
    if nonlinear := sorted(cards & _NONLINEAR):
        return f"*{nonlinear[0]}"
    return f"elements {others[0]}" if others else ""
