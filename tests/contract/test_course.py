"""The page of the course is what the command writes, and its commands run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from still_machine import StillMachine
from tree import BUILD, ROOT

from rooftop.cli.app import main
from rooftop.documents import ExperimentResult
from rooftop.lab import picture
from rooftop.lab.lessons import course_page, find_labs, section, short_name
from rooftop.lab.picture import networks
from rooftop.ladder.discovery import Found
from rooftop.ladder.location import place_of
from rooftop.probe import surroundings
from rooftop.settings import Settings

PAGE = ROOT / "docs" / "guide" / "course.md"
COMMANDS = re.findall(r"^\./rooftop (lab .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
LABS = {short_name(one): one for one in find_labs(place_of(Settings(root=ROOT, build=BUILD), None))}


def test_the_page_is_what_the_command_writes() -> None:
    """Labs that have been taken out or added since stand aside, so that neither breaks a test."""
    text = PAGE.read_text(encoding="utf-8")
    shown = [words.split()[1] for words in COMMANDS]
    assert shown
    here = [LABS[name] for name in shown if name in LABS]
    if len(here) == len(shown):
        assert text == course_page(here), "run './rooftop lab --course docs/guide/course.md'"
    for one in here:
        assert section(one) in text, f"{one.name}: run './rooftop lab --course docs/guide/course.md'"


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_of_the_page_runs(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a machine that is known, for as long as one run of a variant takes. Results are not checked.

    Networks are computed but not drawn: tests/lab draws every kind of picture.
    """
    lab = LABS.get(words.split()[1])
    if lab is None:
        pytest.skip("this lab has been taken out")
    if lab.rungs[0].status != "built":
        pytest.skip(lab.rungs[0].reason or "not built")
    for name, value in {"ROOT": ROOT, "BUILD": BUILD, "HOME": tmp_path}.items():
        monkeypatch.setenv(f"ROOFTOP_{name}", str(value))
    monkeypatch.setattr(surroundings, "ThisMachine", StillMachine)
    drawn = []

    def compute(lab: Found, result: ExperimentResult, file: Path) -> None:
        networks(lab, [rung.name for case in result.cases for rung in case.rungs if rung.outcome == "ok"])
        drawn.append(file)

    monkeypatch.setattr(picture, "write_picture", compute)
    code = main([*words.split(), "--budget", "500ms", "--no-report"])
    told = capsys.readouterr()
    assert lab.declaration.question in told.out
    assert code in (0, 3), told.out  # 3: no variant is for this machine, or none had its turn
    assert drawn == [Path(told.out.split("picture: ")[1].splitlines()[0])]
