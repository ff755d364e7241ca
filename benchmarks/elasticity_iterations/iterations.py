"""Count multigrid's iterations on boxes of several sizes and materials."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.form import RESULTS, PageOption, page, table
from rooftop.files.atomic import write_whole
from rooftop.solvers import elasticity

PAGE = RESULTS / "elasticity-iterations.md"
EDGES = (20, 40, 80, 160)
TOLERANCE = 1e-8
STIFF = 1000.0
MORE = 1.5  # times as many iterations as the uniform box takes
PLATE = (40, 40, 4)  # nodes
ASPECTS = (1, 10, 100, 1000)  # elements are so many times as long and wide as they are thick
SOLVED_AS = (("a box", False), ("a mesh", True))
RATIOS = (10, 100, 1000, 10_000)
BENDING_ASPECTS = (1, 10, 100)
EDGES_OF_HEXAHEDRON = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
THIN = 3  # times as many iterations as a cube with as many nodes takes
Values = NDArray[np.float64]
Rows = list[list[str]]
_GROWS = f"""\
*Grows*: the largest number less the number at the smallest size. The inclusion is {STIFF:g} times as stiff as the rest.

## Thin plates

{" x ".join(map(str, PLATE))} nodes, one side clamped, the opposite one loaded transversely. *Aspect*: length and width
of an element over its thickness.
"""
_LAYERS = """\
## Boundary layers and deep columns

20 x 20 x 20 nodes whose edges grow by a constant factor in one, two or three directions; *ratio* is the longest edge
over the shortest. Columns have 64 layers of flat elements. Clamped and loaded as the plates.
"""
_BENDING = """\
## Plates of elements that bend

The same plates with elements that do not lock: they bend as thin plates do, and the thinner they are, the softer they
are in bending than in shear. 20 x 20 x 3 hexahedra, or twice as many wedges; the cubes have the same elements.
"""
_ROUNDING = f"""\
A displacement in double precision is rounded in its last digit. In a thin body the forces are so large beside the load
that rounding alone leaves a residual. Where that is above {TOLERANCE:g}, the solver ends with `stagnated` and
prints both.
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


def even(count: int, edge: float = 1.0) -> Values:
    """Return the places of nodes whose edges are of one length."""
    return np.linspace(0, (count - 1) * edge, count)


def layered(count: int, ratio: float) -> Values:
    """Return the places of nodes whose edges grow by a constant factor to a length of 1."""
    lengths = np.power(float(ratio), np.linspace(-1, 0, count - 1))
    return np.array([0.0, *np.cumsum(lengths)])


def bent(coordinates: Values, *, as_mesh: bool, kind: elasticity.Kind = "hexahedron") -> elasticity.Solution:
    """Return the solution of a box with such nodes, clamped at x-min and loaded across at x-max."""
    load, held = np.zeros(coordinates.shape), np.zeros(coordinates.shape, dtype=np.bool_)
    load[:, :, -1, 2] = 1.0
    held[:, :, 0] = True
    nz, ny, nx, _ = coordinates.shape
    if not as_mesh:
        return elasticity.solve((nx, ny, nz), coordinates=coordinates, load=load, held=held, tolerance=TOLERANCE)
    numbers = np.arange(nx * ny * nz).reshape(nz, ny, nx)
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    cells = np.stack([numbers[k : nz - 1 + k, j : ny - 1 + j, i : nx - 1 + i].ravel() for i, j, k in corners], axis=1)
    places = coordinates.reshape(-1, 3)
    if kind == "wedge":
        cells = np.concatenate([cells[:, [0, 1, 2, 4, 5, 6]], cells[:, [0, 2, 3, 4, 6, 7]]])
    elif kind == "hexahedron20":
        ends = np.sort(cells[:, np.array(EDGES_OF_HEXAHEDRON)], axis=2)
        pairs, middles = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
        cells = np.concatenate([cells, middles.reshape(len(cells), -1) + len(places)], axis=1)
        places = np.concatenate([places, places[pairs].mean(axis=1)])
    load, held = np.zeros(places.shape), np.zeros(places.shape, dtype=np.bool_)
    load[places[:, 0] == places[:, 0].max(), 2] = 1.0
    held[places[:, 0] == 0] = True
    return elasticity.solve_mesh(places, elements={kind: cells}, load=load, held=held, tolerance=TOLERANCE)


class Held:
    """Iterations of thin bodies, held against those of cubes with about as many nodes."""

    def __init__(self) -> None:
        """Know no cube yet."""
        self._cubes: dict[tuple[int, bool, elasticity.Kind], int] = {}
        self.all_met = True

    def row(
        self, head: Sequence[str], coordinates: Values, *, as_mesh: bool, kind: elasticity.Kind = "hexahedron"
    ) -> list[str]:
        """Return the row of a body."""
        found = bent(coordinates, as_mesh=as_mesh, kind=kind)
        of_corner = 4 if kind == "hexahedron20" else 1
        edge = round((len(found.displacement.reshape(-1, 3)) / of_corner) ** (1 / 3))
        if (edge, as_mesh, kind) not in self._cubes:
            at = even(edge)
            self._cubes[edge, as_mesh, kind] = bent(placed(at, at, at), as_mesh=as_mesh, kind=kind).iterations
        cube = self._cubes[edge, as_mesh, kind]
        # No displacement has a much smaller residual than what rounding makes of it.
        there = found.residual <= max(TOLERANCE, 10 * found.rounding)
        met = there and found.iterations <= THIN * cube
        self.all_met = self.all_met and met
        rounded = f"{found.rounding:.1e}" if found.rounding else "less"
        cells = [*head, str(found.iterations), f"{found.iterations / cube:.2f}×"]
        cells += [f"{found.residual:.1e}", rounded, f"{THIN}×", "met" if met else "missed"]
        print(f"{', '.join(head)}: {found.iterations}, {found.outcome}", flush=True)
        return cells


