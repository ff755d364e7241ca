"""The tuner on spaces that were measured in full: how near to the best it comes with a tenth of what that took."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from rooftop.settings import Settings
from rooftop.tune.recorded import Recorded

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


def test_the_large_recording_is_of_a_space_worth_searching() -> None:
    recorded = RECORDED["blocked_product"]
    costs = sorted(recorded.costs().values())
    assert len(costs) == len(recorded.space) >= 200
    assert sum(cost <= 1.03 * costs[0] for cost in costs) <= 0.05 * len(costs)


def test_it_comes_within_three_percent_from_nine_of_ten_seeds(regrets: dict[str, list[float]]) -> None:
    assert sum(regret <= 0.03 for regret in regrets["tpe"]) >= 9, regrets


def test_it_beats_random_search(regrets: dict[str, list[float]]) -> None:
    assert median(regrets["tpe"]) <= median(regrets["shuffled"]), regrets


@pytest.mark.parametrize("name", FILES)
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    RECORDED[name].write(again)
    assert Recorded.read(again).times == RECORDED[name].times
    assert again.read_bytes() == FILES[name].read_bytes()
