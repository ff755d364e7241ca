"""The page of transforms: ratios are to the fastest peer, what is below the least is marked, results are checked."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.transforms import fftw
from benchmarks.transforms.cells import KINDS, Cell, cells
from benchmarks.transforms.transforms import LEAST_CELLS, Row, asked_lines, check, measure, summary
from rooftop.errors import NotBuilt
from rooftop.solvers.fft import library

CELL = Cell("complex", (4, 6), 1, False, 1)


def recorded(ours: float, *peers: float) -> Row:
    row = Row(CELL)
    for way in row.taken:
        row.taken[way] = {"rooftop": ours} | {f"peer {number}": taken for number, taken in enumerate(peers)}
    return row


def test_a_ratio_is_to_the_fastest_peer() -> None:
    row = recorded(2e-6, 3e-6, 1e-6)
    assert row.best_peer("plans") == "peer 1"
    assert row.ratio("calls") == pytest.approx(0.5)
    assert row.cells()[:7] == ["complex", "4 of 6", "double", "1", "2", "peer 1 1", "**0.50**"]
    assert recorded(2e-6).ratio("plans") is None
    assert recorded(2e-6).cells()[5:7] == ["–", "–"]


def test_asked_are_every_cell_and_the_mean() -> None:
    lines = asked_lines([recorded(1e-6, 1.8e-6), recorded(1e-6, 0.8e-6)])
    told = {one.what: (one.reached, one.met) for one in lines}
    assert told["cells"] == ("2", False)
    assert told["plans: ratio to the best planned FFTW, in every cell"] == ("1 of 2 cells; 0.80 at worst", False)
    assert told["plans: the same, geometric mean"] == ("1.20", True)
    assert told["calls: the same, geometric mean"] == ("1.20", False)
    assert [one.met for one in asked_lines([recorded(1.0)])] == [False, None, None]
    assert "| complex | 1 dimension, batches | 1 | 2 | 1.20 | 1.20 |" in summary(
        [recorded(1e-6, 1.8e-6), recorded(1e-6, 0.8e-6)]
    )


def test_there_are_enough_cells_of_every_kind() -> None:
    every = list(cells((1, 2)))
    assert len(every) >= LEAST_CELLS
    assert {one.kind for one in every} == set(KINDS)
    assert len(set(every)) == len(every)


def test_a_wrong_result_is_not_timed() -> None:
    values, out = CELL.arrays()
    out[...] = np.fft.fft(values)
    check(CELL, values, out, 1)
    out[3, 5] += 1e-9
    with pytest.raises(RuntimeError, match="differs from NumPy's by"):
        check(CELL, values, out, 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize(("shape", "axes"), [((8,), 1), ((3, 5, 7), 2), ((4, 6, 10), 3)])
def test_every_kind_of_cell_is_measured(kind: str, single: bool, shape: tuple[int, ...], axes: int) -> None:
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    libraries = [(name, one) for name, one in (("FFTW", fftw.of_the_system(single)),) if one is not None]
    row = measure(Cell(kind, shape, axes, single, 1), libraries, rounds=1)  # type: ignore[arg-type]
    assert {"rooftop", *(name for name, _ in libraries)} == set(row.taken["plans"])
    assert {"rooftop", "SciPy"} <= set(row.taken["calls"])
    assert all(taken > 0 for taken in row.taken["calls"].values())
