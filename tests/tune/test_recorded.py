"""The tuner on a space that was measured in full: how near to the best it comes with a tenth of what that took."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from rooftop.settings import Settings
from rooftop.tune.recorded import Recorded

RECORDED = Recorded.read(Path(__file__).with_name("blocked_product.json"))
SEEDS = range(10)


@pytest.fixture(scope="module")
def regrets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float]]:
    """Search with both strategies from every seed."""

    def search(strategy: str, seed: int) -> float:
        folder = tmp_path_factory.mktemp(f"{strategy}{seed}")
        return RECORDED.regret(RECORDED.search(Settings(home=folder), strategy, seed, 0.1))

    return {strategy: [search(strategy, seed) for seed in SEEDS] for strategy in ("tpe", "shuffled")}


def test_the_recording_is_of_a_space_worth_searching() -> None:
    costs = sorted(RECORDED.costs().values())
    assert len(costs) == len(RECORDED.space) >= 200
    assert sum(cost <= 1.03 * costs[0] for cost in costs) <= 0.05 * len(costs)


def test_it_comes_within_three_percent_from_nine_of_ten_seeds(regrets: dict[str, list[float]]) -> None:
    assert sum(regret <= 0.03 for regret in regrets["tpe"]) >= 9, regrets


def test_it_beats_random_search(regrets: dict[str, list[float]]) -> None:
    assert median(regrets["tpe"]) <= median(regrets["shuffled"]), regrets


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    RECORDED.write(tmp_path / "again.json")
    assert Recorded.read(tmp_path / "again.json").times == RECORDED.times
    assert (tmp_path / "again.json").read_bytes() == Path(__file__).with_name("blocked_product.json").read_bytes()
