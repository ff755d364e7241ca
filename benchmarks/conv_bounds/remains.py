"""What a layer's time has over its bound, by the stage that it belongs to: a fit over all layers of a size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from benchmarks.conv_bounds.bounds import Machine, arithmetic_cycles
from benchmarks.conv_bounds.stages import Layer, blocks_of, outputs_of, positions, stages

LEAST_LAYERS = 4


@dataclass(frozen=True)
class Remains:
    """time - bound = products x the multiply-adds' own time + line_cycles x lines of V and M.

    products     of the products' arithmetic, what they take beyond it
    line_cycles  of a core for each line of V and M together with its transforms, beyond their bounds
    off          the median of how far a layer's time is from the fit, as a fraction of it
    """

    products: float
    line_cycles: float
    off: float


def remains(layers: Sequence[tuple[Layer, str, float, float]], machine: Machine) -> Remains | None:
    """Return the fit over layers, each with its algorithm, time and bound in seconds; None: too few of three stages.

    Layers count alike, whatever time they take: each residual is a fraction of its layer's time.
    """
    rate = machine.cores * machine.clock_hz
    rows, over, times = [], [], []
    for layer, algorithm, seconds, its_bound in layers:
        product = next(
            (stage for stage in stages(layer, algorithm, machine.core.lanes) if stage.name == "product"), None
        )
        if product is None:
            continue
        lines = positions(layer, outputs_of(algorithm)) * (blocks_of(layer.c) + blocks_of(layer.k))
        rows.append([arithmetic_cycles(product, machine.core) / rate / seconds, lines / rate / seconds])
        over.append((seconds - its_bound) / seconds)
        times.append(its_bound / seconds)
    if len(rows) < LEAST_LAYERS:
        return None
    matrix, wanted = np.array(rows), np.array(over)
    (products, line_cycles), _ = nnls(matrix, wanted)
    fitted = np.array(times) + matrix @ np.array([products, line_cycles])
    return Remains(float(products), float(line_cycles), float(np.median(np.abs(fitted - 1))))
