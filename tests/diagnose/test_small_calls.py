"""What is suspected of small functions, what is told of their calls, and the pass over a real program."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.command.line import from_words
from rooftop.command.process import Limits
from rooftop.diagnose.call_table import call_lines, call_table
from rooftop.diagnose.document import Cause, DiagnoseDocument
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.findings import complete
from rooftop.diagnose.function_facts import CalledFunction, FunctionFacts, function_facts, hot_function
from rooftop.diagnose.observed import Observed, seen
from rooftop.diagnose.page import parts
from rooftop.diagnose.passes import Here
from rooftop.diagnose.suspicions import suspicions
from rooftop.diagnose.text import print_diagnosis
from rooftop.diagnose.untried import untried, why
from rooftop.driver.replay import ReplayExecutor
from rooftop.observe import function_calls
from rooftop.observe.function_calls import FunctionCalls
from rooftop.observe.profile import HotFunction
from rooftop.report.figure_page import Table
from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
GCC = shutil.which("gcc")
PROGRAM = ROOT / "docs" / "guide" / "programs" / "small_calls.c"
HEALTHY = ROOT / "benchmarks" / "diagnose" / "faults" / "product.c"

needs_gcc = pytest.mark.skipif(GCC is None or not sys.platform.startswith("linux"), reason="no gcc: install gcc")


def called(function: str, calls: int, share: float | None, elapsed_s: float = 10.0) -> CalledFunction:
    seconds = share * elapsed_s if share is not None else None
    return CalledFunction(function=function, file="app", calls=calls, share=share, seconds=seconds)


def facts(*functions: CalledFunction, counting: float = 0.0, **more: Any) -> Facts:
    told = FunctionFacts(
        functions=list(functions),
        different=len(functions),
        calls=sum(one.calls for one in functions),
        processes=1,
        counting=counting,
    )
    usual: dict[str, Any] = {"cpus": 2, "levels": [0.0, 10.0], "user_s": 10.0, "system_s": 0.0, "faults": 0}
    return Facts(elapsed_s=10.0, threads=[], function_calls=told, **{**usual, **more})


MILLIARD = 1_000_000_000


def test_a_small_function_that_is_called_often() -> None:
    (found,) = suspicions(facts(called("dist", MILLIARD // 2, 0.4), called("main", 1, 0.5)))
    assert (found.name, found.stake_s, found.cures, found.stands) == ("small calls", 4.0, (), True)
    assert found.evidence == "dist is called 500,000,000 times, 8 ns each, 40% of the samples; 4 s of 10 s (40%) in all"


def test_small_functions_count_together() -> None:
    small = [called(f"f{place}", MILLIARD, 0.1) for place in range(5)]
    (found,) = suspicions(facts(*small, called("main", 1, 0.5)))
    assert found.stake_s == pytest.approx(5.0)
    assert "f2 is called 1,000,000,000 times, 1 ns each, 10% of the samples and 2 other functions; " in found.evidence
    assert suspicions(facts(*small[:2], called("main", 1, 0.8))) == []


def test_what_counts_is_no_time_of_the_program() -> None:
    (found,) = suspicions(facts(called("dist", MILLIARD, 0.2), called("main", 1, 0.3), counting=0.5))
    assert found.stake_s == pytest.approx(2.0)
    assert "2 ns each, 40% of the samples, without the 50% that counting takes; 2 s of 10 s" in found.evidence
    assert suspicions(facts(called("dist", MILLIARD, 0.2), called("main", 1, 0.8))) == []


def test_what_counts_hides_no_small_calls() -> None:
    """As seen of a loop over one function with -pg, beside other programs: a quarter of the time it had a core."""
    (found,) = suspicions(facts(called("axpy", 60_000_000, 0.086, 2.5), called("main", 1, 0.086, 2.5), counting=0.82))
    assert found.stake_s == pytest.approx(0.215)
    assert suspicions(facts(called("axpy", 60_000_000, 0.086, 0.9), counting=0.82)) == []


def test_threads_share_the_calls() -> None:
    (found,) = suspicions(facts(called("dist", MILLIARD, 0.5, 20.0), user_s=20.0))
    assert found.stake_s == pytest.approx(5.0)


@pytest.mark.parametrize(
    "function",
    [
        called("loop", 1_000_000, 0.9),  # 9 µs each
        called("few", 50_000, 0.0001),
        called("unknown", MILLIARD, None),
        called("main", 1, 1.0),
        called("none", 0, 0.9),
    ],
)
def test_other_functions_are_healthy(function: CalledFunction) -> None:
    assert suspicions(facts(function)) == []


def test_a_program_that_counts_nothing_is_not_suspected() -> None:
    assert suspicions(facts()) == []
    assert suspicions(facts().model_copy(update={"function_calls": None})) == []


def names(file: str, addresses: Sequence[int]) -> list[tuple[str, ...]]:
    """Return names as a file's symbols would have them."""
    of = {0x10: ("dist",), 0x20: ("grid::Cell::Cell", "other"), 0x30: ("dist",)}
    return [of.get(address, ()) for address in addresses]


