"""The studies' files hold what a study reads, and nothing else goes unnoticed."""

from __future__ import annotations

import importlib.util
import tomllib
from typing import Any

import pytest
from tree import ROOT

FOLDER = ROOT / "benchmarks" / "studies"


@pytest.mark.case("solvers.B5.study")
def test_keys_that_nobody_reads_are_named() -> None:
    spec = importlib.util.spec_from_file_location("study", FOLDER / "study.py")
    assert spec is not None
    assert spec.loader is not None
    study: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(study)
    for file in FOLDER.glob("*.toml"):
        assert study.unknown_keys(tomllib.loads(file.read_text(encoding="utf-8"))) == []
    wrong = {"title": "t", "prepaer": [], "tune": {"options": [], "comand": []}}
    assert study.unknown_keys(wrong) == ["prepaer", "tune.comand"]
