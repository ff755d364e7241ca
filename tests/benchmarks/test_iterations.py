"""The page of multigrid's iterations says what grows and what takes too many."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.elasticity_iterations.iterations import (
    BODIES,
    UNIFORM,
    Held,
    Tables,
    ball,
    bent,
    distorted,
    even,
    graded,
    iterations,
    layered,
    middle,
    placed,
    results_page,
)

THIN = Tables([["plate"]], [["layers"]], [["wedge"]], all_met=True)


def test_what_grows_or_takes_too_many_is_missed() -> None:
    found = {body.title: [6, 6] for body in BODIES} | {"graded 1:10": [9, 9], "inclusion, the middle half": [9, 10]}
    text, met = results_page(found, (20, 40), THIN)
    assert not met
    assert "| graded 1:10 | 9 | 9 | 0 | 1.50× | does not grow, 1.5× | met |" in text
    assert "| inclusion, the middle half | 9 | 10 | 1 | 1.67× | does not grow, 1.5× | missed |" in text
    assert results_page({body.title: [6, 5] for body in BODIES}, (20, 40), THIN)[1]
    assert "\n| layers |\n" in text


def test_boxes_are_what_they_are_called() -> None:
    x = graded(20)[0, 0, :, 0]
    assert np.diff(x)[-1] / np.diff(x)[0] == pytest.approx(10)
    assert x[-1] == pytest.approx(19)
    assert middle(21).sum() == 20**3 - 10**3 + 1000 * 10**3
    assert 0.9 < (ball(81) > 1).mean() / (4 / 3 * np.pi / 64) < 1.1
    moved = distorted(5)
    assert np.array_equal(moved[0, ..., 0], np.broadcast_to(np.arange(5.0), (5, 5)))
    assert not np.array_equal(moved[2, 2, 1:-1, 0], np.arange(1.0, 4.0))


def test_a_small_box_is_solved() -> None:
    assert {body.title: iterations(body, 9) for body in BODIES}[UNIFORM] <= 8


def test_edges_of_layers_grow_to_one() -> None:
    lengths = np.diff(layered(9, 100))
    assert lengths[0] == pytest.approx(0.01)
    assert lengths[-1] == pytest.approx(1)
    assert np.allclose(lengths[1:] / lengths[:-1], lengths[1] / lengths[0])


def test_bodies_are_held_against_cubes_of_their_elements() -> None:
    held = Held()
    flat = placed(even(7), even(7), even(3, 0.1))
    for kind in ("hexahedron", "wedge", "hexahedron20"):
        line = held.row([kind, "10"], flat, as_mesh=True, kind=kind)
        assert line[:3] == [kind, "10", str(bent(flat, as_mesh=True, kind=kind).iterations)]
