"""What is told and drawn of a lab that was climbed, on recorded results."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_labs import climbed, labs

from rooftop.lab.picture import networks, write_picture
from rooftop.lab.summary import summary
from rooftop.text.quantities import NARROW_SPACE

PNG = b"\x89PNG\r\n\x1a\n"
LINKS, SOCKETS, STRIDES, UNSORTED = range(4)


def told(folder: Path, which: int) -> list[str]:
    found = labs(folder)
    result = climbed(found).experiments[which]
    return [line.plain.replace(NARROW_SPACE, " ") for line in summary(found[which], result)]


def test_the_ladder_predictions_and_the_course(tmp_path: Path) -> None:
    assert told(tmp_path, STRIDES) == [
        "The title of strides  What does strides cost?",
        "one",
        "  10-far   3.00 ms [2.70 ms, 3.60 ms]",
        "  20-near  100 µs [90.0 µs, 120 µs]",
        "predicted 10-far / 20-near = figure('latency', level='memory') / 1e-9",
        "  one, 1 worker: predicted 25.0×, measured 30.0× [27.0×, 33.0×]: agrees within a factor of 1.5; "
        "latency = 1e-07",
        "  one, 1 worker: predicted 10.0×, measured 30.0× [27.0×, 33.0×]: disagrees within a factor of 1.5; "
        "latency = 1e-07",
        "the course: near and far: 1 and 99 s",
        "corrected: It is 2 s since 1999.",
    ]


def test_what_cannot_run_says_why(tmp_path: Path) -> None:
    lines = told(tmp_path, SOCKETS)
    assert "  10-far   skipped: not visible here: one socket" in lines
    assert "  one, 1 worker: predicted 2.00×, not measured: 10-far has no time: one socket" in lines


def test_figures_stand_beside_times(tmp_path: Path) -> None:
    lines = told(tmp_path, LINKS)
    assert "  10-far   3.00 ms [2.70 ms, 3.60 ms]; mean distance 5.50" in lines
    assert "predicted mean_distance of 10-far = n / 3" in lines


@pytest.mark.parametrize("which", [LINKS, SOCKETS, STRIDES, UNSORTED])
def test_every_lab_has_a_picture(tmp_path: Path, which: int) -> None:
    found = labs(tmp_path)
    file = tmp_path / "new" / "picture.png"
    write_picture(found[which], climbed(found).experiments[which], file)
    assert file.read_bytes().startswith(PNG)


def test_networks_are_those_of_the_labs_function(tmp_path: Path) -> None:
    found = labs(tmp_path)
    (only,) = networks(found[LINKS], ["10-far"])
    assert only.nodes == [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    assert only.links == [((0.0, 0.0), (1.0, 0.0), 1.0), ((1.0, 0.0), (1.0, 1.0), 4.0)]
    assert networks(found[LINKS], []) == networks(found[STRIDES], ["10-far"]) == []
