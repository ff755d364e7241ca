"""Recordings of spaces: how often what is run, and that an ended one goes on where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.tuning.recorded_space import Recorded
from benchmarks.tuning.rounds import Rounds, recorded_in, run_rounds
from rooftop.parameters.space import Configuration, Parameter, Space, label

SPACE = Space([Parameter("N", "param", (1, 2, 3)), Parameter("M", "param", (1, 2))], ["N != 3 or M == 1"])
OF = {"rung": "an/idea", "size": "S", "case": "one"}


def milliseconds(one: Configuration) -> float:
    return 10.0 * float(one["N"])


def counts(file: Path) -> dict[str, int]:
    return {name: len(runs) for name, runs in Recorded.read(file).runs.items()}


def test_all_run_equally_often_and_those_near_the_best_more_often(tmp_path: Path) -> None:
    file = tmp_path / "recorded.json"
    assert run_rounds(file, recorded_in(file, SPACE, OF), Rounds(4, 3, 0.1), milliseconds, lambda: 7.0)
    assert counts(file) == {"N=1 M=1": 7, "N=1 M=2": 7, "N=2 M=1": 4, "N=2 M=2": 4, "N=3 M=1": 4}
    recorded = Recorded.read(file)
    assert recorded.beside == [7.0] * 26
    assert sorted(turn for runs in recorded.runs.values() for turn, _ in runs) == list(range(26))
    assert (recorded.of, recorded.space.conditions) == (OF, SPACE.conditions)


def test_what_has_ended_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "recorded.json"
    how = Rounds(2, 1, 0.1, seconds=0.0)
    assert not run_rounds(file, recorded_in(file, SPACE, OF), how, milliseconds, None)
    assert set(counts(file).values()) == {0}
    half = {label(one): [(place, milliseconds(one))] for place, one in enumerate(SPACE.configurations)}
    half["N=3 M=1"] = []
    Recorded(SPACE, half, [], OF).write(file)
    assert run_rounds(file, recorded_in(file, SPACE, OF), Rounds(2, 1, 0.1), milliseconds, None)
    assert counts(file) == {"N=1 M=1": 3, "N=1 M=2": 3, "N=2 M=1": 2, "N=2 M=2": 2, "N=3 M=1": 2}


def test_a_file_of_something_else_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "recorded.json"
    Recorded(SPACE, {label(one): [] for one in SPACE.configurations}, [], OF).write(file)
    for space, of in ((Space([Parameter("N", "param", (1, 2))]), OF), (SPACE, {**OF, "case": "other"})):
        with pytest.raises(SystemExit, match="recording of something else"):
            recorded_in(file, space, of)
