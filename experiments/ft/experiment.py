"""ft: the NAS FT benchmark, a diffusion equation solved by three-dimensional Fourier transforms."""

import math

from rooftop.ladder.experiment import Case, Experiment


def case(name: str, nx: int, ny: int, nz: int, iterations: int) -> Case:
    """Return a grid and a number of iterations; operations are counted as NPB counts them."""
    from rooftop.solvers.fft.npb import Grid  # not before it is needed: every command reads this file

    grid = Grid(nx, ny, nz, iterations)
    return Case(
        name=f"{name} {grid.name}",
        parameters={"nx": nx, "ny": ny, "nz": nz, "iterations": iterations},
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
    from rooftop.solvers.fft.npb import CLASSES

    grid = CLASSES[name]
    return case(name, grid.nx, grid.ny, grid.nz, grid.iterations)


experiment = Experiment(
    title="NAS FT: a diffusion equation by 3-D Fourier transforms",
    question="How near does a 3-D FFT come to the memory's speed, and what do its transposes cost?",
    rate_unit="Mop/s",
    rate_scale=1e6,
    precision="fp64",
    sizes={
        "quick": lambda: [npb("S")],
        "S": lambda: [npb("S"), npb("W")],
        "M": lambda: [npb("W"), case("cube", 128, 128, 128, 6), npb("A")],
        "L": lambda: [npb("B")],
        "XL": lambda: [npb("C")],
        "XXL": lambda: [npb("D")],
        "transform": [transform(128), transform(256)],
        "source": lambda: [case("3D-32", 32, 32, 32, 1000)],
    },
)
