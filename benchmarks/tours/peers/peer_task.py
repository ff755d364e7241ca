"""What every peer here is given, as `PEER.py FILE SECONDS SEED`, and how it tells its tours: JSON, each on a line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.routing import Problem
from rooftop.solvers.running.stop import elapsed_s

_TYPE = re.compile(r"^EDGE_WEIGHT_TYPE\s*:\s*(\w+)", re.MULTILINE)


def distances(file: Path) -> NDArray[np.int64]:
    """Return all distances of a problem in the plane, [n][n], as TSPLIB rounds them: EUC_2D and ATT are known."""
    places = Problem.read(file).coordinates
    found = _TYPE.search(file.read_text(encoding="ascii", errors="replace"))
    kind = found[1] if found else "none"
    if places is None or kind not in ("EUC_2D", "ATT"):
        raise SystemExit(f"{file.name}: EDGE_WEIGHT_TYPE is {kind}, expected EUC_2D or ATT")
    squares = np.square(places[:, None, :] - places[None, :, :]).sum(axis=2)
    rounded = np.ceil(np.sqrt(squares / 10.0)) if kind == "ATT" else np.floor(np.sqrt(squares) + 0.5)
    return np.asarray(rounded, dtype=np.int64)


@dataclass(frozen=True)
class Task:
    """A problem's distances, the seconds from this process's start on, and the seed."""

    matrix: NDArray[np.int64]
    time_s: float
    seed: int

    @classmethod
    def given(cls) -> Task:
        """Take what the command line gives."""
        file, time_s, seed = sys.argv[1:]
        return cls(distances(Path(file)), float(time_s), int(seed))

    @property
    def left_s(self) -> float:
        """How much of the time is left."""
        return self.time_s - elapsed_s()


def tell(order: Iterable[int]) -> None:
    """Print a tour; the last one counts."""
    print(json.dumps([int(city) for city in order]), flush=True)
