"""What clang-tidy's memory goes by: the same in any clone, another where what an analysis depends on changes."""

from __future__ import annotations

import importlib.util
import os
import time
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "tidy.py"


@pytest.fixture(name="tidy")
def tidy_fixture() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tidy", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def clone(folder: Path, *, header: str = "int a();", settings: str = "Checks: '*'", source: str = "a();") -> Path:
    (folder / "native").mkdir(parents=True)
    (folder / ".clang-tidy").write_text(settings, encoding="utf-8")
    (folder / "native" / "a.hpp").write_text(header, encoding="utf-8")
    (folder / "native" / "a.cpp").write_text(source, encoding="utf-8")
    return folder


def test_keys_are_those_of_the_content_wherever_the_tree_lies(
    tidy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "tool", lambda: None)

    def key(root: Path, flags: str = "-O3") -> str:
        monkeypatch.setattr(tidy, "ROOT", root)
        source = root / "native" / "a.cpp"
        command = {"file": str(source), "command": f"c++ {flags} -I{root}/native -c {source}"}
        return str(tidy.key_of(command, tidy.shared_digest()))

    first = key(clone(tmp_path / "here"))
    assert key(clone(tmp_path / "elsewhere")) == first
    others = [
        key(clone(tmp_path / "header", header="int b();")),
        key(clone(tmp_path / "settings", settings="Checks: ''")),
        key(clone(tmp_path / "source", source="b();")),
        key(tmp_path / "here", flags="-O2"),
    ]
    assert len({first, *others}) == 5


def test_what_no_tree_asks_for_is_forgotten(tidy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tidy.memory()
    for name, age_days in (("new", 1), ("old", 365)):
        (folder / name).touch()
        then_s = time.time() - age_days * 24 * 3600
        os.utime(folder / name, (then_s, then_s))
    assert [one.name for one in tidy.memory().iterdir()] == ["new"]
