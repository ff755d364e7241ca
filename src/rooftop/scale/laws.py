"""Laws of scaling, each a function of the number of workers and its parameters.

Sources: Amdahl, Validity of the single processor approach to achieving large scale computing capabilities (1967);
Gustafson, Reevaluating Amdahl's law (1988); Gunther, Guerrilla Capacity Planning (2007), chapter 4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mode = Literal["strong", "weak"]


@dataclass(frozen=True)
class Law:
    """A law of scaling.

    modes       the ways of growing that it is about
    parameters  their names; each is at least 0 and at most its place in `most`
    speedup     of n workers over one, given n and the parameters
    """

    name: str
    title: str
    source: str
    modes: tuple[Mode, ...]
    parameters: tuple[str, ...]
    most: tuple[float, ...]
    speedup: Callable[[Floats, Floats], Floats]

    def relative(self, workers: Floats, first: float, parameters: Floats) -> Floats:
        """Return the speed-up over `first` workers."""
        return self.speedup(workers, parameters) / self.speedup(np.array([first]), parameters)


def _amdahl(n: Floats, parameters: Floats) -> Floats:
    (serial,) = parameters
    return np.asarray(1.0 / (serial + (1.0 - serial) / n))


def _gustafson(n: Floats, parameters: Floats) -> Floats:
    (serial,) = parameters
    return np.asarray(n - serial * (n - 1.0))


def _usl(n: Floats, parameters: Floats) -> Floats:
    contention, coherency = parameters
    return np.asarray(n / (1.0 + contention * (n - 1.0) + coherency * n * (n - 1.0)))


AMDAHL = Law("amdahl", "Amdahl", "Amdahl 1967", ("strong",), ("serial fraction",), (1.0,), _amdahl)
GUSTAFSON = Law("gustafson", "Gustafson", "Gustafson 1988", ("weak",), ("serial fraction",), (1.0,), _gustafson)
USL = Law(
    "usl",
    "Universal Scalability Law",
    "Gunther 2007",
    ("strong", "weak"),
    ("contention σ", "coherency κ"),
    (1.0, 1.0),
    _usl,
)
LAWS = (AMDAHL, GUSTAFSON, USL)


def peak(parameters: Floats) -> float:
    """Return the number of workers beyond which the Universal Scalability Law falls; infinite where it never does."""
    contention, coherency = parameters
    return math.sqrt(max(1.0 - contention, 0.0) / coherency) if coherency > 0 else math.inf
