"""The results of Google Benchmark, as its programs write them and as they do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.google_benchmark import CPU_TIME, REAL_TIME, asking, read
from rooftop.command.measured import Measured
from rooftop.command.process import Finished
from rooftop.errors import Misuse


def iteration(name: str, real: float, cpu: float, unit: str = "ns", **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "run_name": name,
        "run_type": "iteration",
        "real_time": real,
        "cpu_time": cpu,
        "time_unit": unit,
    } | more


def aggregate(name: str, kind: str, real: float, **more: Any) -> dict[str, Any]:
    entry = iteration(f"{name}_{kind}", real, real)
    return entry | {"run_name": name, "run_type": "aggregate", "aggregate_name": kind} | more


def results(*entries: dict[str, Any]) -> bytes:
    return json.dumps({"context": {"num_cpus": 2}, "benchmarks": entries}).encode()


def test_units() -> None:
    units = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)]
    times = read(results(*(iteration(unit, 2.0, 1.0, unit) for unit, _ in units)))
    for unit, seconds in units:
        assert times.figures[REAL_TIME + unit] == pytest.approx(2 * seconds)
        assert times.figures[CPU_TIME + unit] == pytest.approx(seconds)


def test_repetitions_give_their_median_and_aggregates_are_left_out() -> None:
    runs = [iteration("BM_a/8/repeats:3", real, 1.0, repetition_index=k) for k, real in enumerate((5.0, 90.0, 7.0))]
    kinds = [aggregate("BM_a/8/repeats:3", kind, 1000.0) for kind in ("mean", "median", "stddev", "cv")]
    assert read(results(*runs, *kinds)).figures == {
        "real_time:BM_a/8/repeats:3": pytest.approx(7e-9),
        "cpu_time:BM_a/8/repeats:3": pytest.approx(1e-9),
    }


def test_of_aggregates_alone_the_median_is_used() -> None:
    kinds = [aggregate("BM_a", kind, real) for kind, real in (("mean", 9.0), ("median", 7.0), ("stddev", 1.0))]
    assert read(results(*kinds)).figures["real_time:BM_a"] == pytest.approx(7e-9)
    times = read(results(iteration("BM_b", 1.0, 1.0), aggregate("BM_a", "mean", 9.0)))
    assert times.failures == {"BM_a": "it has neither repetitions nor their median"}


def test_a_family_s_complexity_is_no_benchmark() -> None:
    fit = {"run_type": "aggregate", "run_name": "BM_a", "time_unit": "ns"}
    big_o = fit | {"name": "BM_a_BigO", "aggregate_name": "BigO", "cpu_coefficient": 2.0, "big_o": "N"}
    rms = fit | {"name": "BM_a_RMS", "aggregate_name": "RMS", "rms": 0.1}
    times = read(results(iteration("BM_a/8", 1.0, 1.0), big_o, rms))
    assert (list(times.figures), times.failures) == (["real_time:BM_a/8", "cpu_time:BM_a/8"], {})


def test_what_has_failed_keeps_its_reason() -> None:
    times = read(
        results(
            iteration("fine", 1.0, 1.0),
            iteration("error", 0.0, 0.0, error_occurred=True, error_message='no "device"\n'),
            iteration("skipped", 0.0, 0.0, skipped=True, skip_message="too small"),
            iteration("once", 1.0, 1.0, repetition_index=0),
            iteration("once", 0.0, 0.0, repetition_index=1, error_occurred=True, error_message="gone"),
            iteration("infinite", float("inf"), 1.0),
            {"name": "bare"},
        )
    )
    assert list(times.figures) == ["real_time:fine", "cpu_time:fine"]
    assert times.failures == {
        "error": 'it reported an error: no "device"',
        "skipped": "it was skipped: too small",
        "once": "it reported an error: gone",
        "infinite": "its real_time is inf, expected a number from 0",
        "bare": "its real_time is None, expected a number from 0",
    }


def test_two_of_one_name_are_told_apart() -> None:
    same = [iteration("BM_a", real, 1.0, family_index=family) for family, real in enumerate((3.0, 5.0))]
    figures = read(results(*same)).figures
    assert figures["real_time:BM_a"] == pytest.approx(3e-9)
    assert figures["real_time:BM_a (2)"] == pytest.approx(5e-9)


@pytest.mark.case("commands.F33")
def test_two_of_one_name_are_told_apart_without_places_in_families() -> None:
    """Before version 1.6."""
    same = [
        {
            key: value
            for key, value in iteration("BM_a", real, 1.0, repetition_index=index).items()
            if "family" not in key
        }
        for real, index in ((3.0, 0), (5.0, 1), (30.0, 0), (50.0, 1))
    ]
    figures = read(results(*same)).figures
    assert figures["real_time:BM_a"] == pytest.approx(4e-9)
    assert figures["real_time:BM_a (2)"] == pytest.approx(40e-9)


@pytest.mark.case("commands.G9.pooled")
def test_two_of_one_name_are_told_apart_without_any_index() -> None:
    """Repetitions are followed by their aggregates, or say how many they are."""
    one = [iteration("BM_a", 2.0, 1.0), iteration("BM_a", 8.0, 1.0)]
    two = [one | {"real_time": 10 * one["real_time"]} for one in one]
    kinds = [aggregate("BM_a", kind, 5.0) for kind in ("mean", "median", "stddev")]
    tens = [aggregate("BM_a", kind, 50.0) for kind in ("mean", "median", "stddev")]
    said = [entry | {"repetitions": 2} for entry in (*one, *two)]
    for written, expected in (
        (one, (2e-9, 8e-9)),
        ([*one, *kinds, *two, *tens], (5e-9, 50e-9)),
        (said, (5e-9, 50e-9)),
    ):
        times = read(results(*written))
        assert times.figures["real_time:BM_a"] == pytest.approx(expected[0])
        assert times.figures["real_time:BM_a (2)"] == pytest.approx(expected[1])
        assert times.shared == ("BM_a",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "it wrote no results"),
        (b" \n", "it wrote no results"),
        (b"Benchmark Time CPU\n", "cannot be read as Google Benchmark's"),
        (results(iteration("a", 1.0, 1.0))[:-20], "cannot be read as Google Benchmark's"),
        (b"[]", "cannot be read as Google Benchmark's"),
        (results(iteration("a", 1.0, 1.0, "fortnights")), "a: its line cannot be read: time_unit: Input should be"),
        (results(), "it ran no benchmark"),
        (b"{}", "it ran no benchmark"),
        (
            results(iteration("a", 0.0, 0.0, error_occurred=True, error_message="no")),
            "none of its benchmarks has a time",
        ),
    ],
)
def test_what_is_no_result(text: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read(text)


def test_infinities_as_google_benchmark_spells_them() -> None:
    text = results(iteration("a", 1.0, 1.0), iteration("b", float("nan"), float("-inf")))
    assert b"NaN" in text
    assert list(read(text).failures) == ["b"]


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
positive = st.floats(1e-3, 1e12)


@given(st.lists(st.tuples(names, positive, positive), min_size=1, unique_by=lambda one: one[0]))
def test_every_benchmark_is_read(written: list[tuple[str, float, float]]) -> None:
    figures = read(results(*(iteration(name, real, cpu) for name, real, cpu in written))).figures
    assert len(figures) == 2 * len(written)
    for name, real, cpu in written:
        assert figures[REAL_TIME + name] == pytest.approx(real * 1e-9)
        assert figures[CPU_TIME + name] == pytest.approx(cpu * 1e-9)


@given(st.binary() | st.text().map(str.encode))
def test_garbage_is_never_a_result(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"it wrote no results|cannot be read|it ran no benchmark"):
        read(text)


@given(st.integers(0, 400))
def test_a_torn_file_is_never_half_read(length: int) -> None:
    whole = results(iteration("a", 1.0, 1.0), iteration("b", 1.0, 1.0))
    if length < len(whole):
        with pytest.raises(ValueError, match=r"it wrote no results|cannot be read"):
            read(whole[:length])


def test_a_program_is_asked_by_words_and_by_variables() -> None:
    file = Path("/scratch/figures")
    words, variables = asking(("taskset", "1", "./bench", "--benchmark_filter=a"), file)
    assert words[:4] == ["taskset", "1", "./bench", "--benchmark_filter=a"]
    assert words[4:] == ["--benchmark_out=/scratch/figures", "--benchmark_out_format=json"]
    assert variables == {"BENCHMARK_OUT": "/scratch/figures", "BENCHMARK_OUT_FORMAT": "json"}
    assert asking(("/bin/sh", "-c", "./bench | cat"), file)[0] == ["/bin/sh", "-c", "./bench | cat"]
    for word in ("--benchmark_out=mine.json", "--benchmark_list_tests"):
        with pytest.raises(Misuse, match="asks for the results itself"):
            asking(("./bench", word), file)


def test_the_figures_of_a_run(tmp_path: Path) -> None:
    file = tmp_path / "figures"
    file.write_bytes(results(iteration("a", 5.0, 0.0), iteration("b", 5.0, 3.0)))
    run = Finished(10, 0.5, 0.25, 3 << 20, 0)
    failures: dict[str, str] = {}
    wall = Measured("wall", google_benchmark=True)
    assert wall.metric.names(wall.figures(run, file, failures)) == ["real_time:a", "real_time:b"]
    cpu = Measured("cpu", google_benchmark=True)
    assert cpu.metric.names(cpu.figures(run, file)) == ["cpu_time:b"]
    assert cpu.figures(run, file)["cpu_time:a"] == 0
    file.write_bytes(results(iteration("a", 5.0, 0.0)))
    with pytest.raises(ValueError, match="none of its benchmarks has a cpu_time above 0"):
        cpu.figures(run, file)
    with pytest.raises(ValueError, match="it wrote no results"):
        wall.figures(run, tmp_path / "nothing")


@pytest.mark.case("commands.D6")
@pytest.mark.parametrize("spelled", ["nan", "-nan", "NaN", "-NaN", "inf", "-inf", "Infinity", "nan(ind)", "-nan(ind)"])
def test_counter_that_is_no_number_leaves_the_times(spelled: str) -> None:
    text = results(iteration("a nan", 2.0, 1.0), iteration("b", 3.0, 1.0)).decode()
    text = text.replace('"time_unit"', f'"counter": {spelled}, "time_unit"')
    assert read(text.encode()) == read(results(iteration("a nan", 2.0, 1.0), iteration("b", 3.0, 1.0)))


@pytest.mark.case("commands.D6.time")
@pytest.mark.parametrize(("spelled", "shown"), [("-nan", "nan"), ("inf", "inf"), ("-inf", "-inf"), ("1e999", "inf")])
def test_time_that_is_no_number_fails_its_benchmark_alone(spelled: str, shown: str) -> None:
    text = results(iteration("a", 2.0, 1.0), iteration("b", 3.5, 1.0)).decode().replace("3.5", spelled)
    times = read(text.encode())
    assert list(times.figures) == ["real_time:a", "cpu_time:a"]
    assert times.failures == {"b": f"its real_time is {shown}, expected a number from 0"}


@pytest.mark.case("commands.D6.line")
def test_line_that_cannot_be_read_fails_its_benchmark_alone() -> None:
    broken = [iteration("unit", 1.0, 1.0, "h"), iteration("text", "soon", 1.0), {"name": 3}]  # type: ignore[arg-type]
    times = read(results(iteration("a", 2.0, 1.0), *broken[:2]))
    assert list(times.figures) == ["real_time:a", "cpu_time:a"]
    assert times.failures.keys() == {"unit", "text"}
    assert times.failures["text"].startswith("its line cannot be read: real_time: Input should be a valid number")
    with pytest.raises(ValueError, match="benchmark 2: name: Input should be a valid string"):
        read(results(iteration("a", 2.0, 1.0), broken[2]))
