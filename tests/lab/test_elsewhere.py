"""What labs about placement would do on a machine of two sockets and eight memory nodes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from synthetic_machine import machine

from rooftop.errors import Misuse
from rooftop.lab.placement import elsewhere
from rooftop.ladder.discovery import Found
from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

TWO_SOCKETS = "pack:2 numa:4 core:4 pu:1"
pytestmark = pytest.mark.skipif(shutil.which("lstopo-no-graphics") is None, reason="lstopo is not installed")
PLACED = {"close": {"OMP_PROC_BIND": "close"}, "spread": {"OMP_PLACES": "{0}:32", "OMP_PROC_BIND": "spread"}}


def lab(**lesson: object) -> Found:
    declared = Experiment(
        title="Places",
        rate_unit="B/s",
        rate_scale=1,
        sizes={"quick": [Case("one", {"n": 1}, 1)]},
        predictions=[Prediction("10-close", "min(threads, numa_nodes) / n", "20-spread"), Prediction("10-close", "1")],
        lesson=Lesson("Threads", 1, ("It is slow.",), **lesson),  # type: ignore[arg-type]
    )
    return Found("labs/places", Path("labs/places"), declared, (), ())


def test_threads_and_predictions_of_another_machine() -> None:
    lines = list(elsewhere(lab(placed=PLACED), TWO_SOCKETS, 8, machine()))
    assert lines[0] == f"{TWO_SOCKETS}: 2 packages, 8 NUMA nodes, 32 cores; 8 threads. Nothing runs there."
    close = lines.index("close: OMP_PROC_BIND=close")
    assert lines[close + 1 : close + 3] == [
        "  threads 0 to 3: node 0, package 0, processors 0-3",
        "  threads 4 to 7: node 1, package 0, processors 4-7",
    ]
    assert lines[close + 3].startswith("  2 of 8 NUMA nodes with threads")
    spread = lines.index("spread: OMP_PLACES={0}:32 OMP_PROC_BIND=spread")
    assert lines[spread + 8] == "  thread 7: node 7, package 1, processors 28"
    assert lines[spread + 9].startswith("  8 of 8 NUMA nodes")
    assert lines[-1] == "predicted there, one: 10-close / 20-spread = min(threads, numa_nodes) / n: 8.00×"


def test_a_team_has_a_thread_for_each_core() -> None:
    assert "32 threads" in next(elsewhere(lab(placed=PLACED), TWO_SOCKETS, None, machine()))


def test_a_lab_that_places_nothing_is_refused() -> None:
    found = lab()
    plain = replace(found, declaration=replace(found.declaration, predictions=[]))
    with pytest.raises(Misuse, match="labs/places does not place threads: expected a lab about placement"):
        next(elsewhere(plain, TWO_SOCKETS, None, machine()))


@pytest.mark.case("commands.H6")
def test_a_setting_that_does_not_fit_is_skipped_with_the_reason() -> None:
    lines = list(elsewhere(lab(placed=PLACED), "pack:2 core:2 pu:1", 4, machine()))
    close, spread = (
        lines.index("close: OMP_PROC_BIND=close"),
        next(place for place, line in enumerate(lines) if line.startswith("spread: ")),
    )
    assert lines[close + 1].startswith("  threads 0 to 3: ")
    assert lines[spread + 1] == (
        "  skipped, it does not fit there: OMP_PLACES is '{0}:32', and there is no processor 4 among 4"
    )
    assert lines[-1].startswith("predicted there, one: ")


def test_a_setting_that_is_misspelled_is_no_skip() -> None:
    with pytest.raises(Misuse, match="OMP_PLACES is 'chairs'"):
        list(elsewhere(lab(placed={"a": {"OMP_PLACES": "chairs"}}), TWO_SOCKETS, 4, machine()))
