"""Programs of Google Benchmark, and one that replays recorded results, compared by ``rooftop compare``."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rooftop.cli.app import main
from rooftop.compare.document import CompareDocument
from rooftop.compare.export import google_benchmark

FAKE = Path(__file__).parents[1] / "fakes" / "fake_google_benchmark.py"


def entry(name: str, real: float, **more: Any) -> dict[str, Any]:
    times = {"real_time": real, "cpu_time": real, "time_unit": "us"}
    return {"name": name, "run_name": name, "run_type": "iteration"} | times | more


Record = Callable[..., Path]


@pytest.fixture(name="record")
def record_fixture(tmp_path: Path) -> Record:
    """Return a function that writes the results of successive runs for the program that replays them."""

    def record(*runs: list[dict[str, Any]] | str, name: str = "recorded") -> Path:
        file = tmp_path / f"{name}.json"
        texts = [run if isinstance(run, str) else json.dumps({"context": {}, "benchmarks": run}) for run in runs]
        file.write_text("\n-----\n".join(texts), encoding="utf-8")
        return file

    return record


def words_of(file: Path, scale: float = 1.0) -> list[str]:
    return [sys.executable, str(FAKE), str(file), str(scale)]


def run(words: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> dict[str, Any]:
    assert main(["compare", "--google-benchmark", "--json", "--max-pairs", "7", "--budget", "60s", *words]) == code
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


@pytest.mark.usefixtures("scratch")
def test_processes_are_compared_per_benchmark(record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    file = record([entry("BM_a/8", 10.0), entry("BM_'q' \"é\"", 20.0), entry("BM_e", 0.0, error_occurred=True)])
    words = ["--", *words_of(file), ":::", *words_of(file, 0.5)]
    content = run(words, capsys)
    told = {one["name"]: one for one in content["benchmarks"]}
    assert told["BM_a/8"]["comparisons"][0]["verdict"] == "faster"
    assert told["BM_'q' \"é\""]["comparisons"][0]["ratio"] == pytest.approx(2.0)
    assert [time["outcome"] for time in told["BM_e"]["times"]] == ["failed", "failed"]
    assert (content["verdict"], content["ratio"]) == ("faster", pytest.approx(2.0))
    exported = google_benchmark(CompareDocument.model_validate(content))["benchmarks"]
    assert exported[0]["name"].endswith(" BM_a/8")
    assert exported[0]["real_time"] == pytest.approx(10e3)

    assert main(["compare", "--google-benchmark", "--max-pairs", "7", *words]) == 0
    out = capsys.readouterr().out
    assert "BM_a/8: 10 µs to 5 µs, 2× [2, 2], A/A floor 0.10%: faster" in out
    assert "BM_e: failed in " in out
    assert "2 benchmarks in both, after Holm's correction: 2 faster" in out
    assert "geometric mean of the benchmarks in both programs:" in out


@pytest.mark.usefixtures("scratch")
def test_a_benchmark_that_fails_now_and_then_counts_nowhere(record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    fine = [entry("a", 10.0), entry("b", 10.0)]
    file = record(fine, fine, [entry("a", 10.0), entry("b", 0.0, error_occurred=True, error_message="lost")])
    steady = record(fine, name="steady")
    content = run(["--", *words_of(steady), ":::", *words_of(file)], capsys)
    b = next(one for one in content["benchmarks"] if one["name"] == "b")
    assert b["comparisons"] == []
    assert [(time["outcome"], time["reason"]) for time in b["times"]] == [
        ("ok", None),
        ("failed", "it reported an error: lost"),
    ]
    assert content["ratio"] == pytest.approx(1.0)
    assert all("real_time:b" not in one["figures"] for one in content["commands"][1]["samples"])


@pytest.mark.case("commands.G9")
@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("both", [False, True])
def test_time_of_zero_is_told(both: bool, record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    fine = [entry("a", 10.0), entry("b", 10.0)]
    zero = [entry("a", 10.0), entry("b", 0.0)]
    steady, file = record(zero if both else fine, name="steady"), record(fine, zero)
    content = run(["--", *words_of(steady), ":::", *words_of(file)], capsys)
    assert [one["name"] for one in content["benchmarks"]] == ["a", "b"]
    b = content["benchmarks"][1]
    assert b["comparisons"] == []
    first, second = b["times"]
    assert second["outcome"] == "failed"
    assert first["outcome"] == ("failed" if both else "ok")
    assert re.fullmatch(r"its real_time is 0 in \d+ of \d+ runs, below the resolution of its clock", second["reason"])
    assert content["ratio"] == pytest.approx(1.0)


@pytest.mark.case("commands.G9.stored")
@pytest.mark.usefixtures("scratch")
def test_time_of_zero_is_told_when_the_document_is_made_again(
    record: Record, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = record([entry("a", 10.0), entry("b", 0.0)])
    run(["--", *words_of(file), ":::", *words_of(file, 2.0)], capsys)
    assert main(["list", "--campaigns", "--json"]) == 0
    campaign = json.loads(capsys.readouterr().out)["campaigns"][0]["id"]
    page = tmp_path / "page.html"
    assert main(["report", "--out", str(page), campaign]) == 0
    assert "its real_time is 0 in" in page.read_text(encoding="utf-8")


@pytest.mark.case("commands.G9.pooled")
@pytest.mark.usefixtures("scratch")
def test_benchmarks_of_one_name_are_told(record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    file = record([entry("a", 2.0), entry("a", 8.0)])
    words = ["--google-benchmark", "--max-pairs", "7", "--", *words_of(file), ":::", *words_of(file, 2.0)]
    assert main(["compare", *words]) == 0
    seen = capsys.readouterr()
    assert "several benchmarks are named 'a': they are numbered in order" in seen.err
    assert "a (2): 8 µs to 16 µs" in seen.out


@pytest.mark.usefixtures("scratch")
def test_benchmarks_that_come_and_go(record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    steady = record([entry("a", 10.0), entry("b", 10.0)], name="steady")
    file = record([entry("a", 10.0), entry("b", 10.0)], [entry("a", 10.0)])
    content = run(["--", *words_of(steady), ":::", *words_of(file)], capsys)
    b = next(one for one in content["benchmarks"] if one["name"] == "b")
    assert b["times"][1]["outcome"] == "failed"
    assert "runs" in b["times"][1]["reason"]


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it wrote no results of Google Benchmark; it said: ***WARNING***"),
        ('{"benchmarks": [', "its results cannot be read as Google Benchmark's"),
        ('{"context": {}, "benchmarks": []}', "it ran no benchmark"),
    ],
)
def test_a_program_without_results_fails(
    text: str, told: str, record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--", *words_of(record([entry("a", 1.0)], name="fine")), ":::", *words_of(record(text))]
    second = run(words, capsys, code=1)["commands"][1]
    assert second["outcome"] == "failed"
    assert told in second["reason"]


@pytest.mark.usefixtures("scratch")
def test_a_shell_passes_the_wish_on(record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (" ".join(words_of(record([entry("a", 1.0)], name="x"), scale)) for scale in (1.0, 3.0))
    content = run([f"{first} | cat", f"{second} > /dev/null"], capsys)
    assert (content["verdict"], content["ratio"]) == ("slower", pytest.approx(1 / 3))


PROGRAM = """
#include <benchmark/benchmark.h>
#include <chrono>
#include <thread>
static void wait(benchmark::State &state) {
    for (auto _ : state) std::this_thread::sleep_for(std::chrono::microseconds(state.range(0) * FACTOR));
}
BENCHMARK(wait)->Arg(1000)->Arg(2000)->Iterations(2);
static void refuse(benchmark::State &state) {
    state.SkipWithError("no device");
    for (auto _ : state) {}
}
BENCHMARK(refuse);
ONLY
BENCHMARK_MAIN();
"""


@pytest.fixture(name="programs", scope="module")
def programs_fixture(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return two programs of Google Benchmark, the second ten times as slow and with one benchmark more."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "program.cpp").write_text(PROGRAM, encoding="utf-8")
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    found = []
    for name, factor, only in (("old", 1, ""), ("new", 10, 'BENCHMARK(wait)->Name("fresh")->Arg(500)->Iterations(2);')):
        build = ["g++", "-O1", f"-DFACTOR={factor}", f"-DONLY={only}", "-o", name, "program.cpp"]
        done = subprocess.run(
            [*build, "-lbenchmark", "-pthread"], cwd=folder, capture_output=True, text=True, check=False
        )
        if "benchmark/benchmark.h" in done.stderr or "-lbenchmark" in done.stderr:
            pytest.skip("Google Benchmark is not installed (libbenchmark-dev)")
        assert done.returncode == 0, done.stderr
        found.append(str(folder / name))
    return found[0], found[1]


@pytest.mark.usefixtures("scratch")
def test_real_programs(programs: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = programs
    content = run(["--", old, ":::", new, "--benchmark_filter=wait|fresh"], capsys)
    told = {one["name"]: one for one in content["benchmarks"]}
    assert list(told) == ["wait/1000/iterations:2", "wait/2000/iterations:2", "refuse", "fresh/500/iterations:2"]
    for name in list(told)[:2]:
        assert told[name]["comparisons"][0]["ratio"] < 1
        assert told[name]["times"][0]["median"] >= 1e-3
    assert told["refuse"]["times"] == [
        {
            "command": old,
            "outcome": "failed",
            "reason": "it reported an error: no device",
            "median": None,
            "lo": None,
            "hi": None,
        }
    ]
    assert [time["command"].split()[0] for time in told["fresh/500/iterations:2"]["times"]] == [new]
    assert content["verdict"] == "slower"


@pytest.mark.usefixtures("scratch")
def test_a_filter_that_matches_nothing(programs: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    content = run(["--", programs[0], ":::", programs[1], "--benchmark_filter=nothing"], capsys, code=1)
    assert "Failed to match any benchmarks" in content["commands"][1]["reason"]