def test_calls_meet_the_time_of_their_functions() -> None:
    of = {("/a/app", 0x10): 30, ("/a/app", 0x30): 10, ("/a/app", 0x20): 5, ("/b/libx.so", 0x99): 7}
    told = FunctionCalls(of, 3, 2)
    hot = [
        HotFunction(share=0.25, file="app", function="dist"),
        HotFunction(share=0.15, file="app", function="dist"),
        HotFunction(share=0.1, file="app", function="other"),
        HotFunction(share=0.2, file="libc.so.6", function="dist"),
        HotFunction(share=0.2, file="libc.so.6", function="_mcount"),
    ]
    found = function_facts(told, hot, 2.0, names)
    assert [(one.function, one.file, one.calls, one.share) for one in found.functions] == [
        ("dist", "app", 40, 0.4),
        ("libx.so+0x99", "libx.so", 7, None),
        ("grid::Cell::Cell", "app", 5, 0.1),
    ]
    assert [one.call_s for one in found.functions] == [pytest.approx(0.8 / 40), None, pytest.approx(0.2 / 5)]
    assert (found.different, found.calls, found.processes, found.counting) == (3, 55, 2, 0.2)
    assert function_facts(told, None, 2.0, names).functions[0].share is None


def test_functions_that_take_most_time_are_listed_too() -> None:
    told = FunctionCalls({("/a/app", address): 1000 - address for address in range(100)}, 0, 1)
    hot = [HotFunction(share=0.9, file="app", function="f99")]
    found = function_facts(told, hot, 1.0, lambda _, addresses: [(f"f{address}",) for address in addresses])
    assert [one.function for one in found.functions] == [*(f"f{place}" for place in range(20)), "f99"]
    assert found.different == 100


def document(found: Facts) -> DiagnoseDocument:
    suspected = suspicions(found)
    made = DiagnoseDocument(
        rooftop="0",
        started="2026-01-01T00:00:00Z",
        command=["./app"],
        status=0,
        facts=found,
        suspected=[Cause(finding=o.name, evidence=o.evidence, remedy=o.remedy, stake_s=o.stake_s) for o in suspected],
    )
    return complete(made, [one.stands and one.stake_s >= 1.2 for one in suspected], None)


