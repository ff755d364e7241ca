"""Boxes found in connectivity, however their nodes, elements and corners are numbered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rooftop.solvers.elasticity import box
from rooftop.solvers.elasticity.box.layers import corner_values
from rooftop.solvers.elasticity.mesh.logical_box import NoBoxError, along_axes, logical_box

Whole = NDArray[np.int64]

TURNS = [  # numberings of a cube's corners x + 2 y + 4 z by proper rotations
    (0, 1, 2, 3, 4, 5, 6, 7),
    (1, 3, 0, 2, 5, 7, 4, 6),
    (4, 0, 6, 2, 5, 1, 7, 3),
]


def cells_of(numbers: Whole) -> Whole:
    """Return the corners of a grid's elements, (elements, 8)."""
    everything = slice(0, len(numbers) - 1)
    spread = np.repeat(numbers[..., None].astype(np.float64), 3, axis=-1)
    return corner_values(spread, everything)[:, 0].T.astype(np.int64)


def grid(nx: int, ny: int, nz: int) -> Whole:
    return np.arange(nx * ny * nz).reshape(nz, ny, nx)


@given(st.tuples(*[st.integers(2, 5)] * 3), st.integers(0, 1 << 32), st.booleans())
def test_a_shuffled_box_is_found_again(nodes: tuple[int, int, int], seed: int, uneven: bool) -> None:
    random = np.random.default_rng(seed)
    places = box(nodes, (1, 2, 3), (3, 1, 0.5) if uneven else (1, 1, 1), 0.2, seed)
    new = random.permutation(places.size // 3)
    cells = new[cells_of(grid(*nodes))]
    order = random.permutation(len(cells))
    turns = np.array(TURNS)[random.integers(0, len(TURNS), len(cells))]
    shuffled = np.take_along_axis(cells[order], turns, axis=1)
    scattered = np.empty((len(new), 3))
    scattered[new] = places.reshape(-1, 3)
    found = along_axes(logical_box(shuffled, len(new)), scattered)
    assert np.array_equal(scattered[found.numbers], places)
    assert np.array_equal(order[found.elements.ravel()], np.arange(len(cells)))


def test_a_turned_body_keeps_its_hand() -> None:
    """A quarter of a ring: its first direction ends where its second begins."""
    angle, radius, height = (np.linspace(*span) for span in ((0, np.pi / 2, 7), (1, 2, 3), (0, 1, 2)))
    z, r, a = np.meshgrid(height, radius, angle, indexing="ij")
    places = np.stack((r * np.cos(-a), r * np.sin(-a), z), axis=-1)
    found = along_axes(logical_box(cells_of(grid(7, 3, 2)), 42), places.reshape(-1, 3))
    corner = places.reshape(-1, 3)[found.numbers[:2, :2, :2]]
    edges = [corner[0, 0, 1] - corner[0, 0, 0], corner[0, 1, 0] - corner[0, 0, 0], corner[1, 0, 0] - corner[0, 0, 0]]
    assert np.linalg.det(edges) > 0
    assert sorted(found.numbers.shape) == [2, 3, 7]


def without(cells: Whole, *gone: int) -> tuple[Whole, int]:
    """Return cells without some, and their nodes numbered anew."""
    left = np.delete(cells, gone, axis=0)
    used, numbered = np.unique(left, return_inverse=True)
    return numbered.reshape(left.shape), len(used)


def ring() -> tuple[Whole, int]:
    """Return six elements around a hole."""
    numbers = grid(7, 2, 2)
    numbers[..., 6] = numbers[..., 0]
    return without(cells_of(numbers))


def apart() -> tuple[Whole, int]:
    cells = cells_of(grid(2, 2, 2))
    return np.concatenate([cells, cells + 8]), 16


def tripled() -> tuple[Whole, int]:
    cells = cells_of(grid(3, 2, 2))
    third = cells[1].copy()
    third[[1, 3, 5, 7]] = np.arange(12, 16)
    return np.concatenate([cells, [third]]), 16


@pytest.mark.parametrize(
    ("cells", "nodes", "says"),
    [
        (*without(cells_of(grid(4, 4, 4)), 0), "belong to a single element|has no neighbour in a direction"),
        (*without(cells_of(grid(4, 4, 4)), 13), "has no neighbour|are reached|meet themselves|share"),
        (*without(cells_of(grid(4, 4, 4)), 4), "has no neighbour|are reached|belong"),
        (*ring(), "belong to a single element"),
        (*apart(), "belong to a single element"),
        (*tripled(), "belong|share"),
    ],
    ids=["without a corner", "with a hole", "with a dent", "ring", "two parts", "three at one face"],
)
def test_what_is_no_box(cells: Whole, nodes: int, says: str) -> None:
    with pytest.raises(NoBoxError, match=says):
        logical_box(cells, nodes)


@given(st.integers(0, 1 << 32), st.integers(1, 6))
def test_any_cells(seed: int, count: int) -> None:
    """Whatever they are, they end as a box or as the reason why not."""
    cells = np.random.default_rng(seed).integers(0, 12, (count, 8))
    used, numbered = np.unique(cells, return_inverse=True)
    try:
        logical_box(numbered.reshape(count, 8), len(used))
    except NoBoxError as error:
        assert str(error)
