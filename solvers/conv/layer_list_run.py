"""A whole layer list: read, planned and checked against memory before the first layer runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import rooftop
from rooftop.driver.memory import available_bytes
from rooftop.solvers.conv.document import LayerResult, SolveDocument, Timing, Total
from rooftop.solvers.conv.layer_list import read_layers
from rooftop.solvers.conv.layer_run import Terms, plan_layer, require_memory, run_layer

Watch = Callable[[int, int, str], None]  # layers done, layers in all, what is being done


def solve_layer_list(file: Path, terms: Terms, watch: Watch = lambda done, count, doing: None) -> SolveDocument:
    """Solve every layer of `file`. Raises Misuse, before anything runs, for a bad list or too little memory.

    Where an interrupt comes, the layers before it are told; it goes on where there are none.
    """
    available = available_bytes()
    layers = read_layers(file, padding=terms.padding, memory_bytes=available)
    for layer in layers:
        require_memory(str(file), layer, plan_layer(layer, terms), terms, available)
    results: list[LayerResult] = []
    try:
        for done, layer in enumerate(layers):
            watch(done, len(layers), f"layer {layer}")
            results.append(run_layer(layer, plan_layer(layer, terms), terms))
    except KeyboardInterrupt:
        if not results:
            raise
    whole = len(results) == len(layers)
    return SolveDocument(
        schema="rooftop/solve-conv/1",
        rooftop=rooftop.__version__,
        file=str(file),
        padding=terms.padding,
        accuracy=terms.accuracy,
        layout=terms.layout,
        threads=terms.threads,
        repeat=terms.repeat,
        interrupted=not whole,
        layers=results,
        total_timed=_total(results, [result.timed for result in results]) if whole else None,
        total_prepared=_total(results, [result.prepared for result in results]) if whole else None,
    )


def _total(results: Iterable[LayerResult], timings: Iterable[Timing | None]) -> Total | None:
    """Return the contest's total, only if every layer has a time."""
    flops = sum(result.direct_flops for result in results)
    means = [timing.mean_s for timing in timings if timing is not None]
    if not means or len(means) < len(list(results)):
        return None
    return Total(flops=flops, seconds=sum(means), gflops=flops / sum(means) * 1e-9)
