"""The command: lists, one lab from its name to its files, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest_types import Write
from still_machine import StillMachine

from rooftop.cli.app import main
from rooftop.probe import surroundings

LESSON = (
    "from dataclasses import replace\nfrom rooftop.ladder.experiment import Lesson, Prediction\n"
    "experiment = replace(experiment, predictions=[Prediction('20-b', '2', over='10-a')],\n"
    "    lesson=Lesson('Core', 1, ('All is slow.',), {'a and b': '3 and 4 s'}, corrects='It is 5 s.'))\n"
)


@pytest.fixture(autouse=True)
def effect(scratch: None, write_experiment: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab whose second rung takes half of the time, on a machine that never changes."""
    monkeypatch.setattr(surroundings, "ThisMachine", StillMachine)
    folder = write_experiment("labs/effect", rungs={"10-a": "run_ns=4e6", "20-b": "run_ns=2e6"}, cases=1)
    with (folder / "experiment.py").open("a", encoding="utf-8") as file:
        file.write(LESSON)
    return folder


def test_labs_are_listed_by_chapter_and_by_symptom(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab"]) == 0
    told = capsys.readouterr().out
    assert [line.split() for line in told.splitlines()[:2]] == [
        ["Core", "symptom"],
        ["effect", "All", "is", "slow."],
    ]
    assert main(["lab", "--symptoms"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["All", "is", "slow.", "effect"]
    assert main(["lab", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "rooftop/labs/1"
    assert [(one["name"], one["chapter"], one["symptoms"]) for one in document["labs"]] == [
        ("labs/effect", "Core", ["All is slow."])
    ]


@pytest.mark.parametrize("name", ["effect", "labs/effect"])
def test_a_lab_is_measured_told_and_drawn(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", name, "--budget", "30s", "--seed", "1"]) == 0
    told = capsys.readouterr().out
    for part in (
        "A fake ladder  Does the bench do what it says?\n",
        "predicted 20-b / 10-a = 2\n",
        "the course: a and b: 3 and 4 s\n",
        "corrected: It is 5 s.\n",
    ):
        assert part in told
    files = {what: Path(told.split(f"{what}: ")[1].splitlines()[0]) for what in ("picture", "report")}
    assert files["picture"].suffix == ".png" and files["report"].suffix == ".html"
    assert all(file.is_relative_to(tmp_path / "home") and file.stat().st_size for file in files.values())


def test_a_lab_has_the_document_of_a_climb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["lab", "effect", "--budget", "30s", "--size", "workers", "--threads", "1", "--no-report", "--json"]
    assert main(words) == 0
    seen = capsys.readouterr()
    document = json.loads(seen.out)
    assert document["schema"] == "rooftop/climb/1"
    assert (document["experiments"][0]["size"], document["experiments"][0]["threads"]) == ("workers", 1)
    assert "picture: " in seen.err and "report: " not in seen.err
    assert not list(tmp_path.rglob("*.html"))


def test_the_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "--course", str(tmp_path / "course.md")]) == 0
    text = (tmp_path / "course.md").read_text(encoding="utf-8")
    assert text.startswith("# The course") and "./rooftop lab effect\n" in text
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nought"], "there is no lab 'nought'; there are: effect"),
        (["effect", "--size", "XL"], "size 'XL' is not one of quick"),
        (["effect", "--budget", "soon"], "--budget is 'soon'"),
        (["effect", "--threads", "0"], "--threads is 0"),
        (["effect", "--seed", "-1"], "--seed is -1"),
        (["effect", "--symptoms"], "--symptoms applies to all labs, expected no NAME"),
        (["effect", "--course", "x.md"], "--course applies to all labs, expected no NAME"),
        (["effect", "--on", "pack:2", "--budget", "5s"], "--budget has no effect with --on, which measures nothing"),
        (["effect", "--on", "pack:2", "--json"], "--json cannot be combined with --on, which prints lines"),
        (["effect", "--on", "pack:2"], "does not place threads: expected a lab about placement"),
        (["--on", "pack:2"], "--on applies to a single lab, expected its NAME"),
        (["--budget", "5s"], "--budget applies to a single lab, expected its NAME"),
        (["--no-report"], "--no-report applies to a single lab, expected its NAME"),
        (["--course", "x.md", "--json"], "--json lists labs and --course writes a page, expected one of them"),
        (["--symptoms", "--json"], "--symptoms and --json"),
        (["--course", "/nowhere/x.md"], "there is no folder /nowhere"),
    ],
)
def test_misuse_is_one_line(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", *words]) == 2
    seen = capsys.readouterr()
    assert (seen.out, seen.err.count("\n")) == ("", 1)
    assert expected in seen.err
