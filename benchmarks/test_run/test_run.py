"""Measure what the test run costs, clean and cached, and what new code adds to it."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

import typer

from benchmarks import form
from benchmarks.form import RESULTS as PAGES
from benchmarks.form import ROOT, table
from rooftop.files.atomic import write_whole
from rooftop.machine.identity import cores_now
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles

SAMPLES = ROOT / ".rooftop" / "test_run" / "samples.json"
PAGE = PAGES / "test-run.md"
EXTRAS = ("dev", "peers", "hdf5", "partition", "labs", "shapes", "gmsh")  # as in make test
RESULTS = Path("build") / "results"
SLOWEST = 30
KINDS = ("cached", "rung", "experiment")  # beside the clean run
ASKED_CPU_S = 50 * 60.0
ASKED_WALL_S = 25 * 60.0
_ABOUT = """\
*Clean*: a new clone with no compiler cache. *Cached*: a new build with the cache that the clean one left. *Rung*: what
a copy of a small rung adds, *experiment*: a copy of `ft`: its build without a cache, and tests of that experiment."""
_STEP = re.compile(r"== (?P<title>.+): (?P<counts>\d+ passed.*) \((?P<wall>\d+) s(?:, (?P<cpu>\d+) CPU s)?\)")


@dataclass(frozen=True)
class Sample:
    """One run of the suite.

    kind     clean, cached, experiment or rung
    label    of which tree: ``before`` or ``after``
    steps    title, seconds and CPU seconds (None where the suite did not tell) of each step that ran
    machine  its processor and number of cores, which alone make two runs comparable
    slowest  seconds, preset or pytest, and name of the tests that took longest
    """

    kind: str
    label: str
    wall_s: float
    cpu_s: float
    last_line: str
    steps: tuple[tuple[str, float, float | None], ...]
    machine: str = ""
    slowest: tuple[tuple[float, str, str], ...] = ()


def this_machine() -> str:
    """Return the processor and the number of usable cores."""
    return f"{processor(SystemFiles()).name}, {cores_now()} cores"


def read_steps(output: Iterable[str]) -> tuple[tuple[str, float, float | None], ...]:
    """Return what each step took, from the lines of the suite."""
    found = (_STEP.fullmatch(line) for line in output)
    return tuple(
        (one["title"], float(one["wall"]), None if one["cpu"] is None else float(one["cpu"])) for one in found if one
    )


def slowest_tests(folder: Path) -> tuple[tuple[float, str, str], ...]:
    """Return the slowest tests in a folder's JUnit files: seconds, the file's name, and the test's."""
    found = [
        (float(case.get("time") or 0), file.stem, "::".join(filter(None, (case.get("classname"), case.get("name")))))
        for file in sorted(folder.glob("*.xml"))
        for case in ElementTree.parse(file).iter("testcase")
    ]
    return tuple(sorted(found, reverse=True)[:SLOWEST])


def run_suite(kind: str, label: str, tree: Path, words: Sequence[str], environment: Mapping[str, str]) -> Sample:
    """Run a tree's suite and return what it took."""
    used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [str(tree / ".venv/bin/python"), ".ci/suite.py", *words]
    shown: list[str] = []
    with subprocess.Popen(command, cwd=tree, env=os.environ | environment, stdout=subprocess.PIPE, text=True) as suite:
        for line in suite.stdout or ():
            print(line, end="", flush=True)
            shown.append(line.rstrip())
    wall_s, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    last = next((line for line in reversed(shown) if line), "nothing")
    return Sample(kind, label, wall_s, cpu_s, last, read_steps(shown), this_machine(), slowest_tests(tree / RESULTS))


def clone(tree: Path, folder: Path) -> Path:
    """Return a clone of a tree with an environment of its own."""
    there = folder / "rooftop"
    subprocess.run(["git", "clone", "--quiet", str(tree), str(there)], check=True)
    subprocess.run(["packages/venv", *EXTRAS], cwd=there, check=True, stdout=subprocess.DEVNULL)
    return there


def add_experiment(tree: Path) -> list[str]:
    """Copy ft under another name, and return how the suite is told to run it."""
    shutil.copytree(tree / "experiments/ft", tree / "experiments/ft_copy")
    problem = tree / "experiments/ft_copy/problem.cpp"
    problem.write_text(problem.read_text(encoding="utf-8").replace('return "ft"', 'return "ft_copy"'), encoding="utf-8")
    return ["--experiment", "ft_copy"]


def add_rung(tree: Path) -> list[str]:
    """Copy a small rung of the template, and return how the suite is told to run it."""
    rungs = tree / "experiments/_template/rungs"
    shutil.copy(rungs / "20-many-sums.cpp", rungs / "25-copy.cpp")
    return ["--experiment", "_template"]


def measure(tree: Path, label: str, only: Sequence[str]) -> Iterator[Sample]:
    """Measure a tree's suite in a clone: without any cache, with new code, and with the cache that these left."""
    with tempfile.TemporaryDirectory(prefix="rooftop-test-run-") as name:
        folder = Path(name)
        there = clone(tree, folder)
        cache = caches(folder)
        yield run_suite("clean", label, there, [], cache)
        for kind, add in (("rung", add_rung), ("experiment", add_experiment)):
            if kind in only:
                words = add(there)
                # Once as it was, for the tests that run again; what is compiled anew is what was added.
                yield run_suite(kind, label, there, words, cache | {"CCACHE_DISABLE": "1"})
        if "cached" in only:
            subprocess.run(["git", "clean", "--quiet", "-fd", "experiments"], cwd=there, check=True)
            yield measure_cached(label, folder)


