"""ft: the NAS FT benchmark, a diffusion equation solved by three-dimensional Fourier transforms."""

import math

from rooftop.experiment import Case, Experiment
from rooftop.solvers.fft.npb import CLASSES, Grid


def case(name: str, grid: Grid) -> Case:
    """Return a grid and a number of iterations; operations are counted as NPB counts them."""
    return Case(
        name=f"{name} {grid.name}",
        parameters={"nx": grid.nx, "ny": grid.ny, "nz": grid.nz, "iterations": grid.iterations},
        nominal=grid.operations,
    )


def transform(n: int) -> Case:
    """Return one forward transform of a cube, in place; operations are counted as FFTs customarily are."""
    points = n**3
    return Case(
        name=f"transform {n}x{n}x{n}",
        parameters={"nx": n, "ny": n, "nz": n, "iterations": 0},
        nominal=5 * points * math.log2(points),
    )


def npb(name: str) -> Case:
    """Return an NPB class."""
    return case(name, CLASSES[name])


experiment = Experiment(
    title="NAS FT: a diffusion equation by 3-D Fourier transforms",
    question="How near does a 3-D FFT come to the memory's speed, and what do its transposes cost?",
    rate_unit="Mop/s",
    rate_scale=1e6,
    precision="fp64",
    sizes={
        "quick": [npb("S")],
        "S": [npb("S"), npb("W")],
        "M": [npb("W"), case("cube", Grid(128, 128, 128, 6)), npb("A")],
        "L": [npb("B")],
        "XL": [npb("C")],
        "XXL": [npb("D")],
        "transform": [transform(128), transform(256)],
        "source": [case("3D-32", Grid(32, 32, 32, 1000))],
    },
)
