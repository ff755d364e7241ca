"""Real programs are sampled: what is forced is found, what is well bound has no finding."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from watched import Watch, findings, looked

from rooftop.command.process import Limits, run
from rooftop.observe.pace import Pace
from rooftop.observe.recording import Recording
from rooftop.observe.sampler import Sampler
from rooftop.observe.threads import scene

FORKED = """
import os, sys
cpus, stop = eval(sys.argv[1]), sys.argv[2]
for cpu in cpus:
    if os.fork() == 0:
        os.sched_setaffinity(0, {{cpu}})
        open("/proc/self/comm", "w").write("burner")
        {detach}
        while not os.path.exists(stop):
            sum(range(10000))
        os._exit(0)
{wait}
"""
WAIT = "for _ in cpus: os.wait()"


def forked(cpus: list[int], stop: Path, detach: str = "", wait: str = WAIT) -> list[str]:
    return [sys.executable, "-c", FORKED.format(detach=detach, wait=wait), repr(cpus), str(stop)]


def test_processes_bound_to_one_cpu_are_stacked(watch: Watch, stop: Path, two_cpus: list[int]) -> None:
    recording = watch(forked([two_cpus[0]] * 2, stop), looked(40, "burner", 2), {})
    stacked = [one for one in findings(recording) if one.name == "stacked"]
    assert [one.cpus for one in stacked] == [str(two_cpus[0])]
    assert len(stacked[0].threads) >= 2


def test_processes_on_cpus_of_their_own_have_no_finding(watch: Watch, stop: Path, two_cpus: list[int]) -> None:
    recording = watch(forked(two_cpus, stop), looked(40, "burner", 2), {})
    made = scene(recording)
    burners = [story for story in made.busy if story.facts.comm == "burner"]
    assert [story.facts.allowed for story in burners] == [frozenset({cpu}) for cpu in two_cpus]
    assert [story.home for story in burners] == two_cpus
    assert findings(recording) == []


def test_openmp_threads_on_one_place(watch: Watch, burn: str, stop: Path, two_cpus: list[int]) -> None:
    bound = {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "true", "OMP_PLACES": f"{{{two_cpus[0]}}}"}
    recording = watch([burn, str(stop)], looked(40, "burn", 2), bound)
    assert [(one.name, one.cpus) for one in findings(recording)] == [("stacked", str(two_cpus[0]))]
    assert all(facts.openmp for facts in recording.facts.values())


def test_openmp_threads_on_places_of_their_own(watch: Watch, burn: str, stop: Path, two_cpus: list[int]) -> None:
    own = ",".join(f"{{{cpu}}}" for cpu in two_cpus)
    bound = {"OMP_NUM_THREADS": "2", "OMP_PROC_BIND": "true", "OMP_PLACES": own}
    recording = watch([burn, str(stop)], looked(40, "burn", 2), bound)
    assert findings(recording) == []
    assert [story.home for story in scene(recording).busy] == two_cpus


def test_more_openmp_threads_than_cpus(watch: Watch, burn: str, stop: Path) -> None:
    count = len(os.sched_getaffinity(0)) + 1
    recording = watch([burn, str(stop)], looked(20, "burn", count), {"OMP_NUM_THREADS": str(count)})
    assert "oversubscribed" in [one.name for one in findings(recording)]


def test_a_thread_that_is_moved_wanders(watch: Watch, stop: Path, two_cpus: list[int]) -> None:
    source = f"""
import os
open("/proc/self/comm", "w").write("mover")
while not os.path.exists({str(stop)!r}):
    for cpu in {two_cpus}:
        os.sched_setaffinity(0, {{cpu}})
        sum(range(100000))
"""
    recording = watch([sys.executable, "-c", source], looked(30, "mover", 1), {})
    (mover,) = [story for story in scene(recording).stories if story.facts.comm == "mover"]
    assert mover.moves >= 10
    assert set(mover.shares) <= set(two_cpus)


@pytest.mark.parametrize("detach", ["os.setsid()", "os.setsid()\n        if os.fork(): os._exit(0)"])
def test_children_that_daemonise_are_seen(detach: str, watch: Watch, stop: Path, two_cpus: list[int]) -> None:
    waiting = f"import time\nwhile not os.path.exists({str(stop)!r}): time.sleep(0.01)"
    recording = watch(forked(two_cpus, stop, detach, waiting), looked(20, "burner", 2), {})
    assert sum(story.busy for story in scene(recording).stories if story.facts.comm == "burner") >= 2


def test_names_with_blanks_and_parentheses(watch: Watch, stop: Path, two_cpus: list[int]) -> None:
    source = f"""
