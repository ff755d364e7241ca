"""Real driver processes that crash, hang and babble: each fails alone, with a message that helps."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from conftest_types import Write

from rooftop.driver.executor import DriverFailed
from rooftop.driver.process import ProcessDriver, ProcessExecutor, driver_environment, peak_bytes
from rooftop.ladder.discovery import Module, find_experiment
from rooftop.launchers import named
from rooftop.launchers.team import Team


def modules(folder: Path) -> dict[str, Module]:
    """Return the modules of an experiment by name."""
    found = find_experiment(folder.parent, folder.parent / "nowhere", folder.name)
    return {module.name: module for module in found.modules}


def test_a_driver_answers_every_request(write_experiment: Write) -> None:
    module = modules(write_experiment(rungs={"10-a": "run_ns=3e5"}))["10-a"]
    driver = ProcessExecutor().start(module, Team(threads=2))
    try:
        case = driver.case({"n": 1}, seed=1, limit_s=20)
        assert (case.outcome, case.binding) == ("ok", [[0], [1]])
        assert driver.calibrate(1_000_000, 20).iterations == 4
        assert driver.sample(4, 20).iterations == 4
        assert driver.verify(20).outcome == "ok"
        assert driver.peak_bytes() > 0
    finally:
        driver.close()
        driver.close()


def test_describe_tells_what_the_processor_lacks(write_experiment: Write) -> None:
    found = modules(write_experiment(rungs={"10-a": "", "20-b": "supported=False"}))
    assert ProcessExecutor().describe(found["10-a"]).supported
    described = ProcessExecutor().describe(found["20-b"])
    assert (described.supported, described.reason) == (False, "lacks avx9")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("crash", "signal 11 (SIGSEGV)"),
        ("exit", "exited with code 7; it said: boiler pressure lost"),
        ("garbage", "replied 'Segmentation of the market', expected a case reply"),
        ("array", "expected a case reply"),
        ("binary", "expected a case reply"),
        ("endless", "a line of more than"),
    ],
)
def test_misbehaviour_is_a_failure_with_its_stage(write_experiment: Write, how: str, words: str) -> None:
    module = modules(write_experiment(rungs={"10-a": f"misbehave={{'case': {how!r}}}"}))["10-a"]
    driver = ProcessExecutor().start(module, Team())
    with pytest.raises(DriverFailed) as failure:
        driver.case({}, seed=1, limit_s=20)
    assert failure.value.stage == "case"
    assert words in failure.value.message
    with pytest.raises(DriverFailed):
        driver.sample(1, 1)
    driver.close()


def test_describing_may_fail_too(write_experiment: Write) -> None:
    module = modules(write_experiment(rungs={"10-a": "misbehave={'describe': 'exit'}"}))["10-a"]
    with pytest.raises(DriverFailed, match="boiler pressure lost"):
        ProcessExecutor().describe(module)


def test_a_hang_is_ended_with_all_its_children(
    write_experiment: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tmp_path / "child"
    monkeypatch.setenv("FAKE_CHILD", str(note))
    module = modules(write_experiment(rungs={"10-a": "misbehave={'sample': 'child'}"}))["10-a"]
    driver = ProcessExecutor().start(module, Team())
    driver.case({}, seed=1, limit_s=20)
    with pytest.raises(DriverFailed) as failure:
        driver.sample(1, limit_s=2)
    assert failure.value.silent
    assert _ended(int(note.read_text(encoding="ascii")))


def test_a_driver_that_was_told_to_leave_is_closed_as_any_other(write_experiment: Write) -> None:
    module = modules(write_experiment(rungs={"10-a": ""}))["10-a"]
    driver = ProcessExecutor().start(module, Team())
    driver.case({}, seed=1, limit_s=20)
    driver.leave()
    driver.leave()
    driver.close()
    with pytest.raises(DriverFailed, match="already ended"):
        driver.sample(1, limit_s=2)


def _ended(process: int) -> bool:
    for _ in range(3000):
        try:
            state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_driver_that_cannot_start_is_a_failure(tmp_path: Path) -> None:
    source = tmp_path / "10-a.cpp"
    module = Module("10-a", "rung", source, source, "", None, "built", (str(tmp_path / "driver"),))
    with pytest.raises(DriverFailed):
        ProcessExecutor().describe(module)
    driver = None
    with pytest.raises(DriverFailed):
        driver = ProcessDriver(module, Team())
        driver.case({}, 1, 5)
    if driver is not None:
        driver.close()


def test_drivers_are_bound_and_do_not_spin() -> None:
    environment = driver_environment(3)
    assert environment["OMP_NUM_THREADS"] == environment["OPENBLAS_NUM_THREADS"] == "3"
    assert environment["OMP_WAIT_POLICY"] == "passive"
    assert int(environment["OPENBLAS_THREAD_TIMEOUT"]) <= 18  # without it 2^26 ticks, longer than a sample
    assert environment["PATH"] == os.environ["PATH"]


def test_workers_of_an_mpi_program_are_ranks(write_experiment: Write) -> None:
    found = modules(write_experiment(rungs={"10-a": ""}))
    ranked = replace(found["10-a"], ranked=True)
    campaign = Team(threads=3)
    assert found["10-a"].team_in(campaign) == campaign
    assert ranked.team_in(campaign) == Team(ranks=3)
    assert [one.on(campaign).name for one in (found["10-a"], ranked)] == ["10-a, 3 threads", "10-a, 3 ranks"]
    assert [one.on(Team()).name for one in (found["10-a"], ranked)] == ["10-a, 1 thread", "10-a, 1 rank"]
    assert ranked.on(campaign).team_in(Team(threads=8)) == Team(ranks=3)


def test_ranks_without_a_launcher_fail_with_what_is_missing(
    write_experiment: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked = replace(modules(write_experiment(rungs={"10-a": ""}))["10-a"], ranked=True)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DriverFailed, match=r"launch: needs mpirun\.openmpi, which is not installed"):
        ProcessExecutor().start(ranked, Team(ranks=2))
    with pytest.raises(DriverFailed, match=r"launch: needs mpirun\.mpich, which is not installed"):
        ProcessExecutor(named("mpich")).start(ranked, Team(ranks=2))


def test_memory_that_ranks_share_counts_once(tmp_path: Path) -> None:
    """Half of what is resident is another rank's too; a kernel that does not tell leaves the highest as it is."""
    (tmp_path / "status").write_text("Name:\trank\nVmHWM:\t 1000 kB\nVmRSS:\t 900 kB\n", encoding="ascii")
    assert peak_bytes(tmp_path) == 1000 * 1024
    rollup = "7f00-7fff ---p 00000000 00:00 0 [rollup]\nRss: 900 kB\nPss: 500 kB\nPss_Dirty: 400 kB\n"
    (tmp_path / "smaps_rollup").write_text(rollup, encoding="ascii")
    assert peak_bytes(tmp_path) == 600 * 1024
    (tmp_path / "smaps_rollup").write_text("Rss: 900 kB\nPss:\n", encoding="ascii")
    assert peak_bytes(tmp_path) == 1000 * 1024
    assert peak_bytes(tmp_path / "gone") == 0
