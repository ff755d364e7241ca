"""The functions on arrays, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers import _template as solver
from rooftop.solvers._template import library


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Skip where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def test_dot_of_any_real_numbers() -> None:
    assert solver.dot([1, 2, 3], (4.0, 5.0, 6.0)) == 32


@pytest.mark.parametrize("y", [[1.0], [[1.0, 2.0]], ["1", "2"], [1j, 2]])
def test_misuse_is_told(y: object) -> None:
    with pytest.raises(solver.ArgumentError, match=r"expected"):
        solver.dot([1.0, 2.0], y)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "columns"
    file.write_text("1 3\n2 4\n", encoding="utf-8")
    assert main(["solve", library.NAME, "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["dot"] == 11
    file.write_text("1 2 3\n", encoding="utf-8")
    assert main(["solve", library.NAME, str(file)]) == 2
