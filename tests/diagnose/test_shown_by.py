"""Each finding has a lab that shows it and a rung that got rid of it, which exist; the guide has the same findings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rooftop.diagnose.shown_by import Shown, shown_by
from rooftop.lab.lessons import find_lab
from rooftop.ladder.location import place_of
from rooftop.settings import Settings

SHOWN_BY = shown_by(Path(__file__).parents[2])
GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "diagnosing.md").read_text(encoding="utf-8")
_, _, AFTER = GUIDE.partition("\n## Findings\n")
ROWS = [row.split("|")[1] for row in AFTER.partition("\nFindings are ordered")[0].splitlines() if row.startswith("| `")]


@pytest.mark.parametrize("shown", SHOWN_BY.values(), ids=SHOWN_BY)
def test_labs_and_rungs_exist(shown: Shown) -> None:
    place = place_of(Settings(), None)
    find_lab(place, shown.lab)
    if shown.rung is not None:
        experiment, _, rung = shown.rung.rpartition("/")
        assert rung in [one.name for one in place.find(experiment).rungs]


def test_the_guide_has_the_same_findings() -> None:
    assert sorted(name for row in ROWS for name in re.findall(r"`([^`]+)`", row)) == sorted(SHOWN_BY)


def test_without_labs_nothing_is_shown(tmp_path: Path) -> None:
    assert shown_by(tmp_path) == {}
