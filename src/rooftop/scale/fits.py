"""Fit a law to measured speed-ups, with bootstrap intervals, and say what the fit does not support.

A block holds one run of every point, so resampling whole blocks keeps what its pairs share: the base, and the moment.
The percentiles are widened for small samples as a t interval is (Hesterberg, What Teachers Should Know about the
Bootstrap, 2015). They tell of noise; how far the law itself misses the points is told beside them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from pydantic import Field
from scipy import optimize, special

from rooftop.files.document import Document
from rooftop.scale.laws import USL, Floats, Law, peak

CONFIDENCE = 0.95
BEYOND = 2.0  # times the most workers measured: nothing is told or drawn further out
RESAMPLES = 500
_WIDEST = 0.5  # an interval of a parameter over more of its range than this says nothing
_WIDEST_AHEAD = 1.5  # nor does one of a speed-up ahead whose ends differ by more than this factor
_MISFIT = 0.1  # a law that misses the points by more than this, relative, is not followed beyond them
_APART = 4.0  # difference in AICc below which both laws are kept (Burnham and Anderson, 2002, section 2.6)
_DRAWN = 41


@dataclass(frozen=True)
class Measurements:
    """The data that a law is fitted to: correct points without oversubscription, the fewest workers first.

    workers  of each point
    logs     log speed-up over the curve's base, a row for each block and a column for each point; NaN where not taken
    """

    workers: Floats
    logs: Floats

    @property
    def distinct(self) -> int:
        """The number of worker counts."""
        return len(np.unique(self.workers))


class Interval(Document):
    """A figure with its 95 % interval; the ends are None where there are too few pairs for one."""

    value: float
    lo: float | None = None
    hi: float | None = None


class Estimate(Interval):
    """A fitted figure with its 95 % interval."""

    lo: float
    hi: float


class CurvePoint(Document):
    """Speed-up over the curve's base at a number of workers, with its 95 % band."""

    workers: float
    speedup: float
    lo: float
    hi: float


class LawResult(Document):
    """A law of scaling as fitted, or the reason why it was not."""

    law: str
    title: str
    source: str
    refused: str | None = None
    parameters: dict[str, Estimate] = Field(default_factory=dict)
    misfit: float | None = None  # relative root mean square deviation of the points from the law
    aicc: float | None = None  # Akaike's criterion for few points; None: too few points for it
    peak: Estimate | None = None  # workers at the largest speed-up, where its interval lies within BEYOND
    ahead: CurvePoint | None = None  # at BEYOND times the most workers measured
    not_ahead: str | None = None  # reason why nothing is said beyond those measured
    curve: list[CurvePoint] = Field(default_factory=list)


def refusal(law: Law, measurements: Measurements) -> str | None:
    """Return the reason not to fit a law; None where it can be fitted."""
    needed = len(law.parameters) + 2
    if measurements.distinct < needed:
        counts = measurements.distinct
        return (
            f"{counts} distinct worker count{'' if counts == 1 else 's'} with a time and a core for each worker, "
            f"expected at least {needed} for {len(law.parameters)} parameter{'' if needed == 3 else 's'}"
        )
    return None


def fit(law: Law, measurements: Measurements, seed: int, resamples: int | None = None) -> LawResult:
    """Fit a law; see LawResult. The same seed gives the same intervals."""
    result = LawResult(law=law.name, title=law.title, source=law.source, refused=refusal(law, measurements))
    if result.refused is not None:
        return result
    workers, middle = measurements.workers, _median(measurements.logs)
    best = _least(law, workers, middle, None)
    resampled = _resampled(law, measurements, best, seed, resamples or RESAMPLES)
    levels = _levels(len(measurements.logs))
    ends = np.quantile(resampled.parameters, levels, axis=0)
    result.parameters = {
        name: Estimate(value=value, lo=min(lo, value), hi=max(hi, value))
        for name, value, lo, hi in zip(law.parameters, best, *ends, strict=True)
    }
    missed = _residuals(law, workers, middle, best)[1:]  # at the first point there is nothing to miss
    result.misfit, result.aicc = math.sqrt(float(np.mean(missed**2))), _aicc(missed, len(law.parameters))
    most = float(workers.max())

    def drawn(at: Floats) -> list[CurvePoint]:
        return _draw(law, workers[0], at, middle[0], best, resampled, levels)

    (ahead,) = drawn(np.array([BEYOND * most]))
    result.not_ahead = _not_ahead(result.parameters, ahead, result.misfit, most)
    result.ahead = None if result.not_ahead else ahead
    result.peak = _peak(law, best, resampled, levels, BEYOND * most)
    result.curve = drawn(np.geomspace(workers[0], most if result.not_ahead else BEYOND * most, _DRAWN))
    return result


def preferred(fits: list[LawResult]) -> tuple[str | None, str]:
    """Return the law with the better fit, or None if neither is clearly better, and a sentence about it."""
    made = [one for one in fits if one.refused is None]
    if len(made) < 2:
        return None, "nothing to tell apart: fewer than two laws were fitted"
    ranked = sorted((one.aicc, one.law, one.title) for one in made if one.aicc is not None)
    if len(ranked) < len(made):
        return None, "the laws are not told apart: too few points for the number of parameters"
    (least, law, title), (second, *_) = ranked[:2]
    apart = second - least
    if apart < _APART:
        return None, f"the laws are not told apart: AICc differs by {apart:.2g}, expected at least {_APART:.0f}"
    return law, f"{title} describes the points better: AICc is lower by {apart:.3g}"


