"""The order of rooms in pyproject.toml is held: an import against it fails `make check`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(name="tree")
def tree_fixture(tmp_path: Path) -> Path:
    """Return a copy of the package's Python files, with the contract beside it."""
    for file in (ROOT / "src" / "rooftop").rglob("*.py"):
        copy = tmp_path / file.relative_to(ROOT / "src")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    for file in (ROOT / "solvers").rglob("*.py"):  # the package has them through a link
        copy = tmp_path / "rooftop" / "solvers" / file.relative_to(ROOT / "solvers")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    return tmp_path


def lint(tree: Path) -> tuple[int, str]:
    program = Path(sys.executable).with_name("lint-imports")
    ended = subprocess.run(
        [program, "--no-cache", "--no-logo"],
        cwd=tree,
        env={"PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout + ended.stderr


def plant(file: Path, line: str) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace("from __future__ import annotations\n", f"from __future__ import annotations\n\n{line}\n", 1)
    )


def test_order_of_rooms_is_kept(tree: Path) -> None:
    code, told = lint(tree)
    assert code == 0, told


@pytest.mark.parametrize(
    ("file", "line", "named"),
    [
        ("text/plural.py", "from rooftop.store import database", "rooftop.text is not allowed to import rooftop.store"),
        (
            "measure/rules.py",
            "from rooftop.climb.run import KIND",
            "rooftop.measure is not allowed to import rooftop.climb",
        ),
        ("tune/page.py", "from rooftop.scale import page", "rooftop.tune is not allowed to import rooftop.scale"),
    ],
    ids=["ground imports a store", "measuring imports a kind", "one kind imports another"],
)
def test_planted_import_against_the_order_is_seen(tree: Path, file: str, line: str, named: str) -> None:
    plant(tree / "rooftop" / file, line)
    code, told = lint(tree)
    assert code == 1
    assert named in " ".join(told.split())


def test_every_room_has_a_place() -> None:
    """Kinds of campaigns may be added without one."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        (contract,) = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    placed = {name.strip() for layer in contract["layers"] for name in layer.split("|")}
    package = ROOT / "src" / "rooftop"
    rooms = {file.stem for file in package.glob("*.py")} | {file.parent.name for file in package.glob("*/__init__.py")}
    kinds = {file.parent.name for file in package.glob("*/command.py")}
    assert rooms - kinds - placed == {"__init__"}
    assert placed <= rooms


def test_few_files_lie_at_the_root() -> None:
    assert len(list((ROOT / "src" / "rooftop").glob("*.py"))) <= 10
