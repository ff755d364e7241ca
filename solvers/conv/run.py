"""Run a layer list: plan, check memory, verify and time each layer, with and without the filter transform."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

import rooftop
from rooftop.driver.memory import available_bytes
from rooftop.errors import Misuse
from rooftop.measure.compare import spread
from rooftop.solvers.conv import Accuracy, ConvPlan, Floats, Layout, empty, from_blocked, to_blocked
from rooftop.solvers.conv.document import LayerResult, SolveDocument, Timing, Total
from rooftop.solvers.conv.layer_list import Layer, read_layers
from rooftop.solvers.conv.library import check
from rooftop.solvers.conv.sampled_check import TOLERANCES, sampled_check

FilterTerms = Literal["timed", "prepared"]
SAMPLE_NS = 1_000_000  # a sample lasts at least this long
ITERATIONS_MAX = 1 << 16


@dataclass(frozen=True)
class Terms:
    """Options of a run of a layer list."""

    padding: int = 0
    accuracy: Accuracy = "balanced"
    layout: Layout = "nchw"
    filters: tuple[FilterTerms, ...] = ("timed", "prepared")
    threads: int = 0
    check: bool = True
    repeat: int = 10


def plan_layer(layer: Layer, terms: Terms) -> ConvPlan:
    """Plan one layer without allocating its arrays."""
    return ConvPlan(
        layer.n,
        layer.c,
        layer.h,
        layer.w,
        layer.k,
        padding=terms.padding,
        accuracy=terms.accuracy,
        layout=terms.layout,
        threads=terms.threads,
    )


def needed_bytes(layer: Layer, plan: ConvPlan, terms: Terms) -> int:
    """Return the memory that run_layer allocates: arrays, their blocked copies, transformed filter, scratch."""
    need = layer.array_bytes(terms.padding) + plan.filter_bytes + plan.scratch_bytes
    if terms.layout == "blocked":
        need += 4 * (int(np.prod(plan.image_shape, dtype=object)) + int(np.prod(plan.output_shape, dtype=object)))
    return need


def require_memory(file: str, layer: Layer, plan: ConvPlan, terms: Terms, available: int) -> None:
    """Raise Misuse when the layer does not fit, before anything is allocated."""
    need = needed_bytes(layer, plan, terms)
    if need > available:
        raise Misuse(
            f"{file}:{layer.line}: layer '{layer}' needs {need / 2**20:.0f} MiB; "
            f"expected at most {available / 2**20:.0f} MiB, the memory available here"
        )


def run_layer(layer: Layer, plan: ConvPlan, terms: Terms) -> LayerResult:
    """Solve one layer on random data. Wrong results have no time; the check is made before and after timing."""
    rng = np.random.default_rng([layer.c, layer.h, layer.w, layer.k, layer.n])
    x, w = _uniform(rng, (layer.n, layer.c, layer.h, layer.w)), _uniform(rng, (layer.k, layer.c, 3, 3))
    image = to_blocked(x) if terms.layout == "blocked" else x
    output = empty(plan.output_shape)
    output.fill(np.nan)
    transformed = plan.transform_filter(w)
    transform, run = _bare_calls(plan, image, w, transformed, output)

    result = LayerResult(
        line=layer.line,
        c=layer.c,
        h=layer.h,
        w=layer.w,
        k=layer.k,
        n=layer.n,
        algorithm=plan.algorithm,
        instruction_set=plan.instruction_set,
        outcome="ok",
        tolerance=TOLERANCES[plan.algorithm] if terms.check else None,
        direct_flops=layer.direct_flops(terms.padding),
        scratch_bytes=plan.scratch_bytes,
        filter_bytes=plan.filter_bytes,
    )
    run()
    if terms.check and not _verified(result, x, w, output, terms):
        return result

    def whole() -> None:
        transform()
        run()

    calls: dict[FilterTerms, Callable[[], None]] = {"timed": whole, "prepared": run}
    timings = _interleaved({name: calls[name] for name in terms.filters}, terms.repeat, result.direct_flops)
    if terms.check:
        output.fill(np.nan)
        whole()
        if not _verified(result, x, w, output, terms):
            return result
    result.timed, result.prepared = timings.get("timed"), timings.get("prepared")
    return result


def _uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Return data uniform in [-1, 1), on a 64-byte boundary, without a second array of its size."""
    values = empty(shape)
    rng.random(out=values, dtype=np.float32)
    values *= 2
    values -= 1
    return values


def _bare_calls(
    plan: ConvPlan, image: Floats, w: Floats, transformed: Floats, output: Floats
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return the two timed steps without the binding's checks of arrays, which these arrays have passed."""
    transform_filter, run = plan.bare()
    w_at, transformed_at = w.ctypes.data, transformed.ctypes.data
    image_at, output_at, scratch_at = image.ctypes.data, output.ctypes.data, plan.scratch().ctypes.data

    return (
        lambda: check(transform_filter(w_at, transformed_at)),
        lambda: check(run(image_at, transformed_at, output_at, scratch_at)),
    )


def _verified(result: LayerResult, x: Floats, w: Floats, output: Floats, terms: Terms) -> bool:
    y = from_blocked(output, result.k) if terms.layout == "blocked" else output
    found = sampled_check(x, w, y, terms.padding)
    assert result.tolerance is not None
    result.error = max(found.error, result.error or 0.0)
    result.checked_outputs = found.outputs
    if result.error <= result.tolerance:
        return True
    result.outcome, result.reason = "wrong", found.message
    if not np.isfinite(result.error):
        result.error = None
    return False


def _interleaved(calls: dict[FilterTerms, Callable[[], None]], repeat: int, flops: float) -> dict[FilterTerms, Timing]:
    """Time each call `repeat` times in turn, the order reversed every second round."""
    iterations = {name: _calibrated(call) for name, call in calls.items()}
    samples: dict[FilterTerms, list[float]] = {name: [] for name in calls}
    for round_ in range(repeat):
        for name in list(calls)[:: -1 if round_ % 2 else 1]:
            calls[name]()  # untimed: refills the caches
            samples[name].append(_elapsed_ns(calls[name], iterations[name]) / iterations[name] * 1e-9)
    timings = {}
    for name, seconds in samples.items():
        found = spread(seconds)
        assert found is not None
        timings[name] = Timing(
            samples_s=seconds,
            iterations=iterations[name],
            mean_s=float(np.mean(seconds)),
            median_s=found.median,
            lo_s=found.lo,
            hi_s=found.hi,
            gflops=flops / found.median * 1e-9,
        )
    return timings


def _calibrated(call: Callable[[], None]) -> int:
    """Return how many runs make a sample long enough, by doubling."""
    iterations = 1
    while _elapsed_ns(call, iterations) < SAMPLE_NS and iterations < ITERATIONS_MAX:
        iterations *= 2
    return iterations


def _elapsed_ns(call: Callable[[], None], iterations: int) -> int:
    start = time.perf_counter_ns()
    for _ in range(iterations):
        call()
    return time.perf_counter_ns() - start


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