import os
open("/proc/self/comm", "w").write("a ) R 1 (b")
while not os.path.exists({str(stop)!r}): sum(range(10000))
"""
    recording = watch([sys.executable, "-c", source], looked(10, "a ) R 1 (b", 1), {})
    assert "a ) R 1 (b" in [story.facts.comm for story in scene(recording).busy]


def test_ranks_are_read_from_the_environment(watch: Watch, stop: Path, burn: str) -> None:
    recording = watch([burn, str(stop)], looked(10, "burn", 2), {"PMI_RANK": "5", "OMP_NUM_THREADS": "2"})
    assert {(facts.rank, facts.starter) for facts in recording.facts.values()} == {(5, "mpich")}


@pytest.mark.parametrize("words", [["true"], ["sh", "-c", "for i in 1 2 3 4 5 6 7 8; do true & done; wait"]])
def test_a_program_that_ends_at_once(words: list[str]) -> None:
    for _ in range(5):
        sampler = Sampler()
        assert run(words, Limits(20.0), observer=sampler).status == 0
        recording = sampler.ended()
        assert recording.looks
        # A busy machine may keep it waiting for longer; then it is judged like any other.
        assert recording.elapsed_ns >= 100_000_000 or findings(recording) == []


def planted(root: Path, pid: int, cpu: int, children: str = "") -> Path:
    folder = root / str(pid) / "task" / str(pid)
    folder.mkdir(parents=True)
    fields = " ".join(str(cpu) if place == 39 else str(place) for place in range(4, 53))
    (folder / "stat").write_text(f"{pid} (app) R {fields}\n", encoding="ascii")
    (folder / "children").write_text(children, encoding="ascii")
    return folder


def test_entries_that_vanish_are_left_out(tmp_path: Path) -> None:
    whole = planted(tmp_path, 1, 0, "2 3 4 99 1 ")
    (whole / "schedstat").write_text("5 6 7\n", encoding="ascii")
    planted(tmp_path, 2, 1)
    (planted(tmp_path, 3, 1) / "stat").unlink()
    (planted(tmp_path, 4, 1) / "stat").write_text("", encoding="ascii")
    sampler = Sampler(str(tmp_path))
    sampler.look([1, 77])
    (look,) = sampler.recording.looks
    assert {thread.pid: (seen.cpu, seen.wait_ns) for thread, seen in look.seen.items()} == {1: (0, 6), 2: (1, 0)}
    ticks_ns = 10**9 // os.sysconf("SC_CLK_TCK")
    assert next(seen for thread, seen in look.seen.items() if thread.pid == 2).run_ns == (14 + 15) * ticks_ns


def test_long_recordings_are_thinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.observe.sampler._MOST_KEPT", 50)
    planted(tmp_path, 1, 0)
    sampler = Sampler(str(tmp_path))
    for _ in range(1000):
        sampler.look([1])
    looks = sampler.recording.looks
    assert 25 <= len(looks) <= 51
    assert [look.at_ns for look in looks] == sorted(look.at_ns for look in looks)
    assert sampler.interval_s >= 0.02 * 2


def test_the_cost_of_looking_is_kept_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(tmp_path, 1, 0)
    spent = iter(range(0, 10**12, 10**9))
    monkeypatch.setattr("time.thread_time_ns", lambda: next(spent))
    sampler = Sampler(str(tmp_path))
    sampler.look([1])
    # Three seconds, one of which goes to facts that few looks read.
    assert sampler.interval_s == pytest.approx(Pace(0.02).next_s(0.0, 3e9, 1e9))
    assert sampler.interval_s > 2 / 0.03
    assert sampler.recording.spent_ns == 3 * 10**9


def test_a_recording_of_nothing() -> None:
    recording = Recording()
    assert recording.elapsed_ns == 0
    assert findings(recording) == []
