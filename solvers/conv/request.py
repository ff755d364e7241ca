"""What `rooftop solve conv` is asked, and the plans and the memory that this takes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from rooftop.driver.memory import available_bytes
from rooftop.errors import Misuse
from rooftop.solvers.conv import Accuracy, ConvPlan, Layout
from rooftop.solvers.conv.layer_list import Layer, read_layers
from rooftop.solvers.running.campaign import SolverRequest

FilterTerms = Literal["timed", "prepared"]


@dataclass(frozen=True, kw_only=True)
class Request(SolverRequest):
    """A layer list and how it is run. `layers` are those of the file, once it has been read."""

    file: Path | None = None
    padding: int = 0
    accuracy: Accuracy = "balanced"
    layout: Layout = "nchw"
    filters: tuple[FilterTerms, ...] = ("timed", "prepared")
    threads: int = 0
    check: bool = True
    repeat: int = 10
    layers: tuple[Layer, ...] = ()

    def prepared(self) -> Request:
        """Return it with the layers of its file. Raises Misuse for a bad list or too little memory."""
        if self.file is None:
            raise Misuse("there is no layer list: rooftop solve conv FILE.conf")
        available = available_bytes()
        layers = read_layers(self.file, padding=self.padding, memory_bytes=available)
        for layer in layers:
            require_memory(str(self.file), layer, plan_layer(layer, self), self, available)
        return replace(self, layers=tuple(layers))


def plan_layer(layer: Layer, request: Request) -> ConvPlan:
    """Plan one layer without allocating its arrays."""
    return ConvPlan(
        layer.n,
        layer.c,
        layer.h,
        layer.w,
        layer.k,
        padding=request.padding,
        accuracy=request.accuracy,
        layout=request.layout,
        threads=request.threads,
    )


def needed_bytes(layer: Layer, plan: ConvPlan, request: Request) -> int:
    """Return the memory that a layer's run allocates: arrays, their blocked copies, transformed filter, scratch."""
    need = layer.array_bytes(request.padding) + plan.filter_bytes + plan.scratch_bytes
    if request.layout == "blocked":
        need += 4 * (int(np.prod(plan.image_shape, dtype=object)) + int(np.prod(plan.output_shape, dtype=object)))
    return need


def require_memory(file: str, layer: Layer, plan: ConvPlan, request: Request, available: int) -> None:
    """Raise Misuse when the layer does not fit, before anything is allocated."""
    need = needed_bytes(layer, plan, request)
    if need > available:
        raise Misuse(
            f"{file}:{layer.line}: layer '{layer}' needs {need / 2**20:.0f} MiB; "
            f"expected at most {available / 2**20:.0f} MiB, the memory available here"
        )
