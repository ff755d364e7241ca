"""The tuner on spaces that were measured in full: how near to the best it comes with a tenth of what that took."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from benchmarks.tuning.recorded_space import Recorded
from rooftop.errors import Misuse
from rooftop.parameters.space import Parameter, Space
from rooftop.settings import Settings

FILES = {name: Path(__file__).with_name(f"{name}.json") for name in ("blocked_product", "winograd")}
RECORDED = {name: Recorded.read(file) for name, file in FILES.items()}
SEEDS = range(10)


@pytest.fixture(scope="module", params=sorted(FILES))
def regrets(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float]]:
    """Search a recording with both strategies from every seed."""
    recorded = RECORDED[request.param]

    def search(strategy: str, seed: int) -> float:
        folder = tmp_path_factory.mktemp(f"{strategy}{seed}")
        return recorded.regret(recorded.search(Settings(home=folder), strategy, seed, 0.1))

    return {strategy: [search(strategy, seed) for seed in SEEDS] for strategy in ("tpe", "shuffled")}


@pytest.mark.parametrize("name", FILES)
def test_a_recording_is_of_a_space_worth_searching(name: str) -> None:
    recorded = RECORDED[name]
    costs = sorted(recorded.costs().values())
    assert len(costs) == len(recorded.space) >= 200
    assert sum(cost <= 1.03 * costs[0] for cost in costs) <= 0.05 * len(costs)


def test_it_comes_within_three_percent_from_nine_of_ten_seeds(regrets: dict[str, list[float]]) -> None:
    assert sum(regret <= 0.03 for regret in regrets["tpe"]) >= 9, regrets


def test_it_beats_random_search(regrets: dict[str, list[float]]) -> None:
    assert median(regrets["tpe"]) < median(regrets["shuffled"]), regrets


def test_the_run_beside_every_run_tells_the_state_of_the_machine() -> None:
    """One configuration of 4 ms, one of 7, on a machine that becomes slower and slower."""
    slower = [1 + turn / 200 for turn in range(400)]
    disturbed = [slow * (3 if turn % 20 == 7 else 1) for turn, slow in enumerate(slower)]
    runs = {
        f"N={1 + place}": [(turn, (4, 7)[place] * slower[turn]) for turn in range(place, 400, 2)] for place in (0, 1)
    }
    space = Space([Parameter("N", "param", (1, 2))])
    costs = Recorded(space, runs, disturbed).costs()
    assert costs["N=2"] / costs["N=1"] == pytest.approx(7 / 4, rel=0.01)
    for name, times in Recorded(space, runs, disturbed).times.items():
        assert 0.6 * costs[name] < min(times) <= max(times) < 1.3 * costs[name]
        assert max(time for _, time in runs[name]) > 1.4 * costs[name]


def test_what_is_measured_more_often_near_the_best_does_not_count_as_cost() -> None:
    space = Space([Parameter("N", "param", (1, 2))])
    runs = {"N=1": [(turn, 10.0) for turn in range(12)], "N=2": [(turn, 30.0) for turn in range(12, 15)]}
    assert Recorded(space, runs).exhaustive_s() == pytest.approx(3 * (10.0 + 30.0) * 1e-3)


def test_a_part_has_the_runs_and_the_cost_of_its_own_configurations() -> None:
    whole = RECORDED["winograd"]
    part = whole.only("threads", (2, 1))
    assert len(part.space) == len(part.runs) == len(whole.space) / 2
    assert part.space.configurations[0]["threads"] == 2
    assert part.costs().items() <= whole.costs().items()
    assert part.exhaustive_s() < 0.6 * whole.exhaustive_s()
    for name, values in (("threads", (1, 5)), ("depth", (1,))):
        with pytest.raises(Misuse, match=name):
            whole.only(name, values)


@pytest.mark.parametrize("name", FILES)
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    RECORDED[name].write(again)
    assert Recorded.read(again).times == RECORDED[name].times
    assert again.read_bytes() == FILES[name].read_bytes()
