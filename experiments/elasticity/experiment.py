"""elasticity: a box of hexahedra under tension, by conjugate gradients."""

from rooftop.ladder.experiment import Case, Experiment


def _cube(n: int, iterations: int) -> Case:
    """Return a cube of n nodes in each direction; unknowns are counted once an iteration."""
    parameters = {"nx": n, "ny": n, "nz": n, "iterations": iterations}
    return Case(name=f"{n}x{n}x{n}", parameters=parameters, nominal=3.0 * n**3 * iterations)


experiment = Experiment(
    title="Linear elasticity by finite elements and conjugate gradients",
    question="How near does a sparse solver come to the memory's speed, and how many bytes does it need?",
    rate_unit="MDoF/s",
    rate_scale=1e6,
    precision="fp64",
    tunables={
        "schedule": ["dynamic", "guided", "static", "auto"],
        "chunk": [200, 50, 100, 300, 500, 750, 1000],
    },
    sizes={
        "quick": [_cube(16, 10), _cube(32, 10)],
        "S": [_cube(40, 20)],
        "M": [_cube(80, 10)],
        "L": [_cube(120, 10)],
        "elements": [_cube(80, 10)],  # two rungs alone: all of M's leave too little memory for pages of 2 MiB
    },
)