def caches(folder: Path) -> dict[str, str]:
    """Return the environment in which a run in this folder finds its caches, and nobody else's."""
    return {"CI": "true", "XDG_CACHE_HOME": str(folder / "cache"), "CCACHE_DIR": str(folder / "ccache")}


def fill(tree: Path, folder: Path) -> None:
    """Fill a folder's caches by building and checking a tree there, untimed."""
    there = clone(tree, folder)
    for words in [["packages/build", preset] for preset in ("release", "asan", "tsan")]:
        subprocess.run(words, cwd=there, env=os.environ | caches(folder), check=True)
    checks = [".venv/bin/python", ".ci/suite.py", "--checks-only"]
    subprocess.run(checks, cwd=there, env=os.environ | caches(folder), check=True)


def measure_cached(label: str, folder: Path) -> Sample:
    """Measure a new build in a folder whose caches are filled."""
    there = folder / "rooftop"
    shutil.rmtree(there / "build")
    return run_suite("cached", label, there, [], caches(folder))


def read_samples(file: Path) -> list[Sample]:
    """Return what was measured before; nothing where there is no file."""
    if not file.is_file():
        return []
    rows = json.loads(file.read_text(encoding="utf-8"))
    lists = ("steps", "slowest")
    return [Sample(**row | {name: tuple(tuple(one) for one in row.get(name, ())) for name in lists}) for row in rows]


def keep(file: Path, samples: Sequence[Sample]) -> list[Sample]:
    """Write samples with what was measured before; a new one replaces the old one of its kind, label and machine."""
    new = {(one.kind, one.label, one.machine) for one in samples}
    every = [one for one in read_samples(file) if (one.kind, one.label, one.machine) not in new] + list(samples)
    write_whole(file, json.dumps([asdict(one) for one in every], indent=1) + "\n")
    return every


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f}"


def _beside(seconds: float, asked: float, kind: str) -> str:
    """Return minutes, and "missed" where a clean run took more than it may."""
    return f"{_minutes(seconds)}, missed" if kind == "clean" and seconds > asked else _minutes(seconds)


def page(samples: Sequence[Sample]) -> str:
    """Return the page in Markdown."""
    runs = [
        (
            one.kind,
            one.label,
            _beside(one.wall_s, ASKED_WALL_S, one.kind),
            _beside(one.cpu_s, ASKED_CPU_S, one.kind),
            one.last_line,
            one.machine,
        )
        for one in samples
    ]
    parts = [
        f"Asked of a clean run: at most {_minutes(ASKED_CPU_S)} CPU minutes, {_minutes(ASKED_WALL_S)} minutes.",
        table(["run", "tree", "minutes", "CPU minutes", "last line", "machine"], runs),
        _ABOUT,
    ]
    for one in samples:
        steps = [(title, _minutes(wall), "–" if cpu is None else _minutes(cpu)) for title, wall, cpu in one.steps]
        parts += [f"## {one.kind}, {one.label}: {one.machine}", table(["step", "minutes", "CPU minutes"], steps)]
        if one.kind == "clean" and one.slowest:
            slowest = [(name, of, f"{seconds:.1f}") for seconds, of, name in one.slowest]
            parts += [f"The {len(slowest)} slowest tests:", table(["test", "of", "seconds"], slowest)]
    parts.append("What is not checked, and why: [decision 0016](../decisions/0016-what-sanitized-builds-compile.md).")
    on = "Minutes of different machines are not comparable"
    return form.page("The test run: what it costs", "test_run", *parts, on=on)


def main(
    tree: Annotated[Path, typer.Option(help="A checkout, whose committed state is measured.")] = ROOT,
    label: Annotated[str, typer.Option(help="What the page calls that tree.")] = "after",
    also: Annotated[
        list[str] | None, typer.Option(help=f"Run beside the clean one: {', '.join(KINDS)}; may be repeated.")
    ] = None,
    clean_only: Annotated[bool, typer.Option("--clean-only", help="Only the clean run.")] = False,
    filled: Annotated[Path | None, typer.Option("--fill", help="Measure nothing, fill a new folder's caches.")] = None,
    cached_only: Annotated[Path | None, typer.Option(help="Only the cached run, in a filled folder.")] = None,
    page_only: Annotated[
        bool, typer.Option("--page-only", help="Measure nothing, write the page from samples.")
    ] = False,
) -> int:
    """Measure what the test run costs, and write docs/results/test-run.md. Exit code 1 where a run failed."""
    if unknown := sorted(set(also or ()) - set(KINDS)):
        raise typer.BadParameter(f"--also is {unknown[0]!r}, expected one of {', '.join(KINDS)}")
    if filled is not None:
        fill(tree.resolve(), filled.resolve())
        return 0
    new: list[Sample] = []
    if cached_only is not None:
        new.append(measure_cached(label, cached_only.resolve()))
        keep(SAMPLES, new)
    elif not page_only:
        for sample in measure(tree.resolve(), label, () if clean_only else also or KINDS):
            new.append(sample)
            keep(SAMPLES, new)  # a run takes long: what is interrupted leaves what it has
    every = read_samples(SAMPLES)
    write_whole(PAGE, page(every))
    return 1 if any(", 0 failed" not in one.last_line for one in new) else 0
