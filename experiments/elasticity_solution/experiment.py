"""elasticity_solution: a box under tension, or a bracket of tetrahedra, from the mesh to the displacement."""

import json
from pathlib import Path

from rooftop.ladder.experiment import Case, Experiment


def _box(nx: int, ny: int, nz: int, mesh: str = "uniform") -> Case:
    """Return a box of so many nodes in each direction; unknowns are counted once."""
    parameters = {"nx": nx, "ny": ny, "nz": nz, "mesh": mesh, "tolerance": 1e-8}
    return Case(name=f"{mesh} {nx}x{ny}x{nz}", parameters=parameters, nominal=3.0 * nx * ny * nz)


def _cube(n: int, mesh: str = "uniform") -> Case:
    return _box(n, n, n, mesh)


def _bracket() -> Case:
    """Return the body that bracket.py writes. Where its file is missing, setting up the case fails with that reason."""
    file = Path(__file__).parents[2] / ".rooftop" / "elasticity_solution" / "bracket.json"
    unknowns = len(json.loads(file.read_text(encoding="utf-8"))["coordinates"]) if file.is_file() else 1
    parameters = {"mesh": "listed", "file": str(file), "tolerance": 1e-8}
    return Case(name="bracket", parameters=parameters, nominal=float(unknowns))


experiment = Experiment(
    title="Linear elasticity from the mesh to the displacement",
    question="How long does a solution take, with all that is set up for it, and is its preconditioner worth that?",
    rate_unit="MDoF/s",
    rate_scale=1e6,
    precision="fp64",
    merit=("time",),
    sizes={
        "quick": [_cube(12), _cube(20), _box(17, 9, 5, "distorted"), _cube(20, "jump")],
        "S": [_cube(40), _cube(41), _cube(40, "distorted"), _cube(40, "jump")],
        "single": [_cube(40, "distorted")],
        "M": [_cube(80), _cube(80, "distorted"), _cube(81)],
        "L": [_cube(160)],
        "cube": [_cube(40), _cube(40, "distorted")],
        "plate": [_box(40, 40, 5, "plate"), _box(80, 80, 9, "plate")],
        "tetrahedra": [_cube(40, "tetrahedra")],
        "bracket": lambda: [_bracket()],
        "growth": [_cube(n, mesh) for mesh in ("uniform", "graded", "jump") for n in (20, 40, 80, 160)],
    },
)
