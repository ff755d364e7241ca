"""Tunings of a rung that was measured in full: how near to the best they come from where its experiment says."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.tuning.recorded_space import Recorded
from benchmarks.tuning.replay_rung import BEST_OF_THE_CONTEST, SIX, found, starts_of, trials
from rooftop.parameters.space import label

FILES = {one.stem.removeprefix("hdf5_io_"): one for one in sorted(Path(__file__).parent.glob("hdf5_io_*.json"))}
RECORDED = {name: Recorded.read(file) for name, file in FILES.items()}
SEEDS = range(4)  # of the ten of benchmarks/tuning/replay_rung.py


def near_enough(recorded: Recorded, n_trials: int, near: float) -> int:
    """Return from how many seeds a tuning of so many configurations ends so near to the best."""
    costs, starts = recorded.costs(), starts_of(recorded)
    answers = [found(recorded, "tpe", seed, n_trials, starts) for seed in SEEDS]
    return sum(costs[label(one)] <= (1 + near) * min(costs.values()) for one in answers)


def test_all_three_reads_were_recorded() -> None:
    assert set(FILES) == {"cc1d", "cc2d", "stride1d"}


@pytest.mark.parametrize("name", FILES)
def test_a_recording_is_of_a_space_worth_searching(name: str) -> None:
    recorded = RECORDED[name]
    assert len(recorded.costs()) == len(recorded.space) >= 100
    assert recorded.of["case"] == name
    assert min(map(len, recorded.runs.values())) >= 5
    assert any(BEST_OF_THE_CONTEST[name].is_it(one) for one in recorded.space.configurations)


@pytest.mark.parametrize("name", FILES)
def test_within_ten_percent_after_six_configurations(name: str) -> None:
    assert near_enough(RECORDED[name], SIX, 0.10) >= len(SEEDS) - 1


@pytest.mark.parametrize("name", FILES)
def test_within_five_percent_after_a_twentieth_of_the_grid(name: str) -> None:
    assert near_enough(RECORDED[name], trials(RECORDED[name]), 0.05) >= len(SEEDS) - 1


@pytest.mark.parametrize("name", FILES)
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    RECORDED[name].write(again)
    assert again.read_bytes() == FILES[name].read_bytes()
    assert Recorded.read(again).of == RECORDED[name].of
