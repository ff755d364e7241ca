"""A comparison's figures in words: the ratio by the median, and by the mean where that differs."""

from __future__ import annotations

import math
from typing import Protocol

from rooftop.documents import Comparison
from rooftop.measure.swapping import QUESTIONS
from rooftop.text.plural import listed

_WIDER = 2.0  # times the median's interval
_PART = 0.25  # of the median's interval: about a standard error
_MATTERS = 0.02  # as a log-ratio


class Ratios(Protocol):
    """Speed ratios by the median and by the mean, each with its interval."""

    @property
    def ratio(self) -> float: ...
    @property
    def lo(self) -> float: ...
    @property
    def hi(self) -> float: ...
    @property
    def mean(self) -> float | None: ...
    @property
    def mean_lo(self) -> float | None: ...
    @property
    def mean_hi(self) -> float | None: ...


def mean_text(one: Ratios) -> str:
    """Return the ratio by the mean where it says something else than the median; empty where it does not.

    It does where it is another figure, or is known far less well.
    """
    if one.mean is None or one.mean_lo is None or one.mean_hi is None:
        return ""
    width, of_median = (math.log(hi / lo) for lo, hi in ((one.mean_lo, one.mean_hi), (one.lo, one.hi)))
    another = abs(math.log(one.mean / one.ratio)) > max(_MATTERS / 2, _PART * of_median)
    if not another and width <= max(_WIDER * of_median, 2 * _MATTERS):
        return ""
    return f", mean {one.mean:.4g}× [{one.mean_lo:.4g}, {one.mean_hi:.4g}]"


def ratios_text(one: Ratios) -> str:
    """Return the speed by the median with its interval, and by the mean where that differs."""
    return f"{one.ratio:.4g}× [{one.lo:.4g}, {one.hi:.4g}]{mean_text(one)}"


def where(one: Comparison) -> str:
    """Return in which of median, mean and distribution a verdict shows; empty where in all of them."""
    if not 0 < len(one.resolved) < len(QUESTIONS) or one.verdict == "not resolved":
        return ""
    return f" in {listed([f'the {question}' for question in one.resolved])}"