# --- the fit itself ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Resampled:
    parameters: Floats  # a row for each resample
    start: Floats  # log speed-up of the first point in it


def _residuals(law: Law, workers: Floats, logs: Floats, parameters: Floats) -> Floats:
    return np.asarray(np.log(law.relative(workers, workers[0], parameters)) - (logs - logs[0]))


def _median(logs: Floats) -> Floats:
    """Return the median of each point. NumPy's for what has gaps is the slower one, also where there are none."""
    return np.asarray(np.nanmedian(logs, axis=0) if np.isnan(logs).any() else np.median(logs, axis=0))


def _least(law: Law, workers: Floats, logs: Floats, start: Floats | None) -> Floats:
    """Return the parameters of least squares in the logarithm of the speed-up, within their bounds."""
    most = np.array(law.most)
    begin = np.full(len(most), 1e-3) if start is None else start

    def missed(parameters: Floats) -> Floats:
        return _residuals(law, workers, logs, parameters)

    def slopes(parameters: Floats) -> Floats:
        return law.relative_slopes(workers, workers[0], parameters)

    found = optimize.least_squares(
        missed,
        np.clip(begin, 0.0, most),
        slopes,
        bounds=(np.zeros(len(most)), most),
        method="dogbox",
        x_scale=np.array([0.1, 0.01])[: len(most)],
        xtol=1e-7,
        ftol=1e-9,
    )
    return np.asarray(found.x)


def _resampled(law: Law, measurements: Measurements, best: Floats, seed: int, count: int) -> _Resampled:
    """Fit again to blocks drawn with replacement. A draw in which a point has no block at all is drawn again."""
    rng = np.random.default_rng(seed)
    blocks = len(measurements.logs)
    parameters: list[Floats] = []
    starts: list[float] = []
    while len(parameters) < count:
        drawn = measurements.logs[rng.integers(blocks, size=blocks)]
        if np.isnan(drawn).all(axis=0).any():
            continue
        logs = _median(drawn)
        parameters.append(_least(law, measurements.workers, logs, best))
        starts.append(float(logs[0]))
    return _Resampled(np.array(parameters), np.array(starts))


def _levels(blocks: int) -> tuple[float, float]:
    """Return the percentiles of the interval's ends, further out for few blocks."""
    freedom = max(blocks - 1, 1)
    reach = math.sqrt(blocks / freedom) * float(special.stdtrit(freedom, 0.5 + CONFIDENCE / 2))
    tail = float(special.ndtr(-reach))
    return tail, 1.0 - tail


def _draw(
    law: Law, first: float, at: Floats, start: float, best: Floats, resampled: _Resampled, levels: tuple[float, float]
) -> list[CurvePoint]:
    """Return the curve over the curve's base, with the band of the resamples."""
    line = math.exp(start) * law.relative(at, first, best)
    pairs = zip(resampled.parameters, resampled.start, strict=True)
    lines = np.array([math.exp(own) * law.relative(at, first, parameters) for parameters, own in pairs])
    lo, hi = np.quantile(lines, levels, axis=0)
    return [
        CurvePoint(workers=n, speedup=s, lo=min(a, s), hi=max(b, s))
        for n, s, a, b in zip(at, line, lo, hi, strict=True)
    ]


def _not_ahead(estimates: dict[str, Estimate], ahead: CurvePoint, misfit: float, most: float) -> str | None:
    """Return the reason to say nothing beyond the workers measured."""
    for name, one in estimates.items():
        if one.hi - one.lo > _WIDEST:
            return f"not followed beyond {most:g} workers: its {name} lies anywhere in [{one.lo:.2g}, {one.hi:.2g}]"
    if misfit > _MISFIT:
        return f"not followed beyond {most:g} workers: it deviates from the points by {misfit:.0%}"
    if ahead.hi > _WIDEST_AHEAD * ahead.lo:
        return (
            f"not followed beyond {most:g} workers: at {ahead.workers:g} the speed-up lies anywhere in "
            f"[{ahead.lo:.3g}, {ahead.hi:.3g}]"
        )
    return None


def _peak(law: Law, best: Floats, resampled: _Resampled, levels: tuple[float, float], most: float) -> Estimate | None:
    if law is not USL or peak(best) > most:
        return None
    peaks = np.sort([peak(parameters) for parameters in resampled.parameters])
    # Infinite peaks cannot be interpolated between: the next one outwards is taken.
    low = float(peaks[math.floor(levels[0] * (len(peaks) - 1))])
    high = float(peaks[math.ceil(levels[1] * (len(peaks) - 1))])
    value = peak(best)
    return Estimate(value=value, lo=min(low, value), hi=max(high, value)) if high <= most and low > 1.0 else None


def _aicc(missed: Floats, parameters: int) -> float | None:
    """Return Akaike's criterion, corrected for few points, of normal deviations; None where it does not exist."""
    count, free = len(missed), parameters + 1  # the deviations' own size is estimated too
    if count <= free + 1:
        return None
    mean_square = max(float(np.mean(missed**2)), 1e-12)
    return count * math.log(mean_square) + 2 * free + 2 * free * (free + 1) / (count - free - 1)