def test_calls_are_told() -> None:
    made = document(facts(called("dist", MILLIARD // 2, 0.4), called("x", 7, None)))
    (finding,) = made.findings
    assert (finding.name, finding.cure) == ("small calls", None)
    told = [line.replace("\u202f", " ") for line in call_lines(made)]
    assert told == ["calls: 500,000,000 of dist (app), 8.00 ns of its own each", "calls: 7 of x (app)"]
    console = Console(width=200, record=True, file=StringIO())
    print_diagnosis(made, console)
    text = console.export_text()
    assert "1. small calls: at most 4.00 s at stake" in text.replace("\u202f", " ")
    assert "calls: 7 of x (app)" in text
    (table,) = call_table(made)
    assert table in parts(made)
    assert isinstance(table, Table)
    assert [[cell.text for cell in row] for row in table.rows][1] == ["x", "app", "7", "not known", "not known"]
    assert table.note.startswith("500,000,007 calls of 2 functions in one process; 0")
    assert DiagnoseDocument.model_validate_json(made.model_dump_json(by_alias=True)) == made


def test_little_at_stake_is_told_as_not_tried() -> None:
    made = document(facts(called("dist", MILLIARD, 0.08), called("main", 1, 0.1), counting=0.8))
    assert made.findings == []
    (cause,) = untried(made)
    assert (cause.name, why(cause)) == ("small calls", "no cure from outside")


def test_programs_that_count_nothing_have_no_table() -> None:
    made = document(facts().model_copy(update={"function_calls": None}))
    assert (call_lines(made), call_table(made)) == ([], [])


def observe(settings: Settings, build: Path, *words: str | Path) -> Observed:
    bench = Bench(replace(settings, build=build), Place(), Watching(), ReplayExecutor({}))
    return Here(bench, None, "null").observe(from_words([str(word) for word in words]), Limits())


def compiled(source: Path, folder: Path, *options: str) -> Path:
    assert GCC is not None
    to = folder / source.stem
    subprocess.run([GCC, "-O2", "-g", *options, "-o", to, source, "-lm"], cwd=folder, check=True)
    return to


@pytest.fixture(name="build")
def build_fixture(tmp_path: Path) -> Path:
    """Return a folder in which the library is built."""
    assert GCC is not None
    made = function_calls.library(tmp_path)
    made.parent.mkdir()
    native = ROOT / "native"
    flags = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden"]
    general = ["-mgeneral-regs-only"] if platform.machine() == "x86_64" else []
    entries, counting = native / "function_calls" / "entries.c", tmp_path / "entries.o"
    subprocess.run([GCC, *flags, *general, "-c", "-o", counting, entries], check=True)
    sources = [native / "function_calls" / "told.c", native / "preload" / "processes.c"]
    subprocess.run([GCC, *flags, "-shared", "-o", made, *sources, counting, "-pthread", "-ldl"], check=True)
    return tmp_path


@needs_gcc
def test_the_pass_counts(settings: Settings, build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where the program writes gmon.out
    observed = observe(settings, build, compiled(PROGRAM, tmp_path, "-pg"), "0.3")
    assert "calls of functions" in [one.name for one in observed.passes]
    told = seen(observed).function_calls
    assert told is not None
    calls = {one.function: one.calls for one in told.functions}
    assert calls == {"at": 4 * 91 * 256 * 256, "main": 1}
    if observed.hot is not None:
        at = next(one for one in told.functions if one.function == "at")
        assert at.share is not None
        assert at.call_s is not None
        assert told.counting > 0


@needs_gcc
def test_a_healthy_program_has_no_such_finding(
    settings: Settings, build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    observed = observe(settings, build, compiled(HEALTHY, tmp_path, "-pg", "-fopenmp"), "0.05")
    told = seen(observed).function_calls
    assert told is not None
    assert "small calls" not in [one.name for one in suspicions(seen(observed))]


@needs_gcc
def test_a_program_that_was_not_built_for_it(settings: Settings, build: Path, tmp_path: Path) -> None:
    observed = observe(settings, build, compiled(PROGRAM, tmp_path), "0.3")
    assert seen(observed).function_calls is None
    assert "calls of functions" not in [one.name for one in observed.passes]
    if observed.hot is not None:
        reason = "how often at is called: the program was not built for it: compile with -pg"
        assert (reason in observed.missing) == (hot_function(observed.hot, [PROGRAM.stem]) == "at")


def test_a_hot_function_is_the_programs_own() -> None:
    hot = [
        HotFunction(share=0.4, file="libc.so.6", function="memcpy"),
        HotFunction(share=0.3, file="app", function="main"),
        HotFunction(share=0.3, file="app", function="0x1234"),
        HotFunction(share=0.2, file="app", function="dist"),
        HotFunction(share=0.1, file="libx.so", function="small"),
    ]
    assert hot_function(hot, ["app", "libx.so"]) == "dist"
    assert hot_function(hot, ["libx.so"]) is None


@needs_gcc
def test_a_library_that_is_not_built_is_missing(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    observed = observe(settings, tmp_path / "none", compiled(PROGRAM, tmp_path, "-pg"), "0.01")
    assert any("libfunction_calls.so is not built" in one for one in observed.missing)


def test_programs_of_the_system_are_not_asked(settings: Settings, tmp_path: Path) -> None:
    observed = observe(settings, tmp_path, "/bin/sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done")
    assert [one for one in observed.missing if "is called" in one] == []
