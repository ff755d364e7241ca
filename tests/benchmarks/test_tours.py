"""The tours' benchmark on recorded samples: what is kept of runs, what goes on, and what the page makes of it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.tours.tour_files import Files
from benchmarks.tours.tour_instances import BY_NAME, INSTANCES, PEERS
from benchmarks.tours.tour_page import Gaps, page
from benchmarks.tours.tour_runs import read_document, read_tour
from benchmarks.tours.tour_samples import OURS, Run, Sample, Samples
from benchmarks.tours.tours import peers_planned, planned
from rooftop.command.process import Finished
from rooftop.solvers.routing import Problem

SQUARE = [[0.0, 0.0], [0.0, 10.0], [10.0, 10.0], [10.0, 0.0]]


def sample(name: str, length: int | None, seed: int = 1, **others: Any) -> Sample:
    """Return a sample of the solver, or with other fields."""
    run = {"solver": OURS, "instance": name, "seed": seed, "time_s": 10.0, "threads": 2}
    fields: dict[str, object] = {
        "on": date(2026, 1, 2),
        "processor": "a processor",
        "cores": 2,
        "build": "0123",
        "outcome": "ok",
        "length": length,
        "wall_s": 10.0,
        "seconds": 9.5,
        "first_s": 0.5,
        "ants": 1900,
    }
    run |= {key: value for key, value in others.items() if key in Run.model_fields and key != "ants"}
    run |= {"ants": others["run_ants"]} if "run_ants" in others else {}
    fields |= {key: value for key, value in others.items() if key in Sample.model_fields}
    return Sample.model_validate(fields | {"run": run})


def rows(text: str, start: str) -> list[list[str]]:
    """Return the cells of a page's lines that begin so."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith(f"| {start} |")
    ]


def finished(output: bytes, status: int = 0, *, timed_out: bool = False) -> Finished:
    """Return a run of eleven seconds that has ended."""
    return Finished(11_000_000_000, 0.0, 0.0, None, status, output, b"it said so", timed_out)


def document(**others: object) -> bytes:
    """Return what the bench's own command prints."""
    fields = {
        "schema": "rooftop/solve-tsp/1",
        "rooftop": "1.0.0",
        "file": "eil51.tsp",
        "name": "eil51",
        "cities": 51,
        "threads": 2,
        "seed": 1,
        "outcome": "ok",
        "valid": True,
        "length": 430,
        "began_s": 0.5,
        "seconds": 9.5,
        "iterations": 19,
        "tours": 20,
        "history": [{"seconds": 0.25, "iterations": 0, "length": 500}],
    }
    return json.dumps(fields | others).encode()


def test_gaps_are_told_with_their_spread() -> None:
    text = page([sample("rat783", 8806, 1), sample("rat783", 8806, 2), sample("rat783", 8894, 3)])
    cells = rows(text, "rat783")[0]
    assert cells[:6] == ["rat783", "783", "10 s", "0.02 %", "0.057 %", "0.333 %"]
    assert cells[6].startswith("0.000 to 0.")
    assert cells[7:] == ["0.999 %", "2 of 3", "missed"]
    assert rows(text, "rat783")[1] == ["rat783", "10 s", "0.50 s", "10.00 s", "200"]
    assert "0 of 1 are met" in text
    assert "Measured on 2026-01-02: a processor, 2 cores." in text


@pytest.mark.parametrize(("beyond", "met"), [(0, True), (1, False)])
def test_a_mean_on_the_border_is_met(beyond: int, met: bool) -> None:
    """5 in 10 000 is 0.05 %, which binary fractions are not."""
    gaps = Gaps((10_003, 10_007 + beyond), 10_000)
    assert gaps.meet(0.05) is met


@pytest.mark.parametrize(("lengths", "verdict"), [((426, 426), "met"), ((426, 427), "missed")])
def test_nothing_above_the_optimum_is_met_by_every_seed_alone(lengths: tuple[int, ...], verdict: str) -> None:
    text = page([sample("eil51", length, seed) for seed, length in enumerate(lengths, start=1)])
    assert rows(text, "eil51")[0][-1] == verdict


def test_equal_samples_have_an_interval_and_one_has_none() -> None:
    assert Gaps((101, 101, 101), 100).interval() == (1.0, 1.0)
    assert Gaps((101,), 100).interval() is None


def test_another_time_is_shown_and_not_judged() -> None:
    text = page([sample("usa13509", 20_000_000, time_s=5.0), sample("usa13509", 20_082_158, time_s=30.0)])
    shown = rows(text, "usa13509")[:2]
    assert [(cells[2], cells[3], cells[-1]) for cells in shown] == [("5 s", "–", "–"), ("30 s", "0.5 %", "met")]


def test_a_wrong_run_has_no_gap_is_told_and_meets_nothing() -> None:
    wrong = sample("eil51", None, 2, outcome="wrong", reason="a city is visited twice")
    text = page([sample("eil51", 426, 1), wrong])
    assert rows(text, "eil51")[0][5:] == ["0.000 %", "–", "0.000 %", "1 of 2", "missed, 1 without a tour"]
    assert "- rooftop, eil51, seed 2: wrong: a city is visited twice" in text


