"""The suite's own arithmetic: nothing that failed is lost on the way to the last line."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
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


def test_failed_tests_are_named(suite: ModuleType, tmp_path: Path) -> None:
    cases = (
        '<testcase classname="conv" name="Fits"/>'
        '<testcase classname="fft" name="Bends"><failure message="1 is not 2"/></testcase>'
        '<testcase classname="tests.test_a" name="test_b"><error message="no file"/></testcase>'
    )
    file = junit(tmp_path, f'<testsuite tests="3" failures="1" errors="1">{cases}</testsuite>')
    counts = suite.read_junit(file, 1)
    assert counts.failures == ("fft.Bends", "tests.test_a.test_b")
    assert (counts + counts).failures == 2 * counts.failures


def test_runner_that_fails_without_a_failing_test_is_a_failure(suite: ModuleType, tmp_path: Path) -> None:
    file = junit(tmp_path, '<testsuite tests="10" failures="0" skipped="0"/>')
    assert suite.read_junit(file, 1).failed == 1
    assert suite.read_junit(file, 0).failed == 0


def test_no_test_is_a_failure(suite: ModuleType, tmp_path: Path) -> None:
    assert suite.read_junit(junit(tmp_path, '<testsuite tests="0" failures="0"/>'), 0).failed == 1
    assert suite.read_junit(tmp_path / "nothing.xml", 0).failed == 1


def test_warnings_of_the_compiler_are_found(suite: ModuleType, tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    assert suite.warnings_in(log) == []
    warned = "../../native/src/isa.cpp:3:9: warning: unused variable 'x' [-Wunused-variable]"
    foreign = "/usr/include/c++/12/bits/char_traits.h:431:56: warning: accessing 9223372036854775810 or more bytes"
    lines = ["[1/2] Building CXX object isa.cpp.o", warned, foreign, "[2/2] Linking warning.so", ""]
    log.write_text("\n".join(lines), encoding="utf-8")
    assert suite.warnings_in(log) == [warned]


def step(suite: ModuleType, run: Callable[[object], object]) -> object:
    return suite.Step("a", "A", suite.Inputs(("",)), run)


def test_only_what_passed_is_remembered(suite: ModuleType) -> None:
    passed: dict[str, dict[str, object]] = {}
    runs: list[int] = []

    def failing(_: object) -> object:
        runs.append(1)
        return suite.Counts(failed=1)

    def passing(_: object) -> object:
        runs.append(1)
        return suite.Counts(passed=3)

    for _ in range(2):
        assert suite.run(step(suite, failing), "key", passed, fresh=False)[0].failed == 1
    assert len(runs) == 2
    runs.clear()
    first, again = (suite.run(step(suite, passing), "key", passed, fresh=False) for _ in range(2))
    assert first[0].passed == again[0].passed == 3
    assert first[1] is not None
    assert again[1] is None, "nothing is spent on a step that did not run"
    assert len(runs) == 1
    suite.run(step(suite, passing), "another key", passed, fresh=False)
    suite.run(step(suite, passing), "another key", passed, fresh=True)
    assert len(runs) == 3


def test_linters_come_first_and_steps_can_be_chosen(suite: ModuleType) -> None:
    def names(*words: str) -> list[str]:
        return [one.name for one in suite.chosen_steps(suite.read_options(words))]

    assert names() == ["ruff", "mypy", "imports", "clang-format", "clang-tidy", "release", "python", "asan", "tsan"]
    assert names("--checks-only") == ["ruff", "mypy", "imports", "clang-format", "clang-tidy"]
    assert names("--only", "tsan", "--only", "ruff") == ["ruff", "tsan"]
    assert names("--experiment", "ft", "--only", "asan") == ["asan"]
    with pytest.raises(SystemExit) as left:
        names("--experiment", "nothing")
    assert left.value.code == 2


def test_steps_know_what_they_read(suite: ModuleType) -> None:
    """A rung is none of mypy's business, a docstring none of the compiler's, and every file is some step's."""
    reads = {one.name: one.inputs for one in suite.CHECKS + suite.TESTS}

    def readers(name: str) -> set[str]:
        return {step for step, inputs in reads.items() if inputs.have(Path(name))}

    native = {"release", "asan", "tsan"}
    assert readers("experiments/ft/rungs/10-textbook.cpp") == native | {"clang-format", "clang-tidy", "python"}
    assert readers("solvers/conv/tests/shapes_test.cpp") == native | {"clang-format", "python"}
    assert readers("solvers/routing/tests/corpus/empty.tsp") == native | {"python"}
    assert readers("experiments/ft/tests/cases.jsonl") == native | {"python"}
    assert readers("probes/timer.cpp") == {"release", "clang-format", "clang-tidy", "python"}
    assert readers("CMakePresets.json") == native | {"clang-tidy", "python"}
    assert readers("src/rooftop/errors.py") == {"ruff", "mypy", "imports", "python"}
    assert readers("docs/measuring.md") == {"python"}
    assert readers(".ci/tidy.py") == {"ruff", "mypy", "clang-tidy", "python"}


def test_fingerprint_follows_the_inputs(suite: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = sys.modules["inputs"]
    monkeypatch.setattr(inputs, "ROOT", tmp_path)
    monkeypatch.setattr(inputs, "tracked", lambda: (Path("a.cpp"), Path("b.py")))
    for name in ("a.cpp", "b.py"):
        (tmp_path / name).write_text("1", encoding="utf-8")
    only_cpp = suite.Inputs(("",), (".cpp",))
    before = inputs.fingerprint(only_cpp)
    (tmp_path / "b.py").write_text("2", encoding="utf-8")
    assert inputs.fingerprint(only_cpp) == before
    (tmp_path / "a.cpp").write_text("2", encoding="utf-8")
    assert inputs.fingerprint(only_cpp) != before
