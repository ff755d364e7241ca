"""Holds the measured peak against what a library reaches: a peak below a real program's rate is no peak."""

from __future__ import annotations

from collections.abc import Iterable

from rooftop.documents import Roof
from rooftop.text.quantities import quantity


def _highest(roofs: Iterable[Roof], metric: str, threads: int, precision: str | None) -> Roof | None:
    same = [roof for roof in roofs if (roof.metric, roof.threads, roof.precision) == (metric, threads, precision)]
    return max(same, key=lambda roof: roof.value, default=None)


def peaks_beaten(roofs: list[Roof]) -> list[str]:
    """Return one line for each precision and number of threads at which a library is faster than the FMA peak."""
    lines = []
    for gemm in [roof for roof in roofs if roof.metric == "gemm"]:
        peak = _highest(roofs, "fma", gemm.threads, gemm.precision)
        if peak is not None and gemm.value > peak.value:
            lines.append(
                f"{gemm.detail.get('library', 'a library')} multiplies {gemm.precision} matrices at "
                f"{quantity(gemm.value, gemm.unit)} on {gemm.threads} threads, above the measured FMA peak of "
                f"{quantity(peak.value, peak.unit)}: the peak was measured while something disturbed it; "
                "run rooftop probe --refresh on an idle machine"
            )
    return lines


def library_shares(roofs: list[Roof]) -> list[tuple[Roof, float]]:
    """Return each library figure with its share of the FMA peak, 1 being the peak."""
    found = []
    for gemm in [roof for roof in roofs if roof.metric == "gemm"]:
        peak = _highest(roofs, "fma", gemm.threads, gemm.precision)
        if peak is not None:
            found.append((gemm, gemm.value / peak.value))
    return found
