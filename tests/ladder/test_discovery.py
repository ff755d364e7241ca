"""What is found by file names, and what is said of what is not built."""

from __future__ import annotations

from pathlib import Path

import pytest

from rooftop.errors import Misuse, NotBuilt
from rooftop.ladder.discovery import build_description, find_experiment, find_names, header_comment
from rooftop.launchers.team import Team

EXPERIMENT = """from rooftop.ladder.experiment import Case, Experiment
experiment = Experiment(title="t", rate_unit="u", rate_scale=1, sizes={"quick": [Case("a", {}, 1.0)]})
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """An experiment of C++ files, partly built."""
    folder = tmp_path / "experiments" / "thing"
    built = tmp_path / "build" / "experiments" / "thing"
    for where in (folder / "rungs", folder / "peers", built / "rungs", built / "peers"):
        where.mkdir(parents=True)
    (folder / "experiment.py").write_text(EXPERIMENT, encoding="utf-8")
    for name in ("100-last.cpp", "20-second.avx2.cpp", "3-first.cpp"):
        (folder / "rungs" / name).write_text(
            f"// needs: Nothing\n// Idea of {name}.\n// More.\nint x;\n", encoding="utf-8"
        )
    (folder / "rungs" / "notes.md").write_text("no rung", encoding="utf-8")
    (folder / "peers" / "lib.cpp").write_text("/* A library.\n * Known. */\n", encoding="utf-8")
    (built / "driver").write_text("", encoding="utf-8")
    (built / "rungs" / "3-first.so").write_text("", encoding="utf-8")
    (built / "peers" / "lib.skipped").write_text("oneDNN is not here: apt install libdnnl-dev\n", encoding="utf-8")
    return tmp_path


def test_the_ladder_is_in_numeric_order_with_its_ideas(tree: Path) -> None:
    found = find_experiment(tree / "experiments", tree / "build", "thing")
    assert [rung.name for rung in found.rungs] == ["3-first", "20-second.avx2", "100-last"]
    assert [rung.isa for rung in found.rungs] == [None, "avx2", None]
    assert found.rungs[0].idea == "Idea of 3-first.cpp."
    assert found.peers[0].header == "A library.\nKnown."


def test_what_is_not_built_says_so(tree: Path) -> None:
    found = find_experiment(tree / "experiments", tree / "build", "thing")
    assert [module.status for module in found.modules] == ["built", "not built", "not built", "skipped"]
    assert found.peers[0].reason == "oneDNN is not here: apt install libdnnl-dev"
    assert found.rungs[0].words("run")[1:] == ["run", "--module", str(found.rungs[0].file)]


def test_hidden_and_nested_experiments(tree: Path) -> None:
    experiments = tree / "experiments"
    for name in ("_template", "labs/false_sharing"):
        (experiments / name).mkdir(parents=True)
        (experiments / name / "experiment.py").write_text(EXPERIMENT, encoding="utf-8")
    assert find_names(experiments) == ["labs/false_sharing", "thing"]
    assert find_names(experiments, hidden=True) == ["_template", "labs/false_sharing", "thing"]
    assert find_experiment(experiments, tree / "build", "_template").rungs == ()


LAB = """/// An effect.
// needs: Nothing
class Made : public rooftop::LabRung {};
using rooftop::variant;
ROOFTOP_LAB(Counting, variant<Made<8>, Counting>("10-slow", "All in \\"one\\" line: "
                                                             "slow."),
            rooftop::variant<Made<64>, Counting>(
                "20-fast.avx2", "Apart."));
"""


def write_lab(tree: Path, text: str) -> Path:
    folder = tree / "experiments" / "labs" / "effect"
    folder.mkdir(parents=True)
    (folder / "experiment.py").write_text(EXPERIMENT, encoding="utf-8")
    (folder / "lab.cpp").write_text(text, encoding="utf-8")
    return folder


def test_the_ladder_of_a_lab_is_in_its_source(tree: Path) -> None:
    write_lab(tree, LAB)
    built = tree / "build" / "experiments" / "labs" / "effect"
    built.mkdir(parents=True)
    found = find_experiment(tree / "experiments", tree / "build", "labs/effect")
    assert found.group == "labs"
    assert [rung.name for rung in found.rungs] == ["10-slow", "20-fast.avx2"]
    assert [rung.isa for rung in found.rungs] == [None, "avx2"]
    assert found.rungs[0].idea == 'All in "one" line: slow.'
    assert {rung.status for rung in found.rungs} == {"not built"}
    (built / "lab.skipped").write_text("needs Nothing\n", encoding="utf-8")
    found = find_experiment(tree / "experiments", tree / "build", "labs/effect")
    assert [rung.reason for rung in found.rungs] == ["needs Nothing"] * 2
    (built / "lab.so").write_text("", encoding="utf-8")
    (built / "driver").write_text("", encoding="utf-8")
    found = find_experiment(tree / "experiments", tree / "build", "labs/effect")
    assert {rung.status for rung in found.rungs} == {"built"}
    words = [str(built / "driver"), "run", "--module", str(built / "lab.so"), "--variant", "20-fast.avx2"]
    assert found.rungs[1].words("run") == words
    assert found.rungs[0].on(Team(threads=2)).program == found.rungs[0].program != found.rungs[1].program


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int x;\n", "names no variants"),
        (LAB.replace("10-slow", "slow"), "a variant is named 'slow', expected NN-idea"),
        (LAB.replace("10-slow", "20-fast.avx2"), "each name once"),
    ],
)
def test_a_lab_without_a_ladder_is_misuse(tree: Path, text: str, said: str) -> None:
    write_lab(tree, text)
    with pytest.raises(Misuse, match=said):
        find_experiment(tree / "experiments", tree / "build", "labs/effect")


def test_a_rung_without_a_number_is_misuse(tree: Path) -> None:
    (tree / "experiments" / "thing" / "rungs" / "Fastest.cpp").write_text("", encoding="utf-8")
    with pytest.raises(Misuse, match="expected NN-idea"):
        find_experiment(tree / "experiments", tree / "build", "thing")


def test_build_description(tree: Path) -> None:
    with pytest.raises(NotBuilt, match="does not exist"):
        build_description(tree / "build")
    (tree / "build" / "build.json").write_text('{"compiler": "g++"}', encoding="utf-8")
    assert build_description(tree / "build") == {"compiler": "g++"}


@pytest.mark.parametrize(
    ("source", "header"),
    [
        ("", ""),
        ("int x;\n// later", ""),
        ("// One.\n//\n// Two.\n", "One.\n\nTwo."),
        ("/// Docs.\n#include <x>\n", "Docs."),
        ("#!/usr/bin/env python3\n# Idea.\n", "Idea."),
        ('"""Idea.\n\nMore.\n"""\n', "Idea.\n\nMore."),
        ("! Fortran idea\nprogram x\n", "Fortran idea"),
        ("// SPDX-License-Identifier: Apache-2.0\n// Idea.\n", "Idea."),
        ("/// Idea.\n// threads: none, but the verifier's\n#include <x>\n", "Idea."),
    ],
)
def test_header_comments(source: str, header: str) -> None:
    assert header_comment(source) == header
