"""What every experiment, rung and peer has, whichever are there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tree import BUILD, ROOT, experiments, files, labs

from rooftop.ladder.discovery import Found, Module, find_experiment

LONGEST_HEADER_LINES = 12


def found(name: str) -> Found:
    return find_experiment(ROOT / "experiments", BUILD, name)


MODULES = [(name, module) for name in experiments() for module in found(name).modules]
IDS = [f"{name}/{module.kind}/{module.name}" for name, module in MODULES]


@pytest.mark.parametrize("name", [name for name in experiments() if name not in labs()])
def test_experiment_is_complete(name: str) -> None:
    """A README, a problem, a verifier with tests, cases for the rungs' tests, and a ladder."""
    folder = ROOT / "experiments" / name
    for pattern in ("README.md", "problem.hpp", "problem.cpp", "verify.*", "tests/*.cpp", "tests/cases.jsonl"):
        assert list(folder.glob(pattern)), f"{folder} lacks {pattern}"
    assert found(name).rungs, f"{folder} has no rungs"
    for line in (folder / "tests/cases.jsonl").read_text(encoding="utf-8").splitlines():
        assert isinstance(json.loads(line), dict)


@pytest.mark.parametrize("name", experiments())
def test_sizes_are_declared(name: str) -> None:
    """Quick is there, and every size gives cases whose parameters are JSON."""
    declaration = found(name).declaration
    assert "quick" in declaration.sizes
    for size in declaration.sizes:
        for case in declaration.cases(size):
            assert json.loads(json.dumps(case.parameters)) == case.parameters


@pytest.mark.parametrize("name", experiments())
def test_ladder_has_one_rung_a_step(name: str) -> None:
    """A number stands for one idea; only the same idea for other instruction sets may share it."""
    ideas: dict[str, str] = {}
    for rung in found(name).rungs:
        number, idea = rung.name.split(".")[0].split("-", 1)
        assert ideas.setdefault(number, idea) == idea


@pytest.mark.parametrize(("name", "module"), MODULES, ids=IDS)
def test_header_tells_the_idea(name: str, module: Module) -> None:
    """The first line is a sentence of its own; a rung's whole header is short enough to be read."""
    assert module.idea, f"{module.source}: the first comment is the idea, found none"
    assert module.idea[0].isalnum()
    assert module.idea.endswith((".", "!", "?")), (
        f"{module.source}: the idea is a whole sentence, found {module.idea!r}"
    )
    if module.kind == "rung":
        lines = len(module.header.splitlines())
        assert lines <= LONGEST_HEADER_LINES, f"{module.source}: a header of {lines} lines"


@pytest.mark.parametrize(("name", "module"), MODULES, ids=IDS)
def test_module_describes_itself(name: str, module: Module) -> None:
    """What the build made answers `describe` as its file and folder are named."""
    if module.status != "built" or module.source.suffix != ".cpp":
        pytest.skip(module.reason or "not compiled")
    answer = subprocess.run(module.words("describe"), capture_output=True, text=True, check=True, timeout=60)
    described = json.loads(answer.stdout)
    assert described["protocol"] == 1
    assert described["experiment"] == name
    assert described["isa"] == module.isa
    assert described["module"] == module.name.split(".")[0]
    assert described["supported"] or described["reason"]


def test_every_experiment_is_built() -> None:
    """A folder with a declaration and with neither a problem nor a lab would be listed, and could not be climbed."""
    built = [
        path for path in files() if path.name in ("problem.cpp", "lab.cpp", "lab.py") and path.parts[0] == "experiments"
    ]
    assert sorted(Path("experiments") / name for name in experiments()) == sorted(path.parent for path in built)
