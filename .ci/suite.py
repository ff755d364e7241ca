"""Runs every test and check of the tree, and ends with one line: what passed, what failed, what was skipped.

A step whose inputs have not changed since it passed is not run again, and its counts stand (as ``go test`` does it);
with ``--fresh``, or where CI is set, every step runs. Ends with 1 if anything failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "results"
SYSTEM_PACKAGES = Path("/var/lib/dpkg/status")


@dataclass(frozen=True)
class Counts:
    """Tests of one step by outcome."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        text = f"{self.passed} passed, {self.failed} failed"
        return f"{text}, {self.skipped} skipped" if self.skipped else text


@dataclass(frozen=True)
class Step:
    """A part of the suite. `run` prints what went wrong and gives its counts."""

    name: str
    run: Callable[[], Counts]


def call(*words: str | Path, **environment: str) -> int:
    """Run a command in the tree, its output shown, and give its exit code."""
    path = f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"
    return subprocess.run(
        [str(word) for word in words], cwd=ROOT, env=os.environ | {"PATH": path} | environment, check=False
    ).returncode


def call_ctest(preset: str, results: Path) -> int:
    """Run a preset's tests, show all but the lines of those that pass, and give the exit code."""
    words = ["ctest", "--preset", preset, "--output-junit", str(results)]
    path = f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"
    passing = re.compile(r"\s*(Start\s+\d+:|\d+/\d+ Test\s+#\d+:.* Passed )")
    with subprocess.Popen(words, cwd=ROOT, env=os.environ | {"PATH": path}, stdout=subprocess.PIPE, text=True) as ctest:
        for line in ctest.stdout or ():
            if not passing.match(line):
                print(line, end="", flush=True)
    return ctest.returncode


def read_junit(file: Path, exit_code: int) -> Counts:
    """Add up a JUnit file. No file, no test, or a runner that failed without a failing test counts as one failure."""
    if not file.is_file():
        return Counts(failed=1)
    counts = Counts()
    for suite in ElementTree.parse(file).iter("testsuite"):
        number = {key: int(suite.get(key, 0)) for key in ("tests", "failures", "errors", "skipped", "disabled")}
        failed = number["failures"] + number["errors"]
        skipped = number["skipped"] + number["disabled"]
        counts += Counts(number["tests"] - failed - skipped, failed, skipped)
    if counts == Counts() or (exit_code and not counts.failed):
        counts += Counts(failed=1)
    return counts


def cpp_tests(preset: str) -> Counts:
    """Build a preset and run its tests."""
    file = RESULTS / f"{preset}.xml"
    file.unlink(missing_ok=True)
    if call("packages/build", preset):
        print(f"{preset}: does not build")
        return Counts(failed=1)
    if missing := json.loads((ROOT / "build" / preset / "build.json").read_text(encoding="utf-8"))["tests_missing"]:
        print(f"{preset}: skipped: {missing}")
        return Counts(skipped=1)
    return read_junit(file, call_ctest(preset, file))


def clang_tests(preset: str) -> Counts:
    """Do the same where clang 16 is."""
    if shutil.which("clang++-16") is None:
        print(f"{preset}: skipped: clang++-16 is not installed")
        return Counts(skipped=1)
    return cpp_tests(preset)


def python_tests() -> Counts:
    """Run pytest; it needs the release build."""
    file = RESULTS / "pytest.xml"
    file.unlink(missing_ok=True)
    workers = str(min(8, 2 * len(os.sched_getaffinity(0))))  # many tests wait for programs
    return read_junit(file, call(ROOT / ".venv/bin/python", "-m", "pytest", "-n", workers, f"--junitxml={file}"))


def one(exit_code: int) -> Counts:
    """Count a check that has one answer."""
    return Counts(failed=1) if exit_code else Counts(passed=1)


