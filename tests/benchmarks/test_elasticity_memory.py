"""The page of elasticity's memory says what takes more than it declares, and a driver's peak is that of one run."""

from __future__ import annotations

import pytest

from benchmarks.elasticity_memory.elasticity_memory import Grown, Solved, large_cases, measure, not_the_rungs, parts
from rooftop.ladder.discovery import find_experiment
from rooftop.launchers.team import Team
from rooftop.settings import Settings


def test_what_takes_more_is_told() -> None:
    small: dict[str, Grown | str] = {
        "10-tight": Grown(1000, 1099, 2000),
        "20-loose": Grown(1000, 1101, 1200),
        "30-absent": "AVX-512 is not here",
    }
    large: dict[str, tuple[int, Solved | str]] = {
        "10-tight": (160, Solved(160, 160, 3 << 30)),
        "20-loose": (256, "needs 30.0 GiB, and 20.0 GiB are left"),
    }
    told = "\n".join(parts(small, large, (20, 40)))
    assert "| 10-tight | 1000 | 1099 | met | 2000 |" in told
    assert "| 20-loose | 1000 | 1101 | more | 1200 |" in told
    assert "skipped: AVX-512 is not here" in told
    assert "1 of 2 met." in told
    assert "| 10-tight | 160³ | 160 | 3.0 |" in told
    assert "skipped: needs 30.0 GiB" in told


def test_large_cases_are_read() -> None:
    assert large_cases(["65-offsets=160", "a=2"]) == {"65-offsets": 160, "a": 2}
    assert large_cases(["none"]) == {}
    with pytest.raises(ValueError, match="invalid literal"):
        large_cases(["65-offsets"])


def test_ranks_hold_the_load_each_and_the_displacement_once() -> None:
    assert not_the_rungs(Team(threads=2), ranked=False) == 24
    assert not_the_rungs(Team(ranks=2), ranked=True) == 24 * 4


@pytest.mark.parametrize("name", ["60-symmetric", "37-overlap"])
def test_a_rung_takes_about_what_it_declares(name: str) -> None:
    settings = Settings()
    found = find_experiment(settings.root_folder / "experiments", settings.build_folder, "elasticity")
    module = next(one for one in found.rungs if one.name == name)
    grown = measure(module, (8, 40), Team(threads=2))
    if isinstance(grown, str):
        pytest.skip(grown)
    # Pages of 2 MiB make small meshes look larger than they are; a matrix that was forgotten would be 1000 bytes more.
    assert 0.9 * grown.declared < grown.running < 1.5 * grown.declared
    assert grown.whole > grown.running
