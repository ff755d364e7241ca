"""Count multigrid's iterations on boxes of several sizes and materials: `iterations.py`. See README.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from rooftop.solvers import elasticity
from rooftop.whole_file import write_whole

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "elasticity-iterations.md"
EDGES = (20, 40, 80, 160)
TOLERANCE = 1e-8
STIFF = 1000.0
MORE = 1.5  # times as many iterations as the uniform box takes
PLATE = (40, 40, 4)  # nodes
ASPECTS = (1, 10, 100, 1000)  # elements are so many times as long and wide as they are thick
THIN = 3  # times as many iterations as a cube with as many nodes takes
Values = NDArray[np.float64]
_PAGE = """\
# How many iterations multigrid takes

Written by `benchmarks/elasticity_iterations/iterations.py` on {date}: conjugate gradients with geometric multigrid, to
a residual of {tolerance:g} of the load, on boxes of so many nodes in each direction.

| box | {edges} | grows | of the uniform box's, at most | asked | |
|---|{rules}|---|---|---|---|
{rows}

*Grows*: the largest number less the one of the smallest size. The inclusion is {stiff:g} times as stiff as the rest.

## Thin plates

{plate} nodes, one side clamped and the opposite one loaded across. Elements are so many times as long and wide as they
are thick.

| solved as | aspect | iterations | of a cube's with about as many nodes | residual | rounding alone makes | asked | |
|---|---|---|---|---|---|---|---|
{plates}

A displacement in double precision is rounded in its last digit, and forces of a thin body are so large beside its load
that this alone leaves a residual. Where it is above {tolerance:g}, the solver ends with `stagnated` and tells both.
"""


@dataclass(frozen=True)
class Body:
    """A kind of box: where nodes lie, how stiff elements are, and how much more it may take than the uniform box."""

    title: str
    coordinates: Callable[[int], Values | None]
    young: Callable[[int], Values | float]
    asked: float | None


def cubes(edge: int) -> None:
    """Return where nodes lie: elements are cubes."""


def soft(edge: int) -> float:
    """Return one stiffness for all elements."""
    return 1.0


def placed(*lines: Values) -> Values:
    """Return coordinates, (nz, ny, nx, 3), from the places along x, y and z."""
    x, y, z = lines
    return np.stack(np.broadcast_arrays(x[None, None, :], y[None, :, None], z[:, None, None]), axis=-1)


def graded(edge: int) -> Values:
    """Return nodes between which edges grow by a constant factor, the last ten times as long as the first."""
    lengths = 10.0 ** np.linspace(0, 1, edge - 1)
    at = np.concatenate([[0.0], np.cumsum(lengths)]) * (edge - 1) / lengths.sum()
    return placed(at, at, at)


def distorted(edge: int) -> Values:
    """Return nodes of cubes, of which the inner ones are moved by up to 0.11 in each direction."""
    at = np.arange(float(edge))
    result = placed(at, at, at)
    inner = result[1:-1, 1:-1, 1:-1]
    inner += np.random.default_rng(1).uniform(-0.11, 0.11, inner.shape)
    return result


def middle(edge: int) -> Values:
    """Return a stiffness for each element: more in the middle half of each direction."""
    elements = edge - 1
    young = np.ones((elements,) * 3)
    inside = slice(elements // 4, elements * 3 // 4)
    young[inside, inside, inside] = STIFF
    return young


def ball(edge: int) -> Values:
    """Return a stiffness for each element: more in a ball with a quarter of the box's edge as its radius."""
    from_middle = (np.arange(edge - 1) + 0.5) / (edge - 1) - 0.5
    squares = from_middle**2
    inside = squares[:, None, None] + squares[None, :, None] + squares[None, None, :] < 1 / 16
    return np.where(inside, STIFF, 1.0)


UNIFORM = "uniform"
BODIES = (
    Body(UNIFORM, cubes, soft, None),
    Body("graded 1:10", graded, soft, MORE),
    Body("distorted", distorted, soft, None),
    Body("inclusion, the middle half", cubes, middle, MORE),
    Body("inclusion, a ball", cubes, ball, None),
)


def iterations(body: Body, edge: int) -> int:
    """Return how many iterations a box takes, pulled along z as in the experiment `elasticity`."""
    nodes, coordinates = (edge, edge, edge), body.coordinates(edge)
    solution = elasticity.solve(
        nodes,
        coordinates=coordinates,
        young=body.young(edge),
        load=elasticity.traction(nodes if coordinates is None else coordinates, "z-max", (0, 0, 1)),
        held=elasticity.symmetric(nodes, "x-min", "y-min", "z-min"),
        tolerance=TOLERANCE,
    )
    if solution.outcome != "converged":
        raise RuntimeError(f"{body.title}, {edge} nodes: {solution.outcome} at a residual of {solution.residual:.3g}")
    return solution.iterations


