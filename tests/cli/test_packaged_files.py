"""What was compiled in part, by ``rooftop build --target``, does not hide what came compiled with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from rooftop import settings
from rooftop.observe import call_counts, chunk_cache, function_calls, openmp
from rooftop.probe import launch
from rooftop.probe.launch import probes_folder


@pytest.fixture(name="packaged")
def packaged_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "rooftop" / "built"
    monkeypatch.setattr(settings, "COMPILED", folder)
    monkeypatch.setattr(launch, "COMPILED", folder)
    return folder


def _file(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(0o755)
    return path


@pytest.mark.parametrize("module", [call_counts, chunk_cache, function_calls, openmp])
def test_a_preloaded_library(module: object, packaged: Path, tmp_path: Path) -> None:
    library, missing = module.library, module.missing  # type: ignore[attr-defined]
    build = tmp_path / "build"
    wanted = library(build)
    assert wanted.parent == build / "native"
    assert "'rooftop build'" in missing(build)
    with_package = _file(packaged / "native" / wanted.name)
    assert library(build) == with_package
    assert missing(build) is None
    _file(wanted)
    assert library(build) == wanted


def test_probes(packaged: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    assert probes_folder(build, "probes") == build / "probes"
    _file(packaged / "probes" / "timer")
    (build / "probes").mkdir(parents=True)  # configured, and not compiled
    assert probes_folder(build, "probes") == packaged / "probes"
    _file(build / "probes" / "latency")
    assert probes_folder(build, "probes") == build / "probes"
