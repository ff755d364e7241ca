"""A measured figure as people read it."""

from __future__ import annotations


def figure(value: float, unit: str) -> str:
    """Return a value with its unit, scaled to be read."""
    if unit == "s":
        for scale, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
            if value >= scale or scale == 1e-9:
                return f"{value / scale:.4g} {name}"
    if unit == "B":
        return f"{value / 2**20:.4g} MiB"
    return f"{value:.6g} {unit}".rstrip()
