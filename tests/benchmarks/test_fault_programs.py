"""The programs that judge `rooftop diagnose`: a fault changes how long a program runs, and not what it gives."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from benchmarks.diagnose.fault_programs import SOURCES, Cured, Program, programs
from rooftop.diagnose import cures

TINY = 0.02  # of the work of a measurement
ALL = programs()


def result(program: Program, words: tuple[str, ...], *, cured: bool) -> str:
    """Run it with little work, and return what it printed."""
    found = subprocess.run(
        program.words(words, TINY, cured=cured),
        env={**os.environ, **program.variables(cured=cured)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert re.fullmatch(r"checksum +[0-9.E+-]+\n", found.stdout, re.IGNORECASE)
    return found.stdout


def test_there_are_sixteen_faults_and_four_healthy_programs() -> None:
    assert len([one for one in ALL if not one.healthy]) == 16
    assert len([one for one in ALL if one.healthy]) == 4
    assert len({one.name for one in ALL}) == 20
    assert {one.source for one in ALL} == {file.name for file in SOURCES.iterdir() if file.is_file()}


def test_every_fault_has_a_cured_variant_and_cures_that_exist() -> None:
    assert [one.name for one in ALL if one.healthy != (one.cured is None)] == []
    assert {name for one in ALL for name in one.cures} <= set(cures.names())
    assert [one.name for one in ALL if one.healthy and one.cures] == []


@pytest.mark.parametrize("program", ALL, ids=lambda one: one.name)
def test_every_source_says_in_six_lines_what_it_is(program: Program) -> None:
    text = (SOURCES / program.source).read_text(encoding="utf-8")
    opening = "Healthy: " if program.healthy else "Fault: "
    head, usage, _ = text.partition("Usage: ")
    assert opening in head.partition("\n")[0]
    assert usage
    assert head.count("\n") < 6


@pytest.mark.parametrize("program", ALL, ids=lambda one: one.name)
def test_every_program_builds_and_gives_the_same_with_and_without_its_fault(program: Program, tmp_path: Path) -> None:
    if program.missing:
        pytest.skip(program.missing)
    words = program.build(tmp_path, "-Werror")
    given = result(program, words, cured=False)
    assert result(program, words, cured=program.cured is not None) == given


def test_words_are_filled_in() -> None:
    program = Program(
        name="one",
        source="one.c",
        compiler="gcc",
        start=("taskset", "-c", "$cpu", "$program"),
        environment={"OMP_NUM_THREADS": "$many", "OMP_PLACES": "{$cpu}"},
        cured=Cured(arguments=("cured",), environment={"OMP_PLACES": "cores"}),
    )
    cpus = sorted(os.sched_getaffinity(0))
    assert program.words(["./one"], 0.5) == ["taskset", "-c", str(cpus[0]), "./one", "0.5"]
    assert program.words(["./one"], cured=True)[-2:] == ["1", "cured"]
    assert program.variables() == {"OMP_NUM_THREADS": str(4 * len(cpus)), "OMP_PLACES": f"{{{cpus[0]}}}"}
    assert program.variables(cured=True)["OMP_PLACES"] == "cores"


def test_a_program_without_its_compiler_is_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    missing = {one.missing for one in ALL}
    assert missing >= {"gcc is not installed", "gfortran is not installed", "mpicc is not installed"}