def bent(shape: tuple[int, int, int], aspect: float, *, as_mesh: bool) -> elasticity.Solution:
    """Return the solution of a box of such elements, clamped at x-min and loaded across at x-max."""
    nx, ny, nz = shape
    coordinates = placed(np.arange(float(nx)), np.arange(float(ny)), np.arange(float(nz)) / aspect)
    load, held = np.zeros(coordinates.shape), np.zeros(coordinates.shape, dtype=np.bool_)
    load[:, :, -1, 2] = 1.0
    held[:, :, 0] = True
    if not as_mesh:
        return elasticity.solve(shape, coordinates=coordinates, load=load, held=held, tolerance=TOLERANCE)
    numbers = np.arange(nx * ny * nz).reshape(nz, ny, nx)
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    cells = [numbers[k : nz - 1 + k, j : ny - 1 + j, i : nx - 1 + i].ravel() for i, j, k in corners]
    return elasticity.solve_mesh(
        coordinates.reshape(-1, 3),
        elements={"hexahedron": np.stack(cells, axis=1)},
        load=load.reshape(-1, 3),
        held=held.reshape(-1, 3),
        tolerance=TOLERANCE,
    )


def plates() -> tuple[str, bool]:
    """Return the lines of thin plates, and whether all that is asked of them is reached."""
    lines, all_met = [], True
    edge = round(float(np.prod(PLATE)) ** (1 / 3))
    for name, as_mesh in (("a box", False), ("a mesh", True)):
        cube = bent((edge, edge, edge), 1, as_mesh=as_mesh).iterations
        for aspect in ASPECTS:
            found = bent(PLATE, aspect, as_mesh=as_mesh)
            # No displacement has a much smaller residual than what rounding makes of it.
            there = found.residual <= max(TOLERANCE, 10 * found.rounding)
            met = there and found.iterations <= THIN * cube
            all_met = all_met and met
            rounded = f"{found.rounding:.1e}" if found.rounding else "less"
            cells = [name, str(aspect), str(found.iterations), f"{found.iterations / cube:.2f}×"]
            cells += [f"{found.residual:.1e}", rounded, f"{THIN}×", "met" if met else "missed"]
            lines.append(f"| {' | '.join(cells)} |")
            print(f"plate as {name}, aspect {aspect}: {found.iterations}, {found.outcome}", flush=True)
    return "\n".join(lines), all_met


def row(body: Body, found: Mapping[str, Sequence[int]]) -> tuple[str, bool]:
    """Return a box's line, and whether all that is asked of it is reached."""
    own = found[body.title]
    grows = max(own) - own[0]
    ratio = max(one / uniform for one, uniform in zip(own, found[UNIFORM], strict=True))
    met = grows <= 0 and (body.asked is None or ratio <= body.asked)
    asked = "does not grow" + ("" if body.asked is None else f", {body.asked:g}×")
    cells = [*map(str, own), str(grows), f"{ratio:.2f}×", asked, "met" if met else "missed"]
    return f"| {body.title} | {' | '.join(cells)} |", met


def page(found: Mapping[str, Sequence[int]], edges: Sequence[int]) -> tuple[str, bool]:
    """Return the page, from iterations by box and size, and whether all is reached."""
    rows = [row(body, found) for body in BODIES]
    thin, thin_met = plates()
    text = _PAGE.format(
        date=datetime.now(UTC).date(),
        tolerance=TOLERANCE,
        stiff=STIFF,
        edges=" | ".join(f"{edge}³" for edge in edges),
        rules="|".join("---" for _ in edges),
        rows="\n".join(line for line, _ in rows),
        plate=" x ".join(map(str, PLATE)),
        plates=thin,
    )
    return text, thin_met and all(met for _, met in rows)


def main(
    edge: Annotated[list[int] | None, typer.Option("--edge", min=5, help="Nodes in each direction.")] = None,
    to: Annotated[Path, typer.Option("--page", help="Where the page goes.")] = PAGE,
) -> None:
    """Count, and write the page."""
    edges = edge or list(EDGES)
    found: dict[str, list[int]] = {body.title: [] for body in BODIES}
    for body in BODIES:
        for one in edges:
            found[body.title].append(iterations(body, one))
            print(f"{body.title}, {one} nodes: {found[body.title][-1]}", flush=True)
    text, met = page(found, edges)
    write_whole(to, text)
    raise typer.Exit(0 if met else 1)


if __name__ == "__main__":
    typer.run(main)
