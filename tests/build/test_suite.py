"""The suite's own arithmetic: nothing that failed is lost on the way to the last line."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "suite.py"


@pytest.fixture(name="suite", scope="module")
def suite_fixture() -> ModuleType:
    spec = importlib.util.spec_from_file_location("suite", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["suite"] = module
    spec.loader.exec_module(module)
    return module


def junit(folder: Path, text: str) -> Path:
    file = folder / "results.xml"
    file.write_text(text, encoding="utf-8")
    return file


def test_counts_of_ctest(suite: ModuleType, tmp_path: Path) -> None:
    file = junit(tmp_path, '<testsuite tests="10" failures="1" skipped="2" disabled="1"/>')
    assert str(suite.read_junit(file, 8)) == "6 passed, 1 failed, 3 skipped"


def test_counts_of_pytest(suite: ModuleType, tmp_path: Path) -> None:
    file = junit(tmp_path, '<testsuites><testsuite tests="5" failures="1" errors="1" skipped="0"/></testsuites>')
    assert str(suite.read_junit(file, 1)) == "3 passed, 2 failed"


def test_runner_that_fails_without_a_failing_test_is_a_failure(suite: ModuleType, tmp_path: Path) -> None:
    file = junit(tmp_path, '<testsuite tests="10" failures="0" skipped="0"/>')
    assert suite.read_junit(file, 1).failed == 1
    assert suite.read_junit(file, 0).failed == 0


def test_no_test_is_a_failure(suite: ModuleType, tmp_path: Path) -> None:
    assert suite.read_junit(junit(tmp_path, '<testsuite tests="0" failures="0"/>'), 0).failed == 1
    assert suite.read_junit(tmp_path / "nothing.xml", 0).failed == 1


def test_only_what_passed_is_remembered(suite: ModuleType) -> None:
    passed: dict[str, dict[str, object]] = {}
    runs: list[int] = []

    def failing() -> object:
        runs.append(1)
        return suite.Counts(failed=1)

    def passing() -> object:
        runs.append(1)
        return suite.Counts(passed=3)

    for _ in range(2):
        assert suite.run(suite.Step("a", failing), "key", passed, fresh=False).failed == 1
    assert len(runs) == 2
    runs.clear()
    for _ in range(2):
        assert suite.run(suite.Step("a", passing), "key", passed, fresh=False).passed == 3
    assert len(runs) == 1
    suite.run(suite.Step("a", passing), "another key", passed, fresh=False)
    suite.run(suite.Step("a", passing), "another key", passed, fresh=True)
    assert len(runs) == 3
