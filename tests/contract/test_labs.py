"""What every lab has, and what its form promises: few files, no JSON, a verifier that catches errors, a prediction."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest
from synthetic_machine import machine
from tree import BUILD, ROOT, files, labs

from rooftop.documents import Machine, Roof
from rooftop.ladder.discovery import Found, find_experiment
from rooftop.ladder.location import place_of
from rooftop.measure.prediction import predict
from rooftop.settings import Settings

LAUNCHED = ("mpirun.openmpi", "-np", "4", "--oversubscribe", "--bind-to", "none", "--allow-run-as-root")
MOST_FILES = 4
MOST_LINES = 180


def known_machine(threads: int) -> Machine:
    """Return a machine of which all figures are known for so many threads."""
    here = machine()
    most = [roof for roof in here.roofs if roof.threads == 2]
    here.roofs += [roof.model_copy(update={"threads": threads}) for roof in most if threads > 2]
    for team in {1, 2, threads}:
        for metric, unit, level in (
            ("write_nontemporal", "byte/s", "memory"),
            ("copy_nontemporal", "byte/s", "memory"),
            ("first_touch", "s/GiB", None),
            ("first_touch_huge", "s/GiB", None),
            ("page_fault_huge", "s", None),
            ("timer_cost", "s", None),
        ):
            here.roofs.append(Roof(metric=metric, value=1.5, unit=unit, threads=team, level=level))
    return here


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


@pytest.mark.parametrize("name", labs())
def test_a_lab_compiles_no_json(name: str) -> None:
    """Every header that its source includes, as the compiler says."""
    if found(name).rungs[0].interpreted:
        return
    commands = json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    source = ROOT / "experiments" / name / "lab.cpp"
    words = next(shlex.split(entry["command"]) for entry in commands if Path(entry["file"]) == source)
    output = words.index("-o")
    listed = subprocess.run(
        [*words[:output], *words[output + 2 :], "-M"], cwd=BUILD, capture_output=True, text=True, check=True
    ).stdout
    assert "rooftop/lab.hpp" in listed
    assert "nlohmann" not in listed


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


@pytest.mark.parametrize("name", labs())
def test_a_labs_verifier_catches_errors(name: str) -> None:
    """Every variant is right on the lab's own cases, and a spoiled or missing result is not."""
    lab = found(name)
    first = lab.rungs[0]
    words = [*first.command, "check", "--module", str(first.file)]
    if first.ranked:
        words = [*LAUNCHED, *words, "--threads", "1"]
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
                result = predict(prediction, known_machine(threads), threads, case.parameters)
                assert result.predicted is not None, result.reason


def test_labs_are_climbed_when_they_are_named() -> None:
    place = place_of(Settings(), ROOT / "experiments")
    assert not set(place.choose(())) & set(labs())
    assert set(labs()) <= set(place.choose(("labs",)))
