"""Pairs of costs with given ratios, for tests of statistics."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rooftop.measure.pairs import Pairs


def pairs_from_ratios(log_ratios: Sequence[float]) -> Pairs:
    """Return pairs with these log-ratios, whose other side always costs 1."""
    return Pairs(tuple(math.exp(-one) for one in log_ratios), (1.0,) * len(log_ratios))
