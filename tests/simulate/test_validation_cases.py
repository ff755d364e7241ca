"""The cases that replays are to be held against: twelve, each of which is a program that its ranks can run."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from any_platform import plain

from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.program import program_named

ROOT = Path(__file__).resolve().parents[2]
CASES = tomllib.loads((ROOT / "benchmarks/simulate/validation.toml").read_text(encoding="utf-8"))


def test_there_are_twelve() -> None:
    assert len({one["id"] for one in CASES["cases"]}) == 12


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_a_case_names_a_rung_and_has_a_program(case: dict[str, Any]) -> None:
    rung = re.match(r"([\w/]+)/(\d\d-[\w-]+),", case["measured"])
    assert rung is not None
    folder = ROOT / "experiments" / rung[1]
    lab = folder / "lab.cpp"
    assert (
        f'"{rung[2]}"' in lab.read_text(encoding="utf-8")
        if lab.is_file()
        else any(file.name.startswith(rung[2] + ".") for file in (folder / "rungs").iterdir())
    )
    hosts = CASES["rounds"]["first"]["hosts"]
    layout = laid_out(plain(hosts), hosts)
    program = program_named(case["program"])
    assert recording_of(layout, program.phases(hosts, 1, program.given(case["set"]))).ranks == hosts
