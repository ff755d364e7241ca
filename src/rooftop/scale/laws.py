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
    slopes      of the logarithm of the speed-up in each parameter: a row for each n
    """

    name: str
    title: str
    source: str
    modes: tuple[Mode, ...]
    parameters: tuple[str, ...]
    most: tuple[float, ...]
    speedup: Callable[[Floats, Floats], Floats]
    slopes: Callable[[Floats, Floats], Floats]

    def relative(self, workers: Floats, first: float, parameters: Floats) -> Floats:
        """Return the speed-up over `first` workers."""
        return self.speedup(workers, parameters) / self.speedup(np.array([first]), parameters)

    def relative_slopes(self, workers: Floats, first: float, parameters: Floats) -> Floats:
        """Return the slopes of the logarithm of the speed-up over `first` workers: a row for each number of them."""
        return self.slopes(workers, parameters) - self.slopes(np.array([first]), parameters)


def _amdahl(n: Floats, parameters: Floats) -> Floats:
    (serial,) = parameters
    return np.asarray(1.0 / (serial + (1.0 - serial) / n))


def _amdahl_slopes(n: Floats, parameters: Floats) -> Floats:
    (serial,) = parameters
    return np.asarray(-(1.0 - 1.0 / n) / (serial + (1.0 - serial) / n))[:, None]


def _gustafson(n: Floats, parameters: Floats) -> Floats:
    (serial,) = parameters
    return np.asarray(n - serial * (n - 1.0))


def _gustafson_slopes(n: Floats, parameters: Floats) -> Floats:
    (serial,) = parameters
    return np.asarray(-(n - 1.0) / (n - serial * (n - 1.0)))[:, None]


def _usl(n: Floats, parameters: Floats) -> Floats:
    contention, coherency = parameters
    return np.asarray(n / (1.0 + contention * (n - 1.0) + coherency * n * (n - 1.0)))


def _usl_slopes(n: Floats, parameters: Floats) -> Floats:
    contention, coherency = parameters
    grown = np.stack([n - 1.0, n * (n - 1.0)], axis=1)
    return np.asarray(-grown / (1.0 + grown @ np.array([contention, coherency]))[:, None])


_SERIAL = ("serial fraction",)
AMDAHL = Law("amdahl", "Amdahl", "Amdahl 1967", ("strong",), _SERIAL, (1.0,), _amdahl, _amdahl_slopes)
GUSTAFSON = Law("gustafson", "Gustafson", "Gustafson 1988", ("weak",), _SERIAL, (1.0,), _gustafson, _gustafson_slopes)
USL = Law(
    "usl",
    "Universal Scalability Law",
    "Gunther 2007",
    ("strong", "weak"),
    ("contention σ", "coherency κ"),
    (1.0, 1.0),
    _usl,
    _usl_slopes,
)
LAWS = (AMDAHL, GUSTAFSON, USL)


def peak(parameters: Floats) -> float:
    """Return the number of workers beyond which the Universal Scalability Law falls; infinite where it never does."""
    contention, coherency = parameters
    return math.sqrt(max(1.0 - contention, 0.0) / coherency) if coherency > 0 else math.inf
