"""fp32 3x3 convolution with stride 1 on NumPy arrays: what ``rooftop.solvers.conv`` offers."""

from __future__ import annotations

from rooftop.solvers.conv import (
    Accuracy,
    Algorithm,
    ConvArgumentError,
    ConvPlan,
    FilterForm,
    Floats,
    Layout,
    Padding,
    conv2d,
    empty,
    from_blocked,
    to_blocked,
)

__all__ = [
    "Accuracy",
    "Algorithm",
    "ConvArgumentError",
    "ConvPlan",
    "FilterForm",
    "Floats",
    "Layout",
    "Padding",
    "conv2d",
    "empty",
    "from_blocked",
    "to_blocked",
]
