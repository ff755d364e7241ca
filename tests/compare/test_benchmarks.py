"""Programs of Google Benchmark compared per benchmark, on replayed times and with a program that replays its own."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import Ended
from rooftop.cli.app import main
from rooftop.compare.document import Benchmark, CompareDocument
from rooftop.compare.export import google_benchmark
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.errors import Misuse
from rooftop.measure.correction import LEVEL
from rooftop.replay import Recording, ReplayExecutor
from rooftop.settings import Settings
from rooftop.store.interrupted import Resume
from rooftop.team import Team

TWO = Options(
    commands=((("old",), "old"), (("new",), "new")), google_benchmark=True, seed=7, budget_s=1e4, max_pairs=120
)
FAKE = Path(__file__).parents[1] / "fakes" / "fake_google_benchmark.py"


class Programs(ReplayExecutor):
    """Replays programs of many benchmarks: each has its own time and noise, and all share the drift of a run."""

    def __init__(self, programs: Mapping[str, Mapping[str, float]], noise: float, seed: int = 0) -> None:
        super().__init__({name: Recording([50e6]) for name in programs})
        self._programs = programs
        self._noise = noise
        self._rng = np.random.default_rng(seed)

    def start(self, module: Any, team: Team) -> Any:
        driver = super().start(module, team)
        take = driver.sample

        def sample(iterations: int, limit_s: float) -> Any:
            reply = take(iterations, limit_s)
            figures = {
                f"real_time:{name}": seconds * float(np.exp(self._rng.normal(0, self._noise)))
                for name, seconds in self._programs[module.name].items()
            }
            return reply.model_copy(update={"figures": figures})

        driver.sample = sample  # type: ignore[method-assign]
        return driver


def compare(
    settings: Settings,
    programs: Mapping[str, Mapping[str, float]],
    noise: float = 0.02,
    options: Options = TWO,
    watching: Watching | None = None,
    *,
    resume: Resume | None = None,
    seed: int = 0,
) -> Ended[CompareDocument]:
    bench = Bench(settings, Place(), watching or Watching(), Programs(programs, noise, seed))
    return Comparing(bench).compare(options, resume=resume)


def by_name(document: CompareDocument) -> dict[str, Benchmark]:
    assert document.benchmarks is not None
    return {one.name: one for one in document.benchmarks}


def test_every_common_benchmark_has_its_verdict(settings: Settings) -> None:
    old = {"BM_a/8": 1e-6, 'BM_b<"x">/16': 1e-3, "BM_c": 2e-9, "BM_gone": 1.0}
    new = {"BM_a/8": 0.8e-6, 'BM_b<"x">/16': 1.2e-3, "BM_c": 2e-9, "BM_fresh": 1.0}
    document = compare(settings, {"old": old, "new": new}).document
    found = by_name(document)
    assert list(found) == [*old, "BM_fresh"]
    told = {name: (one.comparisons[0].verdict, one.comparisons[0].claimed) for name, one in list(found.items())[:3]}
    assert told == {
        "BM_a/8": ("faster", True),
        'BM_b<"x">/16': ("slower", True),
        "BM_c": ("not resolved", False),
    }
    for name, where in (("BM_gone", "old"), ("BM_fresh", "new")):
        assert [time.command for time in found[name].times] == [where]
        assert found[name].comparisons == []
    assert found["BM_a/8"].times[0].median == pytest.approx(1e-6, rel=0.02)
    assert len({one.floor for one in list(found.values())[:3]}) == 3  # each its own
    # Over all: the geometric mean of the ratios 1.25, 1/1.2 and 1; what one program alone has is left out.
    assert document.ratio == pytest.approx((1.25 / 1.2) ** (1 / 3), rel=0.01)
    assert document.commands[0].median == pytest.approx(math.exp(math.log(1e-6 * 1e-3 * 2e-9) / 3), rel=0.02)
    assert document.metric == "geometric mean of real_time"
    assert document.stopped == "resolved"
    assert CompareDocument.model_validate_json(document.model_dump_json(by_alias=True)) == document


def test_sampling_goes_on_until_every_benchmark_is_sharp(settings: Settings) -> None:
    many = {f"BM_{k}": 1e-6 for k in range(40)}
    document = compare(settings, {"old": many, "new": dict.fromkeys(many, 2e-06)}).document
    # Forty unanimous votes of six would not stand after correction: ten pairs and more are taken.
    assert document.pairs is not None
    assert document.pairs >= 11
    assert document.stopped == "resolved"
    for one in by_name(document).values():
        assert one.comparisons[0].claimed
        assert math.log(one.comparisons[0].hi / one.comparisons[0].lo) / 2 <= 0.1 * math.log(2) + 1e-9


def test_few_pairs_of_many_benchmarks_are_not_claimed(settings: Settings) -> None:
    many = {f"BM_{k}": 1e-6 for k in range(40)}
    options = replace(TWO, max_pairs=6)
    document = compare(settings, {"old": many, "new": dict.fromkeys(many, 2e-06)}, options=options).document
    for one in by_name(document).values():
        only = one.comparisons[0]
        assert (only.verdict, only.claimed) == ("slower", False)
        assert only.p <= LEVEL < only.corrected_p
        assert "at least 11 pairs" in only.advice
    assert document.verdict == "slower"  # the geometric mean is one verdict, and needs no correction


def test_among_many_equal_benchmarks_almost_nothing_is_claimed(settings: Settings) -> None:
    # Without correction, a sign test calls up to one in twenty equal benchmarks.
    equal = {f"BM_{k}": 1e-6 for k in range(40)}
    called = claimed = 0
    for seed in range(2):
        options = replace(TWO, seed=seed, max_pairs=17)
        document = compare(settings, {"old": equal, "new": equal}, 0.05, options, seed=seed).document
        only = [one.comparisons[0] for one in by_name(document).values()]
        called += sum(one.lo > 1 or one.hi < 1 for one in only)
        claimed += sum(one.claimed for one in only)
    assert called >= 2
    assert claimed == 0


def test_interrupted_it_tells_what_is_known_and_goes_on(settings: Settings) -> None:
    programs = {"old": {"BM_a": 1e-6}, "new": {"BM_a": 0.9e-6}}
    first = compare(settings, programs, watching=Watching("block 5"))
    assert first.interrupted
    assert by_name(first.document)["BM_a"].comparisons[0].pairs == 4
    second = compare(settings, programs, options=replace(TWO, commands=()), resume=Resume())
    kept = [sample.figures for sample in first.document.commands[0].samples]
    assert [sample.figures for sample in second.document.commands[0].samples][: len(kept)] == kept
    assert by_name(second.document)["BM_a"].comparisons[0].claimed


def test_programs_with_nothing_in_common(settings: Settings) -> None:
    document = compare(settings, {"old": {"BM_a": 1e-6}, "new": {"BM_b": 1e-6}}, options=replace(TWO, max_pairs=9))
    assert document.document.comparisons == []
    assert document.document.verdict is None
    assert [one.comparisons for one in by_name(document.document).values()] == [[], []]


def test_three_programs(settings: Settings) -> None:
    options = replace(TWO, commands=tuple(((name,), name) for name in "abc"))
    programs = {"a": {"x": 1.0, "y": 1.0}, "b": {"x": 0.5, "y": 1.0}, "c": {"x": 0.25}}
    document = compare(settings, programs, options=options).document
    told = {
        (name, one.subject, one.against): one.verdict
        for name, benchmark in by_name(document).items()
        for one in benchmark.comparisons
        if one.claimed
    }
    assert told == {("x", "b", "a"): "faster", ("x", "c", "a"): "faster", ("x", "c", "b"): "faster"}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (replace(TWO, metric="maxrss"), "expected wall or cpu with --google-benchmark"),
        (replace(TWO, metric_regex="x"), "both given"),
        (replace(TWO, same_output=0.0), "--expect-same-output cannot hold"),
        (replace(TWO, commands=((("a", "--benchmark_out=x"), "a"), (("b",), "b"))), "asks for the results itself"),
    ],
)
def test_misuse_writes_nothing(options: Options, told: str, settings: Settings) -> None:
    with pytest.raises(Misuse, match=told):
        compare(settings, {}, options=options)
    assert not settings.home_folder.exists()


# --- processes --------------------------------------------------------------------------------------------------------


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
    assert "the geometric mean of all benchmarks that both have:" in out


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
    assert "several benchmarks are called 'a': they are told apart by their order" in seen.err
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
