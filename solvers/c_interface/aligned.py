"""Memory on the boundary that the solvers ask for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ALIGNMENT = 64  # bytes


def aligned_bytes(count: int) -> NDArray[np.uint8]:
    """Return uninitialised bytes on a 64-byte boundary."""
    memory = np.empty(count + ALIGNMENT, dtype=np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + count]
