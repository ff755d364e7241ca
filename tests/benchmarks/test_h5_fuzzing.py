"""What is fed to `rooftop h5`: the same inputs for a seed, and a finding for what is no result."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from rooftop.errors import NotBuilt
from rooftop.solvers.h5io import library

pytest.importorskip("h5py")
pytest.importorskip("hdf5plugin")

from benchmarks.fuzzing import h5_fuzzing
from benchmarks.fuzzing.h5_fuzzing import Ending, called, finding, load, mutated, tried
from benchmarks.fuzzing.h5_seeds import READ, write_seeds

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)


@pytest.mark.usefixtures("scratch")
def test_good_files_are_read(tmp_path: Path) -> None:
    load()
    seeds = [file.read_bytes() for file in write_seeds(tmp_path / "seeds")]
    for seed in seeds:
        ending, wrong = tried("repack", seed, "", tmp_path)
        assert (ending.code, wrong) == (0, ""), ending.said
    for name, code in (("packed", 0), ("group/inner", 0), ("raw", 2)):  # of which the file beside it is not there
        ending, wrong = tried("advise", seeds[0], name, tmp_path)
        assert (ending.code, wrong) == (code, ""), ending.said


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("command", h5_fuzzing.COMMANDS)
def test_damaged_files_give_a_result_or_one_line(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(h5_fuzzing, "_LIBRARY_S", 1.0)  # on some the library hangs
    load()
    seeds = [file.read_bytes() for file in write_seeds(tmp_path / "seeds")]
    random_ = random.Random(7)
    codes = set()
    for _ in range(12):
        ending, wrong = tried(command, mutated(random_, random_.choice(seeds)), random_.choice(READ), tmp_path)
        assert wrong == "", ending.said
        codes.add(ending.code)
    assert codes == {0, 2}


def test_inputs_are_the_same_for_a_seed() -> None:
    seed = bytes(range(256)) * 8
    inputs = [[mutated(random.Random(number), seed) for number in range(50)] for _ in range(2)]
    assert inputs[0] == inputs[1]
    assert len(set(inputs[0])) > 40


@pytest.mark.parametrize(
    ("ending", "says"),
    [
        (Ending(0, "", "{}", 1), ""),
        (Ending(2, "rooftop: one line\n", "", 1), ""),
        (Ending(2, "one\ntwo\n", "", 1), "2 lines"),
        (Ending(2, "", "", 1), "0 lines"),
        (Ending(70, "rooftop: internal error\n", "", 1), "exit code 70"),
        (Ending(-signal.SIGSEGV, "", "", 1), "exit code -11"),
        (Ending(0, "Traceback (most recent call last)\n", "", 1), "Traceback"),
        (Ending(0, "", "", 3 << 30), "3072 MiB"),
    ],
)
def test_what_is_no_result_and_no_line_is_a_finding(ending: Ending, says: str) -> None:
    found = finding(ending)
    assert found.startswith(says) if says else found == ""


def test_a_call_that_crashes_or_hangs_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(h5_fuzzing, "rooftop", lambda words: os.kill(os.getpid(), signal.SIGSEGV))
    assert called([], tmp_path).code == -signal.SIGSEGV
    monkeypatch.setattr(h5_fuzzing, "_LONGEST_S", 0.2)
    monkeypatch.setattr(h5_fuzzing, "rooftop", lambda words: signal.pause())
    assert called([], tmp_path).code == -signal.SIGKILL
