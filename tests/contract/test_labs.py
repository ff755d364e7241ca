"""What every lab has, and what its form promises: few files, no JSON, a verifier that catches errors, a prediction."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from synthetic_machine import machine
from tree import BUILD, ROOT, files, labs

from rooftop.documents import Machine, Roof
from rooftop.ladder.discovery import Found, find_experiment
from rooftop.ladder.experiment import Prediction
from rooftop.ladder.location import place_of
from rooftop.measure.prediction import predict
from rooftop.settings import Settings

MOST_FILES = 4
MOST_LINES = 180


def asked_figures(formula: str) -> list[dict[str, Any]]:
    """Return the figures that a formula reads with figure(): metric and distinguishing details of each."""
    calls = [node for node in ast.walk(ast.parse(formula, mode="eval")) if isinstance(node, ast.Call)]
    return [
        {"metric": ast.literal_eval(call.args[0])}
        | {str(one.arg): ast.literal_eval(one.value) for one in call.keywords if isinstance(one.value, ast.Constant)}
        for call in calls
        if ast.unparse(call.func) == "figure"
    ]


def known_machine(formula: str, threads: int, up_to: str = "1") -> Machine:
    """Return a machine of which every figure of both formulas of a range is known for so many threads."""
    here = machine()
    most = [roof for roof in here.roofs if roof.threads == 2]
    here.roofs += [roof.model_copy(update={"threads": threads}) for roof in most if threads > 2]
    for asked in asked_figures(formula) + asked_figures(up_to):
        for team in {1, 2, threads}:
            figure = Roof.model_validate({"value": 1.5, "unit": "1", "threads": team} | asked)
            known = [roof for roof in here.roofs if all(getattr(roof, name) == it for name, it in asked.items())]
            if not any(roof.threads == figure.threads for roof in known):
                here.roofs.append(figure)
    return here


def test_a_lab_on_a_new_figure_is_checked_without_a_list_of_figures() -> None:
    formula = "2 * figure('page_walks', level='memory') / figure('clock', threads=1)"
    result = predict(Prediction(of="10-one", formula=formula), known_machine(formula, 3), 3, {})
    assert result.predicted is not None, result.reason


def found(name: str) -> Found:
    lab = find_experiment(ROOT / "experiments", BUILD, name)
    if lab.rungs[0].status != "built":
        pytest.skip(lab.rungs[0].reason or "not built")
    return lab


@pytest.mark.parametrize("name", labs())
def test_a_lab_is_read_in_one_sitting(name: str) -> None:
    folder = Path("experiments") / name
    own = [path for path in files() if path.is_relative_to(folder)]
    names = {path.name for path in own}
    assert {"experiment.py", "README.md"} <= names
    assert len(names & {"lab.cpp", "lab.py"}) == 1
    assert len(own) <= MOST_FILES
    assert sum(len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in own) <= MOST_LINES


@cache
def compiled_headers() -> dict[str, set[str]]:
    """Return the headers that each object of the build was compiled with, by the object's name."""
    ninja = shutil.which("ninja") or pytest.fail("ninja is not installed: packages/install required")
    listed = subprocess.run([ninja, "-t", "deps"], cwd=BUILD, capture_output=True, text=True, check=True).stdout
    objects = (part.splitlines() for part in listed.split("\n\n") if part.strip())
    return {lines[0].split(": #deps")[0]: {line.strip() for line in lines[1:]} for lines in objects}


@pytest.mark.parametrize("name", labs())
def test_a_lab_compiles_no_json(name: str) -> None:
    """Every header that its source includes, those that labs share too, as the compiler said when it was built."""
    if found(name).rungs[0].interpreted:
        return
    compiled = compiled_headers()
    headers = compiled[f"CMakeFiles/{name.replace('/', '.')}.dir/experiments/{name}/lab.cpp.o"]
    headers |= compiled["CMakeFiles/rooftop_lab_headers.dir/cmake_pch.hxx.gch"]
    assert any(header.endswith("rooftop/lab.hpp") for header in headers)
    assert [header for header in headers if "nlohmann" in header] == []


@pytest.mark.parametrize("name", labs())
def test_a_lab_is_what_its_source_says(name: str) -> None:
    """The ladder that is read from the source is the built one, and every case has the parameters that the lab has."""
    lab = found(name)
    described = json.loads(
        subprocess.run(lab.rungs[0].words("describe"), capture_output=True, text=True, check=True).stdout
    )
    assert described["variants"] == [[rung.variant, rung.header] for rung in lab.rungs]
    for size in lab.declaration.sizes:
        for case in lab.declaration.cases(size):
            assert sorted(case.parameters) == sorted(described["parameters"])


@pytest.mark.parametrize("name", [name for name in labs() if (ROOT / "experiments" / name / "lab.py").is_file()])
def test_the_verifier_of_a_lab_in_python_catches_errors(name: str) -> None:
    """Every variant is right on the lab's cases, and a spoiled or missing result is not. ctest checks labs in C++."""
    first = found(name).rungs[0]
    words = [*first.command, "check", "--module", str(first.file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode in (0, 77), done.stderr


@pytest.mark.parametrize("name", labs())
def test_a_lab_predicts(name: str) -> None:
    """There is a prediction, of rungs that exist, and its formula has a value where every figure is known."""
    lab = found(name)
    names = {rung.name for rung in lab.rungs}
    assert lab.declaration.predictions
    for prediction in lab.declaration.predictions:
        assert {prediction.of, prediction.over or prediction.of} <= names
        for case in lab.declaration.cases("quick"):
            for threads in case.workers or (1, 2):
                here = known_machine(prediction.formula, threads, prediction.up_to or "1")
                result = predict(prediction, here, threads, case.parameters)
                assert result.predicted is not None, result.reason


def test_labs_are_climbed_when_they_are_named() -> None:
    place = place_of(Settings(), ROOT / "experiments")
    assert not set(place.choose(())) & set(labs())
    assert set(labs()) <= set(place.choose(("labs",)))
