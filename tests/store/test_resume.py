"""A campaign killed at any instant goes on where it was: nothing lost, nothing taken twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest_types import Write

FAKES = Path(__file__).parents[1] / "fakes"


def start(root: Path, *words: str) -> subprocess.Popen[str]:
    """Start a climb in a process of its own."""
    source = Path(__file__).parents[2] / "src"
    environment = {**os.environ, "PYTHONPATH": f"{FAKES}:{source}"}
    return subprocess.Popen(
        [sys.executable, str(FAKES / "climb_once.py"), str(root), *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def samples(root: Path) -> set[tuple[object, ...]]:
    """Return all stored samples."""
    store = root / "home" / "store.sqlite"
    if not store.is_file():
        return set()
    with sqlite3.connect(store, timeout=10) as connection:
        try:
            return set(connection.execute("SELECT id, arm_id, block, position, iterations, elapsed_ns FROM sample"))
        except sqlite3.OperationalError:  # killed before the tables were made
            return set()


def begun(root: Path) -> bool:
    """Whether there is a campaign to go on with."""
    store = root / "home" / "store.sqlite"
    with sqlite3.connect(store, timeout=10) if store.is_file() else sqlite3.connect(":memory:") as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE name = 'campaign'").fetchall()
        return bool(tables) and bool(connection.execute("SELECT id FROM campaign").fetchall())


def wait_for(climb: subprocess.Popen[str], root: Path, count: int) -> None:
    """Wait until a climb that still runs has taken `count` samples."""
    while len(samples(root)) < count:
        assert climb.poll() is None, climb.communicate()[1]
        time.sleep(0.005)


@pytest.mark.parametrize("seed", range(2))
def test_killed_at_random_instants_nothing_is_lost(write_experiment: Write, tmp_path: Path, seed: int) -> None:
    write_experiment(
        rungs={"10-naive": "run_ns=9e6, noise=0.05, sleep_s=0.002", "20-fast": "run_ns=2e6, noise=0.05"},
        peers={"library": "run_ns=3e6, noise=0.05"},
    )
    rng = random.Random(seed)
    kept: set[tuple[object, ...]] = set()
    for _ in range(4):
        climb = start(tmp_path, *(["--resume"] if begun(tmp_path) else []))
        target = len(kept) + rng.randrange(0, 12)
        while climb.poll() is None and len(samples(tmp_path)) <= target:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.05)
        climb.send_signal(signal.SIGKILL)
        output, errors = climb.communicate()
        now = samples(tmp_path)
        assert kept <= now, "a stored sample was lost or changed"
        kept = now
        if climb.returncode == 0:  # it was done before the signal came
            break
    else:
        climb = start(tmp_path, *(["--resume"] if begun(tmp_path) else []))
        output, errors = climb.communicate()
    assert climb.returncode == 0, errors
    assert kept <= samples(tmp_path)
    document = json.loads((tmp_path / "home" / "campaigns" / f"{output.strip()}.json").read_text(encoding="utf-8"))
    with sqlite3.connect(tmp_path / "home" / "store.sqlite") as connection:
        campaigns = connection.execute("SELECT id, finished IS NOT NULL FROM campaign").fetchall()
        twice = connection.execute(
            "SELECT COUNT(*) FROM sample GROUP BY arm_id, block, iterations HAVING COUNT(*) > 1"
        ).fetchall()
        stored = connection.execute(
            "SELECT COUNT(*) FROM sample JOIN arm ON arm.id = arm_id WHERE role <> 'twin'"
        ).fetchone()[0]
    assert campaigns == [(document["campaign"], 1)]
    assert twice == []
    rungs = [rung for case in document["experiments"][0]["cases"] for rung in case["rungs"]]
    assert {rung["outcome"] for rung in rungs} == {"ok"}
    assert sum(len(rung["samples_s"]) for rung in rungs) == stored


def test_it_refuses_when_the_build_has_changed(write_experiment: Write, tmp_path: Path) -> None:
    folder = write_experiment(rungs={"10-a": "run_ns=2e6, sleep_s=0.01", "20-b": "run_ns=2.1e6, noise=0.2"})
    climb = start(tmp_path)
    wait_for(climb, tmp_path, 3)
    climb.kill()
    climb.communicate()
    rung = folder / "rungs" / "10-a.py"
    rung.write_text(rung.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    again = start(tmp_path, "--resume")
    _, errors = again.communicate()
    assert again.returncode != 0
    assert f"cannot be resumed: {rung} changed since it was measured" in errors


@pytest.mark.case("commands.G2")
def test_a_rung_that_is_changed_while_it_is_measured_is_doubted(write_experiment: Write, tmp_path: Path) -> None:
    folder = write_experiment(rungs={"10-a": "run_ns=2e6, sleep_s=0.01", "20-b": "run_ns=2.1e6, noise=0.2"}, cases=1)
    climb = start(tmp_path)
    wait_for(climb, tmp_path, 3)
    rung = folder / "rungs" / "10-a.py"
    rung.write_text(rung.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    output, errors = climb.communicate()
    assert climb.returncode == 0, errors
    document = json.loads((tmp_path / "home" / "campaigns" / f"{output.strip()}.json").read_text(encoding="utf-8"))
    assert document["doubts"][0]["evidence"] == str(rung)


def test_a_second_campaign_is_refused_while_one_runs(write_experiment: Write, tmp_path: Path) -> None:
    write_experiment(rungs={"10-a": "run_ns=2e6, sleep_s=0.01", "20-b": "run_ns=2e6, noise=0.3, sleep_s=0.01"})
    climb = start(tmp_path)
    wait_for(climb, tmp_path, 1)
    climb.send_signal(signal.SIGSTOP)  # however long the second takes to begin, the first has not ended
    second = start(tmp_path)
    _, errors = second.communicate()
    climb.kill()
    climb.communicate()
    assert "another campaign is running" in errors