def tracked(*suffixes: str) -> list[Path]:
    """Give the files that git knows or would take, of these suffixes; all but what is made, where there is no git."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        files = [ROOT / name for name in sorted(set(listed.split("\0"))) if name]
    except (OSError, subprocess.CalledProcessError):
        made = {".git", ".venv", ".rooftop", "build", "__pycache__"}
        files = [file for file in sorted(ROOT.rglob("*")) if not made & set(file.relative_to(ROOT).parts)]
    return [file for file in files if file.is_file() and (not suffixes or file.suffix in suffixes)]


def clang_format() -> Counts:
    """Compare the layout of every C++ source with .clang-format's."""
    if shutil.which("clang-format-16") is None:
        print("clang-format: skipped: clang-format-16 is not installed")
        return Counts(skipped=1)
    return one(call("clang-format-16", "--dry-run", "--Werror", *tracked(".cpp", ".hpp", ".h", ".c")))


def clang_tidy() -> Counts:
    """Analyse the sources that changed; .ci/tidy.py remembers the others."""
    if shutil.which("clang-tidy-16") is None:
        print("clang-tidy: skipped: clang-tidy-16 is not installed")
        return Counts(skipped=1)
    return one(call(sys.executable, ".ci/tidy.py"))


def ruff() -> Counts:
    return one(call("ruff", "check", "--quiet", *tracked(".py")))


def mypy() -> Counts:
    return one(call("mypy", "--no-error-summary"))


CHECKS = [Step("ruff", ruff), Step("mypy", mypy), Step("clang-format", clang_format), Step("clang-tidy", clang_tidy)]
TESTS = [
    Step("C++ tests, release", lambda: cpp_tests("release")),
    Step("Python tests", python_tests),
    Step("C++ tests, address and undefined-behaviour sanitizers", lambda: cpp_tests("asan")),
    Step("C++ tests, thread sanitizer", lambda: clang_tests("tsan")),
]


def fingerprint() -> str:
    """Give a hash of all that a step can depend on: the tree, the installed packages, Python's environment."""
    digest = hashlib.sha256()
    for file in tracked():
        content = file.read_bytes()
        digest.update(f"{file.relative_to(ROOT)} {file.stat().st_mode} {len(content)}\n".encode())
        digest.update(content)
    for file in [SYSTEM_PACKAGES, *sorted((ROOT / ".venv").glob(".installed-*"))]:
        if file.is_file():
            digest.update(f"{file} {file.stat().st_mtime_ns}\n".encode())
    return digest.hexdigest()


def run(step: Step, key: str, passed: dict[str, dict[str, object]], *, fresh: bool) -> Counts:
    """Run a step, or recall it if nothing has changed since it passed."""
    known = passed.get(step.name)
    if known and known["key"] == key and not fresh:
        counts = Counts(**known["counts"])  # type: ignore[arg-type]
        print(f"== {step.name}: {counts} (unchanged since then)", flush=True)
        return counts
    print(f"== {step.name}", flush=True)
    start = time.monotonic()
    try:
        counts = step.run()
    except OSError as error:
        print(f"{step.name}: {error}")
        counts = Counts(failed=1)
    print(f"== {step.name}: {counts} ({time.monotonic() - start:.0f} s)", flush=True)
    passed.pop(step.name, None)
    if not counts.failed:
        passed[step.name] = {"key": key, "counts": asdict(counts)}
    return counts


def main() -> int:
    """Run the suite. Exit code 1 if anything failed."""
    parser = argparse.ArgumentParser(description="Runs every test and check of the tree.")
    parser.add_argument("--checks-only", action="store_true", help="linters and types, no tests")
    parser.add_argument("--fresh", action="store_true", help="run also what has not changed since it passed")
    options = parser.parse_args()
    steps = CHECKS if options.checks_only else TESTS + CHECKS
    RESULTS.mkdir(parents=True, exist_ok=True)
    memory = RESULTS / "passed.json"
    try:
        passed = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        passed = {}
    key = fingerprint()
    total = Counts()
    failed: list[str] = []
    for step in steps:
        counts = run(step, key, passed, fresh=options.fresh or "CI" in os.environ)
        memory.write_text(json.dumps(passed), encoding="utf-8")
        total += counts
        if counts.failed:
            failed.append(step.name)
    if failed:
        print(f"Failed: {'; '.join(failed)}")
    print(total)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
