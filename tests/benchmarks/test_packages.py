"""The page of commands in a root with Python alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import typer

from benchmarks.packages.packages import COMMANDS, FILES, Done, Root, main, page_parts

SOLVERS = ("conv", "elasticity", "ft", "h5", "network", "tsp")


def test_a_code_that_is_not_right_is_told_with_what_was_said() -> None:
    right, wrong = Done("rooftop list", 0, (0,), "many"), Done("rooftop gate", 1, (0, 7), "it broke")
    about, rows = page_parts("rooftop.whl", [right, wrong])
    assert "1 of 2 commands" in about
    assert "| `rooftop list` | 0 | 0 |  |" in rows
    assert "| `rooftop gate` | 1 | 0 or 7 | it broke |" in rows


def test_what_is_missing_is_shown() -> None:
    assert Done("rooftop build", 4, (4,), "cmake was not found").row[-1] == "cmake was not found"


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_is_asked(solver: str) -> None:
    assert any(command.startswith(f"rooftop solve {solver} ") for command, _ in COMMANDS)


def test_the_program_is_python() -> None:
    ast.parse(FILES["h5io.py"])


def test_the_system_itself_is_no_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installing removes /work and /package of the root."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(Root, "has", lambda self, names: ["gcc"])  # nothing is installed, whatever is checked
    with pytest.raises(typer.BadParameter, match="--root is /,"):
        main(tmp_path / "one.whl", Path("/"))