def plates(to: Held) -> Rows:
    """Return the rows of thin plates."""
    nx, ny, nz = PLATE
    return [
        to.row([name, str(aspect)], placed(even(nx), even(ny), even(nz, 1 / aspect)), as_mesh=as_mesh)
        for name, as_mesh in SOLVED_AS
        for aspect in ASPECTS
    ]


def layers(to: Held) -> Rows:
    """Return the rows of boundary layers and of deep columns."""
    bulk, lines = even(20), Rows()
    for name, as_mesh in SOLVED_AS:
        for ratio in RATIOS:
            fine = layered(20, ratio)
            lines.append(to.row(["layers", name, str(ratio)], placed(bulk, bulk, fine), as_mesh=as_mesh))
            lines.append(to.row(["in two directions", name, str(ratio)], placed(bulk, fine, fine), as_mesh=as_mesh))
            lines.append(to.row(["in three", name, str(ratio)], placed(fine, fine, fine), as_mesh=as_mesh))
        for aspect in (10, 100):
            deep = placed(even(16), even(16), even(64, 1 / aspect))
            lines.append(to.row(["deep columns", name, str(aspect)], deep, as_mesh=as_mesh))
    return lines


def bending(to: Held) -> Rows:
    """Return the rows of plates of elements that do not lock."""
    kinds: tuple[elasticity.Kind, ...] = ("hexahedron_incompatible", "wedge", "hexahedron20")
    return [
        to.row([kind, str(aspect)], placed(even(21), even(21), even(4, 1 / aspect)), as_mesh=True, kind=kind)
        for kind in kinds
        for aspect in BENDING_ASPECTS
    ]


def row(body: Body, found: Mapping[str, Sequence[int]]) -> tuple[list[str], bool]:
    """Return a box's row, and whether all that is asked of it is reached."""
    own = found[body.title]
    grows = max(own) - own[0]
    ratio = max(one / uniform for one, uniform in zip(own, found[UNIFORM], strict=True))
    met = grows <= 0 and (body.asked is None or ratio <= body.asked)
    asked = "does not grow" + ("" if body.asked is None else f", {body.asked:g}×")
    cells = [body.title, *map(str, own), str(grows), f"{ratio:.2f}×", asked, "met" if met else "missed"]
    return cells, met


@dataclass(frozen=True)
class Tables:
    """The rows of thin bodies, and whether all that is asked of them is reached."""

    plates: Rows
    layers: Rows
    bending: Rows
    all_met: bool


def thin_bodies() -> Tables:
    """Solve all of them."""
    held = Held()
    lines = plates(held), layers(held), bending(held)
    return Tables(*lines, all_met=held.all_met)


def results_page(found: Mapping[str, Sequence[int]], edges: Sequence[int], thin: Tables) -> tuple[str, bool]:
    """Return the page, from iterations by box and size, and whether all is reached."""
    rows = [row(body, found) for body in BODIES]
    rest = ("residual", "rounding alone makes", "asked", "")
    cube = "of a cube's with about as many nodes"
    text = page(
        "How many iterations multigrid takes",
        "iterations",
        "Conjugate gradients with geometric multigrid on boxes, by the number of nodes in each direction, until the "
        f"residual is\n{TOLERANCE:g} of the load.",
        table(
            ("box", *(f"{edge}³" for edge in edges), "grows", "of the uniform box's, at most", "asked", ""),
            [cells for cells, _ in rows],
        ),
        _GROWS,
        table(("solved as", "aspect", "iterations", cube, *rest), thin.plates),
        _LAYERS,
        table(("body", "solved as", "ratio", "iterations", cube, *rest), thin.layers),
        _BENDING,
        table(("element", "aspect", "iterations", cube, *rest), thin.bending),
        _ROUNDING,
    )
    return text, thin.all_met and all(met for _, met in rows)


def main(
    edge: Annotated[list[int] | None, typer.Option("--edge", min=5, help="Nodes in each direction.")] = None,
    to: PageOption = PAGE,
) -> None:
    """Count, and write the page."""
    edges = edge or list(EDGES)
    found: dict[str, list[int]] = {body.title: [] for body in BODIES}
    for body in BODIES:
        for one in edges:
            found[body.title].append(iterations(body, one))
            print(f"{body.title}, {one} nodes: {found[body.title][-1]}", flush=True)
    text, met = results_page(found, edges, thin_bodies())
    write_whole(to, text)
    raise typer.Exit(0 if met else 1)
