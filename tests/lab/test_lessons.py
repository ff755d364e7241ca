"""The order of the course, the symptoms, and the page, which are made of the labs and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_labs import lab, labs, lesson

from rooftop.errors import Misuse
from rooftop.lab.lessons import by_symptom, chapters, course_page, entry, find_lab, find_labs, section, short_name
from rooftop.ladder.location import Place

DECLARATION = """from rooftop.ladder.experiment import Case, Experiment

experiment = Experiment(title="T", rate_unit="x", rate_scale=1.0, sizes={"quick": [Case("one", {}, 1.0)]})
"""
SOURCE = 'VARIANTS = (\n    variant("10-a", "The idea.", A),\n)\n'


@pytest.fixture(name="place")
def place_fixture(tmp_path: Path) -> Place:
    """A tree with two labs and another experiment."""
    for name in ("labs/one", "labs/two", "other"):
        (tmp_path / "experiments" / name).mkdir(parents=True)
        (tmp_path / "experiments" / name / "experiment.py").write_text(DECLARATION, encoding="utf-8")
        (tmp_path / "experiments" / name / "lab.py").write_text(f"\n{SOURCE}", encoding="utf-8")
    return Place(tmp_path / "experiments", None, tmp_path / "experiments", tmp_path / "build")


def test_chapters_stand_in_the_order_of_the_course(tmp_path: Path) -> None:
    order = [(chapter.title, [short_name(one) for one in chapter.labs]) for chapter in chapters(labs(tmp_path))]
    assert order == [("Memory", ["strides", "sockets"]), ("Networks", ["links"]), ("Others", ["unsorted"])]


def test_symptoms_stand_in_alphabetical_order(tmp_path: Path) -> None:
    assert [(symptom, short_name(one)) for symptom, one in by_symptom(labs(tmp_path))] == [
        ("A loop is slow.", "strides"),
        ("Columns are slow.", "strides"),
        ("Far nodes are slow.", "links"),
        ("The second socket is slow.", "sockets"),
    ]


def test_a_lab_is_found_with_and_without_its_group(place: Place) -> None:
    assert [one.name for one in find_labs(place)] == ["labs/one", "labs/two"]
    assert find_lab(place, "two").name == find_lab(place, "labs/two").name == "labs/two"
    for name in ("other", "three", "../other", "labs", ""):
        with pytest.raises(Misuse, match="there are: one, two"):
            find_lab(place, name)


def test_the_page_says_of_each_lab_what_it_declares(tmp_path: Path) -> None:
    found = labs(tmp_path)
    text = course_page(found)
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["## Memory", "## Networks", "## Others"]
    commands = [line for line in text.splitlines() if line.startswith("./rooftop ")]
    assert commands == [f"./rooftop lab {name}" for name in ("strides", "sockets", "links", "unsorted")]
    for one in found:
        assert section(one) in text
    told = section(found[2])
    for part in (
        "### The title of strides\n\nWhat does strides cost?\n",
        "- Columns are slow.\n- A loop is slow.\n",
        "- time of 10-far / time of 20-near = `figure('latency', level='memory') / 1e-9` "
        "(agrees within a factor of 1.5)\n",
        "- near and far: 1 and 99 s\n",
        "**Corrected.** It is 2 s since 1999.\n",
    ):
        assert part in told


def test_a_lab_that_goes_or_comes_changes_no_other_section(tmp_path: Path) -> None:
    found = labs(tmp_path)
    before = course_page(found)
    gone = course_page(found[1:])
    assert before.replace(f"## Networks\n\n{section(found[0])}\n", "") == gone
    more = course_page([*found, lab(tmp_path, "more", lesson("Memory", 2.5, "More."))])
    assert [section(one) in more for one in found] == [True] * len(found)


def test_the_document_has_what_the_lesson_says(tmp_path: Path) -> None:
    found = labs(tmp_path)
    told = entry("Memory", found[2])
    assert told["symptoms"] == ["Columns are slow.", "A loop is slow."]
    assert told["course"] == {"near and far": "1 and 99 s"}
    assert entry("Others", found[3]) | {"symptoms": [], "course": {}, "corrects": ""} == entry("Others", found[3])
