"""ft: the NAS FT benchmark, a diffusion equation solved by three-dimensional Fourier transforms."""

import math

from rooftop.experiment import Case, Experiment


def case(name: str, nx: int, ny: int, nz: int, iterations: int) -> Case:
    """Give a grid and a number of iterations; operations are counted as NPB counts them."""
    n = nx * ny * nz
    per_iteration = 5.23518 + 7.21113 * math.log(n)
    return Case(
        name=f"{name} {nx}x{ny}x{nz}",
        parameters={"nx": nx, "ny": ny, "nz": nz, "iterations": iterations},
        nominal=n * (14.8157 + 7.19641 * math.log(n) + per_iteration * iterations),
    )


def transform(n: int) -> Case:
    """Give one forward transform of a cube, in place; operations are counted as FFTs customarily are."""
    points = n**3
    return Case(
        name=f"transform {n}x{n}x{n}",
        parameters={"nx": n, "ny": n, "nz": n, "iterations": 0},
        nominal=5 * points * math.log2(points),
    )


def npb(name: str) -> Case:
    """Give an NPB class."""
    sizes = {
        "S": (64, 64, 64, 6),
        "W": (128, 128, 32, 6),
        "A": (256, 256, 128, 6),
        "B": (512, 256, 256, 20),
        "C": (512, 512, 512, 20),
        "D": (2048, 1024, 1024, 25),
    }
    return case(name, *sizes[name])


experiment = Experiment(
    title="NAS FT: a diffusion equation by 3-D Fourier transforms",
    question="How near does a 3-D FFT come to the memory's speed, and what do its transposes cost?",
    rate_unit="Mop/s",
    rate_scale=1e6,
    precision="fp64",
    sizes={
        "quick": [npb("S")],
        "S": [npb("S"), npb("W")],
        "M": [npb("W"), case("cube", 128, 128, 128, 6), npb("A")],
        "L": [npb("B")],
        "XL": [npb("C")],
        "XXL": [npb("D")],
        "transform": [transform(128), transform(256)],
        "source": [case("3D-32", 32, 32, 32, 1000)],
    },
)
