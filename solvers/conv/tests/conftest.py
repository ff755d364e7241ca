"""What the solver's Python tests share: the library, and a direct convolution in double precision."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rooftop.errors import NotBuilt
from rooftop.solvers.conv import library as conv_library


@pytest.fixture(scope="session")
def library() -> None:
    """Skips what needs the solver where it is not built."""
    try:
        conv_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def direct(x: NDArray[np.float32], w: NDArray[np.float32], padding: int = 0) -> NDArray[np.float64]:
    """Convolve in double precision, tap by tap."""
    padded = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    out_h, out_w = padded.shape[2] - 2, padded.shape[3] - 2
    y = np.zeros((x.shape[0], w.shape[0], out_h, out_w))
    for r in range(3):
        for s in range(3):
            y += np.einsum(
                "nchw,kc->nkhw", padded[:, :, r : r + out_h, s : s + out_w], w[:, :, r, s].astype(np.float64)
            )
    return y