def test_first_tours_memory_and_equal_lengths_are_judged() -> None:
    mib = 1 << 20
    samples = [
        sample("eil51", 426, peak_bytes=60 * mib),
        sample("pla85900", 145_000_000, first_s=1.5, peak_bytes=100 * mib),
        sample("pla85900", 145_000_000, 2, first_s=2.5, peak_bytes=90 * mib),
        *(sample("pr1002", 260_000, time_s=0.0, threads=threads, run_ants=2000) for threads in (1, 2)),
        *(sample("pr1002", 260_000 + threads, 2, time_s=0.0, threads=threads, run_ants=2000) for threads in (1, 2)),
    ]
    text = page(samples)
    assert rows(text, "first tour, pla85900") == [["first tour, pla85900", "within 2 s", "at most 2.50 s", "missed"]]
    assert rows(text, "memory for each city")[0][1:] == [
        "at most 1024 bytes",
        "489 bytes (peaks 100 and 60 MiB)",
        "met",
    ]
    same = rows(text, "pr1002, 2000 ants: the same length with 1 and 2 threads")
    assert same[0][1:] == ["every seed", "1 of 2", "missed"]
    assert rows(text, "pr1002") == []  # runs by ants have no gap


def test_others_stand_beside() -> None:
    theirs: dict[str, Any] = {"seconds": None, "first_s": None, "ants": None}
    silent: dict[str, Any] = {"outcome": "no tour", "reason": "killed", "killed": True, "wall_s": 30.0}
    text = page(
        [
            sample("kroA100", 21282),
            sample("kroA100", 21708, solver="ortools_routing", build="9.9", wall_s=10.3, **theirs),
            sample("kroA100", None, solver="elkai_lkh", **theirs, **silent),
        ]
    )
    head = "| problem | time | Rooftop | OR-Tools 9.9 | elkai (LKH) 0123 | acopy | scikit-opt |"
    assert head in text
    cells = rows(text, "kroA100")[-1]
    assert cells[2:] == ["0.000 %, 10.0 s", "2.002 %, 10.3 s", "no tour, 30.0 s, 1 killed", "–", "–"]


def test_a_killed_benchmark_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    runs = list(planned([BY_NAME["eil51"], BY_NAME["usa13509"]], 2, None))
    assert [(run.instance, run.seed, run.time_s) for run in runs] == [
        (name, seed, time_s)
        for seed in (1, 2)
        for name, time_s in (("eil51", 10.0), ("usa13509", 10.0), ("usa13509", 30.0))
    ]
    first = Samples(file)
    first.append(sample("eil51", 426))
    first.append(sample("usa13509", 20_000_000))
    with file.open("a", encoding="utf-8") as cut:
        cut.write('{"run": {"solver": "rooft')
    again = Samples(file)
    assert again.missing(runs) == runs[2:]
    again.append(sample("usa13509", 20_000_000, time_s=30.0))
    assert Samples(file).all == [*first.all, again.all[-1]]


def test_other_files_and_other_builds_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    Samples(file).append(sample("eil51", 426))
    Samples(file).check_build("0123")
    with pytest.raises(SystemExit, match="another build of the solver, 0123, expected 4567"):
        Samples(file).check_build("4567")
    file.write_text('{"run": 1}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="line 1 is no sample"):
        Samples(file)


def test_peers_are_given_what_they_can_take() -> None:
    runs = list(peers_planned(INSTANCES, PEERS, 1, None))
    given = {peer.name: [run.instance for run in runs if run.solver == peer.name] for peer in PEERS}
    assert given["acopy_ants"] == given["sko_ants"] == ["eil51", "kroA100", "d198"]
    assert given["ortools_routing"][-1] == given["elkai_lkh"][-1] == "pr2392"


def test_what_the_command_prints_becomes_a_sample() -> None:
    fields = read_document(finished(document()), 4096)
    assert (fields["outcome"], fields["length"], fields["ants"], fields["peak_bytes"]) == ("ok", 430, 19, 4096)
    assert fields["first_s"] == pytest.approx(0.5 + 0.25)
    wrong = read_document(finished(document(outcome="wrong", valid=False, reason="no tour", length=None), 1), None)
    assert (wrong["outcome"], wrong["reason"], "length" in wrong) == ("wrong", "no tour", False)
    failed = read_document(finished(b"", 2), None)
    assert (failed["outcome"], failed["reason"]) == ("failed", "ended with 2: it said so")


def test_the_last_whole_tour_of_a_peer_counts() -> None:
    square = Problem.in_plane(SQUARE)
    cut = read_tour(finished(b"[0, 2, 1, 3]\n[0, 1, 2, 3]\n[0, 1,", -9, timed_out=True), square)
    assert (cut["outcome"], cut["length"], cut["killed"]) == ("ok", 40, True)
    assert read_tour(finished(b"[0, 1, 1, 3]\n"), square)["outcome"] == "wrong"
    assert read_tour(finished(b"hello\n"), square)["outcome"] == "wrong"
    assert read_tour(finished(b"", 1), square)["reason"] == "ended with 1: it said so"
    assert read_tour(finished(b"", -9, timed_out=True), square)["outcome"] == "no tour"


def test_problems_are_found_whatever_the_case_of_their_names(tmp_path: Path) -> None:
    given, kept = tmp_path / "given", tmp_path / "kept"
    for folder, name in ((given, "KROA100.TSP"), (kept, "kroa100.tsp"), (kept, "eil51.tsp")):
        folder.mkdir(exist_ok=True)
        (folder / name).touch()
    files = Files(given, kept)
    assert files.paths(["kroA100", "eil51"]) == {"kroA100": given / "KROA100.TSP", "eil51": kept / "eil51.tsp"}
    with pytest.raises(SystemExit, match="expected a folder"):
        Files(tmp_path / "nowhere", kept)
