"""What a declaration refuses before a campaign begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rooftop.errors import Misuse
from rooftop.ladder.experiment import Case, Experiment, Files
from rooftop.machine.file_system import file_system_of


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": ""}, "expected a short printable text"),
        ({"name": "two\nlines"}, "expected a short printable text"),
        ({"nominal": 0.0}, "expected work of one run, a number above 0"),
        ({"nominal": float("inf")}, "expected work of one run, a number above 0"),
        ({"workers": (0, 1)}, r"workers is \(0, 1\), expected rising whole numbers above 0"),
        ({"workers": (2, 1)}, "expected rising whole numbers above 0"),
        ({"workers": (2, 2)}, "expected rising whole numbers above 0"),
        ({"workers": (1.5,)}, "expected rising whole numbers above 0"),
        ({"isa": "avx3"}, "isa is 'avx3', expected one of scalar, sse2, avx2, avx512, neon"),
    ],
)
def test_a_case_that_could_not_be_measured_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(Misuse, match=said):
        replace(Case("a", {}, 1.0), **wrong)
    assert Case("a", {}, 1.0, workers=(1, 2, 8)).workers == (1, 2, 8)


def test_a_cold_case_reads_from_the_file_system_of_the_experiments_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cold, cached = Case("cold", {}, 1.0, cold=True), Case("cached", {}, 1.0)
    declared = Experiment("t", "u", 1.0, {"quick": [cold, cached]}, files=Files("FAKE_FILES", "fake"))
    monkeypatch.setenv("FAKE_FILES", str(tmp_path / "later"))
    assert declared.cold_on(declared.cases("quick")) is None
    assert declared.cold_on([cold]) == file_system_of(tmp_path).name
    monkeypatch.delenv("FAKE_FILES")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert declared.files is not None
    assert declared.files.folder == tmp_path / "fake"
    with pytest.raises(Misuse, match=r"case 'cold' of experiment 't' is cold, expected files=Files"):
        replace(declared, files=None).cases("quick")
