"""The bracket: a whole body without inverted tetrahedra, its load and its clamp, numbered in slabs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from rooftop.ladder.discovery import load_declaration

EXPERIMENT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(EXPERIMENT)]

import bracket  # noqa: E402

gmsh = pytest.importorskip("gmsh", reason="Gmsh meshes the bracket")


@pytest.fixture(scope="module")
def body() -> dict[str, np.ndarray]:
    return {name: np.array(values) for name, values in bracket.bracket(0.2).items()}


def test_its_tetrahedra_fill_two_plates_with_holes(body: dict[str, np.ndarray]) -> None:
    corner = body["coordinates"].reshape(-1, 3)[body["tetrahedra"].reshape(-1, 4)]
    volumes = np.linalg.det(corner[:, 1:] - corner[:, :1]) / 6
    assert volumes.min() > 0
    # A hole's polygon is smaller than its circle.
    assert 14 - 2 * np.pi * 0.25 < volumes.sum() < 14 - 2 * np.pi * 0.24


def test_its_top_is_pulled_and_its_end_is_clamped(body: dict[str, np.ndarray]) -> None:
    places = body["coordinates"].reshape(-1, 3)
    load = body["load"].reshape(-1, 3)
    assert np.isclose(load[:, 0].sum(), 2)
    assert not load[:, 1:].any()
    assert np.array_equal(load[:, 0] > 0, places[:, 2] == 4)
    clamped = np.flatnonzero(places[:, 0] == 4)
    assert np.array_equal(body["held"], (3 * clamped[:, None] + np.arange(3)).ravel())


def test_a_range_of_nodes_is_a_slab(body: dict[str, np.ndarray]) -> None:
    tetrahedra = body["tetrahedra"].reshape(-1, 4)
    half = len(body["coordinates"]) // 6
    cut = (tetrahedra.min(axis=1) < half) & (tetrahedra.max(axis=1) >= half)
    assert cut.mean() < 0.2


def test_the_size_names_the_file(tmp_path: Path, body: dict[str, np.ndarray]) -> None:
    (case,) = load_declaration(EXPERIMENT / "experiment.py").cases("bracket")
    assert case.parameters["mesh"] == "listed"
    file = tmp_path / "folder" / Path(case.parameters["file"]).name
    bracket.write(file, 0.5)
    assert set(json.loads(file.read_text())) == set(body)
    assert list(file.parent.iterdir()) == [file]
