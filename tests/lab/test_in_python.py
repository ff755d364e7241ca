"""Labs that are Python programs: found, described, checked, climbed, and their figures held against predictions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from still_machine import StillMachine

from rooftop.climb.request import Request
from rooftop.climb.run import Climbing
from rooftop.climb.watch import Unwatched
from rooftop.documents import ClimbDocument
from rooftop.driver.process import ProcessExecutor
from rooftop.ladder.discovery import find_experiment
from rooftop.settings import Settings

SOURCE = '''"""Adds up numbers."""

import sys

from rooftop.lab.in_python import Lab, LabRung, SkipCaseError, Verdict, drive_lab, exact, variant


class Sum(Lab):
    parameters = ("n",)
    checks = ({"n": 1}, {"n": 7})

    def poison(self) -> None:
        self.sum = -1

    def verify(self) -> Verdict:
        n = self.given["n"]
        return exact("" if BLIND or self.sum == n * (n + 1) // 2 else f"the sum is {self.sum}")

    def spoil(self) -> None:
        self.sum += 1

    def figures(self) -> dict[str, float]:
        return {"steps": self.steps}


class Loop(LabRung):
    def __init__(self, lab: Sum) -> None:
        self.lab = lab

    def run(self) -> None:
        n = self.lab.given["n"]
        self.lab.sum, self.lab.steps = sum(range(n + 1)) + OFF, n


class Formula(Loop):
    def run(self) -> None:
        n = self.lab.given["n"]
        self.lab.sum, self.lab.steps = n * (n + 1) // 2, 1


class Absent(Loop):
    def __init__(self, lab: Sum) -> None:
        raise SkipCaseError("there is nothing to see here")


BLIND, OFF = False, 0
VARIANTS = (
    variant("10-loop", "One after the other.", Loop),
    variant(
        "20-formula",
        "By Gauss' "
        "formula.",
        Formula,
    ),
    variant("30-absent", "What is not here.", Absent),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Sum, VARIANTS, __file__, sys.argv[1:]))
'''
DECLARATION = """from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

experiment = Experiment(
    title="Sums",
    rate_unit="sums/s",
    rate_scale=1,
    sizes={"quick": [Case("one", {"n": 100}, 1)]},
    predictions=[
        Prediction(of="10-loop", figure="steps", formula="n"),
        Prediction(of="10-loop", over="20-formula", figure="steps", formula="n / 4"),
        Prediction(of="10-loop", figure="misses", formula="n"),
        Prediction(of="30-absent", figure="steps", formula="1"),
    ],
    lesson=Lesson(chapter="Core", place=1, symptoms=("It takes long.",)),
)
"""


@pytest.fixture(name="lab")
def lab_fixture(settings: Settings) -> Path:
    """A lab in the folder where the bench looks for experiments."""
    folder = settings.root_folder / "experiments" / "labs" / "sums"
    folder.mkdir(parents=True)
    (folder / "lab.py").write_text(SOURCE, encoding="utf-8")
    (folder / "experiment.py").write_text(DECLARATION, encoding="utf-8")
    return folder


def run(lab: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(lab / "lab.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def test_a_lab_is_described_by_itself_and_by_its_source(lab: Path, settings: Settings) -> None:
    found = find_experiment(settings.root_folder / "experiments", settings.build_folder, "labs/sums")
    described = json.loads(run(lab, "describe", "--variant", "20-formula").stdout)
    assert described["variants"] == [[rung.variant, rung.header] for rung in found.rungs]
    assert described["variants"][1] == ["20-formula", "By Gauss' formula."]
    assert (described["experiment"], described["module"], described["parameters"]) == ("labs/sums", "20-formula", ["n"])
    assert {rung.status for rung in found.rungs} == {"built"}
    assert found.rungs[0].interpreted


def test_every_variant_and_the_verifier_are_checked(lab: Path) -> None:
    done = run(lab, "check")
    assert done.returncode == 0, done.stderr
    assert "skipped 30-absent" in done.stderr


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("OFF = False, 0", "OFF = False, 1", "the sum is 2"),
        ("BLIND, OFF = False", "BLIND, OFF = True", "the verifier does not catch a result that was spoiled"),
    ],
)
def test_a_check_fails_where_something_is_wrong(lab: Path, before: str, after: str, said: str) -> None:
    (lab / "lab.py").write_text(SOURCE.replace(before, after), encoding="utf-8")
    done = run(lab, "check")
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize("words", [(), ("run",), ("run", "--variant", "40-none"), ("walk",)])
def test_misuse_has_exit_code_2(lab: Path, words: tuple[str, ...]) -> None:
    assert run(lab, *words).returncode == 2


@pytest.fixture(name="document")
def document_fixture(lab: Path, settings: Settings) -> ClimbDocument:
    """A climb of the lab."""
    assert lab.is_dir()
    climbing = Climbing(settings, ProcessExecutor(), StillMachine(), Unwatched())
    return climbing.climb(Request(names=("labs/sums",), budget_s=20, seed=3, size="quick")).document


def test_predictions_may_be_about_figures(document: ClimbDocument) -> None:
    steps, times_as_many, none, absent = document.experiments[0].cases[0].predictions
    assert (steps.predicted, steps.measured, steps.agrees) == (100, 100, True)
    assert (times_as_many.predicted, times_as_many.measured, times_as_many.agrees) == (25, 100, False)
    assert (none.agrees, none.reason) == (None, "10-loop tells no figure 'misses'")
    assert (absent.agrees, absent.reason) == (None, "30-absent has no time: there is nothing to see here")
