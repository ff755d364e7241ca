"""What is fed to the readers of platforms and recordings: a result or one line, and a finding for what is neither."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.fuzzing import simulation_fuzzing
from benchmarks.fuzzing.mesh_fuzzing import finding
from benchmarks.fuzzing.simulation_fuzzing import READ, RECORDING
from rooftop.errors import Misuse
from rooftop.simulate import replay
from rooftop.simulate.recording import Recording

BUILT = pytest.mark.skipif(replay.missing() is not None, reason=str(replay.missing()))


@pytest.mark.parametrize(("reader", "inputs"), [("platform", 120), pytest.param("recording", 20, marks=BUILT)])
def test_what_is_damaged_gives_a_result_or_one_line(reader: str, inputs: int, tmp_path: Path) -> None:
    suffix, mutated, read = READ[reader]
    path, random_ = tmp_path / f"fed{suffix}", random.Random(5)
    fed = []
    for _ in range(inputs):
        path.write_bytes(mutated(random_))
        fed.append(path.read_bytes())
        assert finding(path, read) == "", fed[-1]
    again = random.Random(5)
    assert [mutated(again) for _ in range(inputs)] == fed
    assert len(set(fed)) > inputs // 2


@BUILT
def test_what_is_changed_is_replayed_as_it_was(tmp_path: Path) -> None:
    head, *programs = RECORDING
    recording = Recording(head["ranks"], [(one["ranks"], one["body"]) for one in programs], head["groups"])
    recording.write(tmp_path / "own.jsonl")
    READ["recording"][2](tmp_path / "own.jsonl")


def test_a_crash_of_the_replayer_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashed(*_: object) -> None:
        raise Misuse("the replay: ended with status -11")

    monkeypatch.setattr(simulation_fuzzing, "replay_file", crashed)
    assert "the replayer crashed" in finding(tmp_path / "own.jsonl", READ["recording"][2])
