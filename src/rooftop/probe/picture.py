"""Draw the machine's roofs and its memory mountain with text characters."""

from __future__ import annotations

import math
from collections.abc import Iterable

from rooftop.documents import Roof
from rooftop.text.quantities import quantity, size

_SHADES = "▁▂▃▄▅▆▇█"
_WIDTH = 56
_HEIGHT = 12
_LOWEST_INTENSITY = 2.0**-5  # flop/byte
_HIGHEST_INTENSITY = 2.0**7


def _best(roofs: Iterable[Roof]) -> Roof | None:
    return max(roofs, key=lambda roof: roof.value, default=None)


def roofline(roofs: list[Roof], threads: int, precision: str = "fp32") -> list[str]:
    """Draw the roofline on logarithmic axes; 1, 2, 3, M mark the cache level or memory that limits.

    Returns its lines; none if the FMA peak or all bandwidths are missing.
    """
    here = [roof for roof in roofs if roof.threads == threads]
    peak = _best(roof for roof in here if roof.metric == "fma" and roof.precision == precision)
    feeds = {
        level: found
        for level in ("L1", "L2", "L3", "L4", "memory")
        if (found := _best(roof for roof in here if roof.metric == "read" and roof.level == level)) is not None
    }
    if peak is None or not feeds:
        return []
    lowest = min(roof.value for roof in feeds.values()) * _LOWEST_INTENSITY
    decades = math.log(peak.value / lowest)
    if decades <= 0:
        return []
    grid = [[" "] * _WIDTH for _ in range(_HEIGHT)]
    span = math.log(_HIGHEST_INTENSITY / _LOWEST_INTENSITY)
    for level, roof in feeds.items():
        mark = "M" if level == "memory" else level[-1]
        for column in range(_WIDTH):
            intensity = _LOWEST_INTENSITY * math.exp(span * column / (_WIDTH - 1))
            reach = min(peak.value, roof.value * intensity)
            row = round((_HEIGHT - 1) * math.log(reach / lowest) / decades)
            grid[_HEIGHT - 1 - row][column] = "━" if reach >= peak.value else mark
    labels = [""] * _HEIGHT
    labels[0], labels[-1] = quantity(peak.value, peak.unit), quantity(lowest, peak.unit)
    lines = [f"{label:>12} ┤{''.join(row)}" for label, row in zip(labels, grid, strict=True)]
    ends = f"1/{round(1 / _LOWEST_INTENSITY)}", f"{_HIGHEST_INTENSITY:g} flop/byte"
    lines.append(f"{'':>12} └{'─' * _WIDTH}")
    lines.append(f"{'':>14}{ends[0]}{ends[1]:>{_WIDTH - len(ends[0])}}")
    key = "  ".join(
        f"{'M' if level == 'memory' else level[-1]} {level} {quantity(roof.value, roof.unit)}"
        for level, roof in feeds.items()
    )
    return [*lines, f"{'':>14}{key}"]


def mountain(roofs: list[Roof]) -> list[str]:
    """Draw read bandwidth by working set (to the right) and stride (downwards), on a logarithmic scale.

    Returns its lines; none if the probe has no figures.
    """
    heights = {
        (roof.detail["stride_bytes"], roof.bytes): roof.value
        for roof in roofs
        if roof.metric == "strided_read" and roof.bytes and isinstance(roof.detail.get("stride_bytes"), int)
    }
    if not heights:
        return []
    strides = sorted({stride for stride, _ in heights})
    sizes = sorted({working_set for _, working_set in heights})
    low, high = math.log(min(heights.values())), math.log(max(heights.values()))
    cell = 3
    lines = []
    for stride in strides:
        row = ""
        for working_set in sizes:
            value = heights.get((stride, working_set))
            share = 1.0 if value is None or high == low else (math.log(value) - low) / (high - low)
            row += (" " if value is None else _SHADES[min(7, int(share * 8))]) * cell
        lines.append(f"{f'stride {stride} B':>14} {row}")
    last = size(sizes[-1])
    width = cell * len(sizes)
    lines.append(f"{'':>15}{size(sizes[0])}{last:>{max(0, width - len(size(sizes[0])))}}")
    ends = f"▁ {quantity(math.exp(low), 'byte/s')} to █ {quantity(math.exp(high), 'byte/s')}"
    lines.append(f"{'':>15}{ends}, words read by one core")
    return lines
