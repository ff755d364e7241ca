"""3x3 convolution by Winograd's minimal filtering: sizes and terms. Rungs and peers are found by their files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rooftop.ladder.experiment import Case, Experiment

if TYPE_CHECKING:  # not before it is needed: every command reads this file
    from rooftop.solvers.conv.layer_list import Layer

LAYERS = Path(__file__).parent / "layers"


def case(
    layer: Layer,
    *,
    padding: int = 0,
    layout: str = "nchw",
    filter_terms: str = "timed",
    accuracy: str = "balanced",
    instructions: str | None = None,
    label: str = "",
) -> Case:
    """Return the case of a layer on these terms; its nominal work is the direct method's flops, as in the contest."""
    out_h, out_w = layer.h + 2 * padding - 2, layer.w + 2 * padding - 2
    size = f"C{layer.c} {layer.h}x{layer.w} K{layer.k} N{layer.n}"
    return Case(
        name=f"{label} {size}".strip(),
        parameters={
            "c": layer.c,
            "h": layer.h,
            "w": layer.w,
            "k": layer.k,
            "n": layer.n,
            "padding": padding,
            "layout": layout,
            "filter": filter_terms,
            "accuracy": accuracy,
            "data": "random",
        }
        | ({} if instructions is None else {"instructions": instructions}),
        nominal=2.0 * 9 * layer.n * layer.k * layer.c * out_h * out_w,
        isa=instructions,
    )


def contest(name: str) -> list[Case]:
    """Return a contest list on the contest's terms: NCHW, no padding, the filter transform counts."""
    from rooftop.solvers.conv.layer_list import read_layers

    return [case(layer) for layer in read_layers(LAYERS / f"{name}.conf")]


def networks(*, layout: str, accuracy: str, instructions: str | None = None) -> list[Case]:
    """Return the layers of VGG-16 and ResNet-50 at 1 and 16 images, padding 1, filter transformed beforehand."""
    from rooftop.solvers.conv.layer_list import Layer, read_layers

    return [
        case(
            Layer(layer.c, layer.h, layer.w, layer.k, images),
            padding=1,
            layout=layout,
            filter_terms="prepared",
            accuracy=accuracy,
            instructions=instructions,
            label=label,
        )
        for label, name in (("VGG-16", "vgg16"), ("ResNet-50", "resnet50"))
        for layer in read_layers(LAYERS / f"{name}.conf")
        for images in (1, 16)
    ]


def quick() -> list[Case]:
    """Return four layers, on the contest's terms, that show each effect within seconds."""
    from rooftop.solvers.conv.layer_list import Layer

    return [
        case(Layer(3, 50, 50, 10, 2), label="tiny"),  # waking threads costs more than they bring
        case(Layer(64, 56, 56, 64, 1), label="shallow"),  # the transforms weigh as much as the product
        case(Layer(128, 50, 50, 256, 1), label="middle"),
        case(Layer(256, 30, 30, 256, 1), label="deep"),  # the product weighs most, and the filter's transform shows
    ]


experiment = Experiment(
    title="3x3 convolution by Winograd's minimal filtering",
    question="How far does a convolution get from the formula as written to the roof of the best algorithm?",
    rate_unit="GFLOP/s",
    rate_scale=1e9,
    # The contest's total: sum of flops over sum of mean times.
    total="mean",
    precision="fp32",
    sizes={
        "quick": quick,
        "S": lambda: contest("small"),
        "M": lambda: contest("realworld_scaled"),
        "L": lambda: contest("realworld"),
        # As layers stand inside an inference engine.
        "network": lambda: networks(layout="blocked", accuracy="balanced"),
        # As on a processor without AVX-512, where no peer has Winograd kernels.
        "network_avx2": lambda: networks(layout="blocked", accuracy="balanced", instructions="avx2"),
        "network_nchw": lambda: networks(layout="nchw", accuracy="balanced"),
        "network_nchw_avx2": lambda: networks(layout="nchw", accuracy="balanced", instructions="avx2"),
        "network_relaxed": lambda: networks(layout="blocked", accuracy="relaxed"),
        "network_relaxed_avx2": lambda: networks(layout="blocked", accuracy="relaxed", instructions="avx2"),
    },
)
