"""The benchmark of collectives: what it measures, its drivers, and its page, all on made-up times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from recorded_labs import lab
from replayed import Blind, MemoryJournal
from synthetic_machine import machine

from benchmarks.collectives.collective_runs import cases_of, is_lab_of_collectives, needed, results, state_of
from benchmarks.collectives.collectives_page import (
    CollectivesDocument,
    LibraryResult,
    judge,
    rows,
    write_collectives,
)
from benchmarks.collectives.crew import Crew
from benchmarks.collectives.mpi_libraries import LIBRARIES, launcher_at, version_in
from rooftop.driver.executor import DriverFailed
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.ladder.discovery import Found
from rooftop.ladder.experiment import Case, Experiment
from rooftop.launchers import named
from rooftop.launchers.team import Team
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import Terms

BROADCAST = ("10-linear", "20-tree", "90-library")


def lab_of(folder: Path, rungs: Sequence[str] = BROADCAST, *, ranked: bool = True) -> Found:
    """Return a lab of two cases, one of which both sizes have."""
    found = lab(folder, "broadcast", None, rungs)
    small, large = Case("64 B", {"n": 8}, 64.0, workers=(2,)), Case("1 MiB", {"n": 9}, 1e6, workers=(2, 4, 8))
    declaration = Experiment(title="T", rate_unit="MB/s", rate_scale=1e6, sizes={"quick": [small], "S": [small, large]})
    modules = tuple(replace(one, ranked=ranked, header="MPI_Bcast.") for one in found.rungs)
    return replace(found, declaration=declaration, rungs=modules)


def measured(folder: Path, times_ns: Mapping[str, Sequence[float]], ranks: int = 2) -> LibraryResult:
    """Measure a case of the lab on recorded times."""
    found = lab_of(folder)
    recordings = {f"{name}, {ranks} ranks": Recording(times) for name, times in times_ns.items()}
    case = state_of(found, cases_of(found)[0], ranks)
    terms = Terms(team=Team(threads=ranks), seed=1, share_s=5.0, budget="5s", hang_limit_s=60.0)
    CaseRun(case, terms, ReplayExecutor(recordings), MemoryJournal(), Blind()).run()
    experiments = results([found], [case], machine(), ranks)
    return LibraryResult(name="one", title="One MPI", version="1.2", experiments=experiments)


def page(folder: Path, libraries: Sequence[LibraryResult]) -> str:
    """Return the page of some libraries."""
    started = "2026-01-02T03:04:05+00:00"
    document = CollectivesDocument(started=started, machine=machine(), libraries=list(libraries))
    write_collectives(folder / "page.md", document)
    return (folder / "page.md").read_text(encoding="utf-8")


def test_labs_with_a_variant_of_the_library_are_measured(tmp_path: Path) -> None:
    assert is_lab_of_collectives(lab_of(tmp_path / "a"))
    assert is_lab_of_collectives(lab_of(tmp_path / "b", ("10-linear", "80-library-block")))
    assert not is_lab_of_collectives(lab_of(tmp_path / "c", ("10-linear", "20-libraryless")))
    assert not is_lab_of_collectives(lab_of(tmp_path / "d", ranked=False))


def test_cases_of_both_sizes_are_measured_once_and_mock_ups_are_peers(tmp_path: Path) -> None:
    found = lab_of(tmp_path)
    assert [case.name for case in cases_of(found)] == ["64 B", "1 MiB"]
    state = state_of(found, cases_of(found)[1], 4)
    assert (state.name, state.parameters) == ("1 MiB, 4 ranks", {"n": 9})
    assert [(arm.name, arm.role) for arm in state.arms] == [
        ("10-linear, 4 ranks", "peer"),
        ("20-tree, 4 ranks", "peer"),
        ("90-library, 4 ranks", "rung"),
    ]
    assert [one.name.split(",")[0] for one in needed(state)] == [*BROADCAST, "90-library"]


def test_a_library_that_takes_longer_than_the_best_mock_up_loses(tmp_path: Path) -> None:
    times = {"10-linear": [9e5], "20-tree": [4e5, 4.04e5, 3.96e5], "90-library": [6e5, 6.06e5, 5.94e5]}
    library = measured(tmp_path, times)
    (row,) = rows(library)
    assert (row.collective, row.case, row.ranks, row.best, row.verdict) == ("MPI_Bcast", "64 B", 2, "20-tree", "loses")
    assert row.ratio == pytest.approx(1.5, rel=0.02)
    text = page(tmp_path, [library])
    assert "Written by `python benchmarks collectives` on 2026-01-02. " in text
    assert "- One MPI, 1.2: **MPI_Bcast**.\n  Of 1 comparison: loses 1, wins 0, level 0, open 0.\n" in text
    assert "| MPI_Bcast | 64 B on 2 ranks (1.50×) |\n" in text
    assert "| MPI_Bcast | 64 B | 2 | 600 µs | 20-tree | 400 µs | 1.50× | " in text


def test_times_within_the_margin_are_level(tmp_path: Path) -> None:
    (row,) = rows(measured(tmp_path, {"10-linear": [9e5], "20-tree": [6e5], "90-library": [6.1e5]}))
    assert row.verdict == "level"
    assert row.cells[-1] == "level"


@pytest.mark.parametrize(
    ("lo", "hi", "beyond_noise", "expected"),
    [
        (1.06, 2.0, True, "loses"),
        (1.06, 2.0, False, "open"),
        (1.04, 2.0, True, "open"),
        (0.5, 0.9, True, "wins"),
        (0.5, 0.9, False, "open"),
        (0.5, 1.0, True, "open"),
        (0.96, 1.04, False, "level"),
    ],
)
def test_all_of_an_interval_counts(lo: float, hi: float, beyond_noise: bool, expected: str) -> None:
    assert judge(lo, hi, beyond_noise=beyond_noise) == expected


def test_what_could_not_be_measured_is_told(tmp_path: Path) -> None:
    found = lab_of(tmp_path)
    failing = Recording([1e6], outcome="wrong", reason="rank 1 has not what rank 0 sent")
    recordings = {f"{name}, 2 ranks": Recording([1e6]) for name in BROADCAST} | {"90-library, 2 ranks": failing}
    case = state_of(found, cases_of(found)[0], 2)
    terms = Terms(team=Team(threads=2), seed=1, share_s=5.0, budget="5s", hang_limit_s=60.0)
    CaseRun(case, terms, ReplayExecutor(recordings), MemoryJournal(), Blind()).run()
    wrong = LibraryResult(name="w", title="W", experiments=results([found], [case], machine(), 2))
    assert [(row.verdict, row.reason) for row in rows(wrong)] == [(None, "wrong: rank 1 has not what rank 0 sent")]
    absent = LibraryResult(name="a", title="A", reason="mpicxx is not installed")
    text = page(tmp_path, [wrong, absent])
    assert "| wrong: rank 1 has not what rank 0 sent |" in text
    assert "- A: not measured: mpicxx is not installed.\n" in text
    assert "## A\n\nNot measured: mpicxx is not installed.\n" in text


def test_drivers_go_on_to_the_next_case_unless_they_failed(tmp_path: Path) -> None:
    found = lab_of(tmp_path)
    first, second, third = (one.on(Team(threads=2)) for one in found.rungs)
    good = Recording([1e6])
    inner = ReplayExecutor({first.name: good, second.name: replace(good, fails_at=0), third.name: good})
    crew = Crew(inner)
    crew.gather([first, second], {}, 1, 10)
    driver = crew.start(first, first.team_in(Team()))
    assert driver.case({}, 1, 10).outcome == "ok"
    driver.close()
    driver.close()
    again = crew.start(first, first.team_in(Team()))
    assert again.sample(1, 10).iterations == 1
    failing = crew.start(second, second.team_in(Team()))
    with pytest.raises(DriverFailed):
        failing.sample(1, 10)
    failing.close()
    assert crew.start(second, second.team_in(Team())).case({}, 1, 10).outcome == "ok"
    assert crew.start(third, third.team_in(Team())).case({}, 1, 10).outcome == "ok"
    crew.dismiss()


def test_a_launcher_of_another_place_is_the_same_but_for_its_program() -> None:
    known = named("mpich")
    moved = launcher_at(known, Path("/nowhere/bin/mpirun"))
    team = Team(ranks=2)
    assert moved.name == known.name
    assert moved.placed(team, None) == known.placed(team, None)
    assert moved.started(["a"], {}, team, None).words[0] == "/nowhere/bin/mpirun"
    assert moved.missing() == "needs /nowhere/bin/mpirun, which is not installed: see rooftop doctor"


def test_libraries_have_launchers_and_versions_are_read() -> None:
    assert {named(one.launcher).title for one in LIBRARIES} == {"Open MPI", "MPICH"}
    assert len({one.folder for one in LIBRARIES}) == len(LIBRARIES)
    assert version_in("mpirun (Open MPI) 4.1.4\n\nReport bugs to https://example.org/") == "4.1.4"
    assert version_in("HYDRA build details:\n    Version:      4.0.2\n") == "4.0.2"
    assert version_in("nothing") == "of unknown version"
