"""Runs every test and check of the tree, and ends with one line: what passed, what failed, what was skipped.

Linters come first: they fail soonest. A step whose inputs have not changed since it passed is not run again, and its
counts stand (as ``go test`` does it); with ``--fresh``, or where CI is set, every step runs. ``--only STEP`` runs one
step, ``--experiment NAME`` the tests of one experiment or solver. Ends with 1 if anything failed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parent))
from inputs import CPP, ROOT, Inputs, files_of, fingerprint

RESULTS = ROOT / "build" / "results"


@dataclass(frozen=True)
class Counts:
    """Tests of one step by outcome, with the names of those that failed or the reason why none ran."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failures: tuple[str, ...] = ()

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.failures + other.failures,
        )

    def __str__(self) -> str:
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


@dataclass(frozen=True)
class Step:
    """A part of the suite.

    name    as ``--only`` takes it
    title   what is printed
    inputs  what it reads: it is not run again before one of them changes
    run     prints what went wrong and returns the counts; it is given the experiments that were chosen, none for all
    """

    name: str
    title: str
    inputs: Inputs
    run: Callable[[Sequence[str]], Counts]


def environment() -> dict[str, str]:
    """Return the environment of what is run: .venv's programs first, and Python keeps what it compiled, as users' does.

    Some images of containers ask it not to, and thousands of processes would compile the bench again.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}


def call(*words: str | Path) -> int:
    """Run a command in the tree, its output shown, and return its exit code."""
    return subprocess.run([str(word) for word in words], cwd=ROOT, env=environment(), check=False).returncode


def call_ctest(preset: str, results: Path, experiments: Sequence[str]) -> int:
    """Run a preset's tests, show all but the lines of those that pass, and return the exit code."""
    words = ["ctest", "--preset", preset, "--output-junit", str(results)]
    if experiments:
        words += ["-R", f"^(solvers/)?({'|'.join(re.escape(one) for one in experiments)})/"]
    passing = re.compile(r"\s*(Start\s+\d+:|\d+/\d+ Test\s+#\d+:.* Passed )")
    with subprocess.Popen(words, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True) as ctest:
        for line in ctest.stdout or ():
            if not passing.match(line):
                print(line, end="", flush=True)
    return ctest.returncode


