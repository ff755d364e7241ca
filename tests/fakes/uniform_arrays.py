"""Arrays of random numbers to compute with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def uniform(*shape: int, seed: int = 1) -> NDArray[np.float32]:
    """Return data uniform in [-1, 1)."""
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)
