"""One layer on random data: its arrays, and a run of it with and without the filter transform, each verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rooftop.driver.calls import Answer, Call, timed
from rooftop.driver.protocol import Work
from rooftop.solvers.conv import Floats, empty, from_blocked, to_blocked
from rooftop.solvers.conv.layer_list import Layer
from rooftop.solvers.conv.library import check
from rooftop.solvers.conv.request import FilterTerms, Request, plan_layer
from rooftop.solvers.conv.sampled_check import TOLERANCES, sampled_check


class LayerCalls:
    """The arrays of one layer, which all its calls share."""

    def __init__(self, layer: Layer, request: Request) -> None:
        rng = np.random.default_rng([layer.c, layer.h, layer.w, layer.k, layer.n])
        self._request = request
        self._plan = plan = plan_layer(layer, request)
        self._x = _uniform(rng, (layer.n, layer.c, layer.h, layer.w))
        self._w = _uniform(rng, (layer.k, layer.c, 3, 3))
        self._image = to_blocked(self._x) if request.layout == "blocked" else self._x
        self._output = empty(plan.output_shape)
        self._transformed = plan.transform_filter(self._w)
        self._transform, self._run = self._bare_calls()

    def call(self, terms: FilterTerms) -> Call:
        """Return a run, the filter transform counted or made beforehand."""

        def whole() -> None:
            self._transform()
            self._run()

        run = whole if terms == "timed" else self._run
        return Call(timed(run), lambda: self._output.fill(np.nan), self._answer)

    def _bare_calls(self) -> tuple[Callable[[], None], Callable[[], None]]:
        """Return both steps without the binding's checks of arrays, which these arrays have passed."""
        transform_filter, run = self._plan.bare()
        w_at, transformed_at = self._w.ctypes.data, self._transformed.ctypes.data
        image_at, output_at = self._image.ctypes.data, self._output.ctypes.data
        scratch_at = self._plan.scratch().ctypes.data
        return (
            lambda: check(transform_filter(w_at, transformed_at)),
            lambda: check(run(image_at, transformed_at, output_at, scratch_at)),
        )

    def _answer(self) -> Answer:
        """Check outputs of the last run against double precision, unless that is not asked for."""
        plan = self._plan
        told: dict[str, Any] = {"algorithm": plan.algorithm, "instruction_set": plan.instruction_set}
        told |= {"scratch_bytes": plan.scratch_bytes, "filter_bytes": plan.filter_bytes}
        if not self._request.check:
            return Answer(work=Work(**told))
        filters = self._w.shape[0]
        y = from_blocked(self._output, filters) if self._request.layout == "blocked" else self._output
        found, tolerance = sampled_check(self._x, self._w, y, self._request.padding), TOLERANCES[plan.algorithm]
        reason = None if found.error <= tolerance else found.message
        return Answer(reason, found.error, tolerance, Work(**told | {"checked_outputs": found.outputs}))


def _uniform(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Return data uniform in [-1, 1), on a 64-byte boundary, without a second array of its size."""
    values = empty(shape)
    rng.random(out=values, dtype=np.float32)
    values *= 2
    values -= 1
    return values