def read_junit(file: Path, exit_code: int) -> Counts:
    """Add up a JUnit file. No file, no test, or a runner that failed without a failing test counts as one failure."""
    if not file.is_file():
        return Counts(failed=1, failures=("the test runner wrote no results",))
    counts = Counts()
    for suite in ElementTree.parse(file).iter("testsuite"):
        number = {key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped", "disabled")}
        failed = number["failures"] + number["errors"]
        skipped = number["skipped"] + number["disabled"]
        names = [
            f"{case.get('classname')}.{case.get('name')}"
            for case in suite.iter("testcase")
            if case.find("failure") is not None or case.find("error") is not None
        ]
        counts += Counts(number["tests"] - failed - skipped, failed, skipped, tuple(names))
    if counts == Counts() or (exit_code and not counts.failed):
        counts += Counts(failed=1, failures=(f"the test runner ended with {exit_code} without a failing test",))
    return counts


def warnings_in(log: Path) -> list[str]:
    """Return the compiler's warnings in what packages/build kept; nothing where somebody watched and nothing was kept.

    Presets of clang make them errors. The release build does not: a newer compiler of a user may know more of them.
    Those that gcc has of its own library's code (-Wrestrict of strings, gcc's bug 105651) are not the tree's.
    """
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return [line for line in lines if re.match(r"(?!/usr/)\S+:\d+:\d+: warning: ", line)]


def cpp_tests(preset: str, experiments: Sequence[str]) -> Counts:
    """Build a preset, or what some experiments need of it, and run its tests."""
    file = RESULTS / f"{preset}.xml"
    file.unlink(missing_ok=True)
    for target in [f"everything_of.{one.replace('/', '.')}" for one in experiments] or ["all"]:
        if call("packages/build", preset, target):
            return Counts(failed=1, failures=("does not build",))
        if warned := warnings_in(ROOT / "build" / preset / "build.log"):
            return Counts(failed=1, failures=tuple(warned))
    if missing := json.loads((ROOT / "build" / preset / "build.json").read_text(encoding="utf-8"))["tests_missing"]:
        print(f"{preset}: skipped: {missing}")
        return Counts(skipped=1)
    return read_junit(file, call_ctest(preset, file, experiments))


def clang_tests(preset: str, experiments: Sequence[str]) -> Counts:
    """Do the same where clang 16 is."""
    if shutil.which("clang++-16") is None:
        print(f"{preset}: skipped: clang++-16 is not installed")
        return Counts(skipped=1)
    return cpp_tests(preset, experiments)


def python_tests(experiments: Sequence[str]) -> Counts:
    """Run pytest, or the tests in the folders of some experiments; it needs the release build."""
    file = RESULTS / "pytest.xml"
    file.unlink(missing_ok=True)
    folders = [ROOT / kind / one / "tests" for one in experiments for kind in ("experiments", "solvers")]
    chosen = [folder for folder in folders if any(folder.glob("test_*.py"))]
    if experiments and not chosen:
        print("python: skipped: no Python tests in the folders of " + ", ".join(experiments))
        return Counts(skipped=1)
    workers = str(min(8, 2 * len(os.sched_getaffinity(0))))  # many tests wait for programs
    words = [ROOT / ".venv/bin/python", "-m", "pytest", "-n", workers, f"--junitxml={file}", *chosen]
    return read_junit(file, call(*words))


def one(exit_code: int) -> Counts:
    """Count a check that has one answer."""
    return Counts(failed=1) if exit_code else Counts(passed=1)


def clang_format() -> Counts:
    """Compare the layout of every C++ source with .clang-format's."""
    if shutil.which("clang-format-16") is None:
        print("clang-format: skipped: clang-format-16 is not installed")
        return Counts(skipped=1)
    return one(call("clang-format-16", "--dry-run", "--Werror", *files_of(Inputs(("",), CPP))))


def clang_tidy() -> Counts:
    """Analyse the sources that changed; .ci/tidy.py remembers the others."""
    for needed, there in {"clang++-16": shutil.which("clang++-16"), "clang-tidy": find_spec("clang_tidy")}.items():
        if there is None:
            print(f"clang-tidy: skipped: {needed} is not installed")
            return Counts(skipped=1)
    return one(call(sys.executable, ".ci/tidy.py"))


_PYTHON = Inputs(("",), (".py",), ("pyproject.toml",))
_NOT_COMPILED = (".py", ".md", ".toml")
_BUILD_FILES = ("CMakeLists.txt", "CMakePresets.json", "packages/build")
_SANITIZED = Inputs(("native", "solvers", "experiments", "cmake"), (), _BUILD_FILES, _NOT_COMPILED)
_RELEASE = replace(_SANITIZED, folders=(*_SANITIZED.folders, "probes"))
_TIDY = replace(_RELEASE, files=(*_BUILD_FILES, ".clang-tidy", ".ci/tidy.py"), but=(*_NOT_COMPILED, "tests"))

CHECKS = [
    Step("ruff", "ruff", _PYTHON, lambda _: one(call("ruff", "check", "--quiet", *files_of(Inputs(("",), (".py",)))))),
    Step("mypy", "mypy", _PYTHON, lambda _: one(call("mypy", "--no-error-summary"))),
    Step(
        "imports",
        "order of rooms",
        replace(_PYTHON, folders=("src", "solvers")),
        lambda _: one(call("lint-imports", "--no-cache")),
    ),
    Step("clang-format", "clang-format", Inputs(("",), CPP, (".clang-format",)), lambda _: clang_format()),
    Step("clang-tidy", "clang-tidy", _TIDY, lambda _: clang_tidy()),
]
TESTS = [
    Step("release", "C++ tests, release", _RELEASE, lambda chosen: cpp_tests("release", chosen)),
    Step("python", "Python tests", Inputs(("",)), python_tests),
    Step(
        "asan",
        "C++ tests, address and undefined-behaviour sanitizers",
        _SANITIZED,
        lambda chosen: clang_tests("asan", chosen),
    ),
    Step("tsan", "C++ tests, thread sanitizer", _SANITIZED, lambda chosen: clang_tests("tsan", chosen)),
]


@dataclass(frozen=True)
class Spent:
    """What a step took: seconds, and seconds of all processors."""

    wall_s: float
    cpu_s: float


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(step: Step, key: str, passed: dict[str, dict[str, object]], *, fresh: bool) -> tuple[Counts, Spent | None]:
    """Run a step, or recall it if nothing has changed since it passed; then nothing was spent."""
    known = passed.get(step.name)
    if known and known["key"] == key and not fresh:
        counts = Counts(**known["counts"])  # type: ignore[arg-type]
        print(f"== {step.title}: {counts} (unchanged since then)", flush=True)
        return counts, None
    counts, spent = timed(step, ())
    passed.pop(step.name, None)
    if counts.passed and not counts.failed:  # what was skipped for a missing tool is run once that is there
        passed[step.name] = {"key": key, "counts": {"passed": counts.passed, "skipped": counts.skipped}}
    return counts, spent


def timed(step: Step, experiments: Sequence[str]) -> tuple[Counts, Spent]:
    """Run a step and return its counts and what it took."""
    print(f"== {step.title}", flush=True)
    start, cpu_s = time.monotonic(), _cpu_s()
    try:
        counts = step.run(experiments)
    except OSError as error:
        print(f"{step.name}: {error}")
        counts = Counts(failed=1)
    spent = Spent(time.monotonic() - start, _cpu_s() - cpu_s)
    print(f"== {step.title}: {counts} ({spent.wall_s:.0f} s, {spent.cpu_s:.0f} CPU s)", flush=True)
    return counts, spent


def keep_times(file: Path, spent: Mapping[str, Spent | None]) -> None:
    """Write what each step took, for benchmarks/test_run; null for one that did not run."""
    content = {name: None if one is None else asdict(one) for name, one in spent.items()}
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def read_options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line. Leaves with 2 where it names a step or an experiment that is none."""
    parser = argparse.ArgumentParser(description="Runs every test and check of the tree.")
    parser.add_argument("--checks-only", action="store_true", help="linters and types, no tests")
    parser.add_argument("--fresh", action="store_true", help="run also what has not changed since it passed")
    names = [step.name for step in CHECKS + TESTS]
    parser.add_argument("--only", action="append", metavar="STEP", choices=names, help=", ".join(names))
    parser.add_argument("--experiment", action="append", metavar="NAME", help="the tests of one experiment or solver")
    options = parser.parse_args(arguments)
    for name in options.experiment or ():
        if not any((ROOT / folder / name).is_dir() for folder in ("experiments", "solvers")):
            parser.error(f"--experiment is {name!r}, expected a folder in experiments/ or solvers/")
    return options


def chosen_steps(options: argparse.Namespace) -> list[Step]:
    """Return the steps to run: linters first, for they fail soonest."""
    steps = CHECKS if options.checks_only else CHECKS + TESTS
    if options.experiment:
        steps = TESTS
    return [step for step in steps if not options.only or step.name in options.only]


def main() -> int:
    """Run the suite. Exit code 1 if anything failed."""
    options = read_options()
    RESULTS.mkdir(parents=True, exist_ok=True)
    memory = RESULTS / "passed.json"
    try:
        passed = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        passed = {}
    total = Counts()
    failed: list[tuple[str, Counts]] = []
    spent: dict[str, Spent | None] = {}
    for step in chosen_steps(options):
        if options.experiment:
            counts, spent[step.name] = timed(step, options.experiment)
        else:
            fresh = options.fresh or "CI" in os.environ
            counts, spent[step.name] = run(step, fingerprint(step.inputs), passed, fresh=fresh)
            memory.write_text(json.dumps(passed), encoding="utf-8")
        total += counts
        if counts.failed:
            failed.append((step.title, counts))
    keep_times(RESULTS / "times.json", spent)
    for title, counts in failed:
        print(f"Failed: {title}", *counts.failures, sep="\n    ")
    print(total)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
