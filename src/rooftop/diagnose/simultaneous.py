"""What the seconds of one process are of a run in which several processes work at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def shares(spans: Sequence[tuple[int, int]]) -> list[float]:
    """Return the share of each process: the mean over its span of 1 / n, where n processes are in theirs.

    spans  begin and end of each, by one clock

    The lengths of the spans, each times its share, add up to the time in which there is any process.
    """
    if not spans:
        return []
    began, ended = np.array(spans, dtype=np.float64).T
    moments = np.unique(np.concatenate([began, ended]))
    at_once = np.searchsorted(np.sort(began), moments, "right") - np.searchsorted(np.sort(ended), moments, "right")
    passed = np.concatenate([[0.0], np.cumsum(np.diff(moments) / np.maximum(at_once[:-1], 1))])
    own = passed[np.searchsorted(moments, ended)] - passed[np.searchsorted(moments, began)]
    lengths = ended - began
    return [float(part / length) if length > 0 else 1.0 for part, length in zip(own, lengths, strict=True)]
