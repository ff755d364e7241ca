"""Roofline points by hand: a triad at the roof of memory, a dgemm at that of arithmetic, and programs with none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from fake_perf import FakePerf
from hypothesis import given
from hypothesis import strategies as st
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.command.line import from_words
from rooftop.command.process import Finished, Limits
from rooftop.diagnose.passes import Here
from rooftop.diagnose.roofline import Roofline, roofline
from rooftop.diagnose.roofline_part import picture
from rooftop.diagnose.roofline_text import lines, meaning
from rooftop.documents import Roof
from rooftop.driver.replay import ReplayExecutor
from rooftop.observe.operation_events import Operations
from rooftop.observe.operations import Counted, Function
from rooftop.observe.profile import HotFunction
from rooftop.settings import Settings

VECTORS = Operations("vectors", 4.0, "fp64", "256 bits")
SCALARS = Operations("scalars", 1.0, "fp64", "scalar")
SINGLES = Operations("singles", 8.0, "fp32", "256 bits")
ANY = Operations("any")
# Two threads: 25 GB/s, 50 and 100 GFLOP/s.
ROOFS = [
    Roof(metric="read", value=25e9, unit="byte/s", threads=2, level="memory"),
    Roof(metric="read", value=900e9, unit="byte/s", threads=2, level="L1"),
    Roof(metric="fma", value=50e9, unit="flop/s", threads=2, isa="avx2", precision="fp64"),
    Roof(metric="fma", value=6e9, unit="flop/s", threads=2, isa="scalar", precision="fp64"),
    Roof(metric="fma", value=100e9, unit="flop/s", threads=2, isa="avx2", precision="fp32"),
]
TRIAD = HotFunction(share=0.8, file="app", function="triad")


def counts(
    flops: Mapping[Operations, float],
    lines: float | None,
    elapsed_s: float,
    functions: Mapping[str, Mapping[Function, float]] | None = None,
    instructions: float | None = 1e9,
    event: str = "lines",
) -> Counted:
    """Return counts of two threads that were busy all the time."""
    events = {one.event: count for one, count in flops.items()} | ({} if lines is None else {event: lines})
    finished = Finished(int(elapsed_s * 1e9), 2 * elapsed_s, 0.0, 1, 0)
    memory = (event,) if lines is not None else ()
    return Counted(finished, flops, lines, instructions, 1.0, events, memory, (), functions or {})


def said(found: Roofline) -> list[str]:
    return [line.replace("\u202f", " ").removeprefix("roofline: ") for line in lines(found)]


def test_a_triad_is_at_the_roof_of_memory() -> None:
    # a = b + s c, 1e9 numbers of fp64 in 1.2 s: 2e9 operations, 5e8 counts of 4; 24 GB, 3.75e8 lines.
    # 2 / 24 = 0.0833 flop/byte; 2e9 / 1.2 = 1.67 GFLOP/s of 25 / 12 = 2.08 GFLOP/s.
    found = roofline(counts({VECTORS: 5e8, SCALARS: 0.0}, 3.75e8, 1.2), [], 2, ROOFS)
    (point,) = found.points
    assert [point.rate, point.intensity] == pytest.approx([2e9 / 1.2, 1 / 12])
    assert point.by == "memory"
    assert [point.roof, point.reached] == pytest.approx([25e9 / 12, 0.8])
    assert (found.precision, found.precision_counted, found.kinds) == ("fp64", True, {"fp64": 1.0, "256 bits": 1.0})
    assert found.peaks == {"scalar": 6e9, "avx2": 50e9}
    assert said(found) == [
        "1.67 GFLOP/s at 0.0833 flop/byte: at least 80 % of the roof of memory, 2.08 GFLOP/s",
        "2 threads; near the roof of memory: fewer bytes for each operation help, faster arithmetic does not",
        "operations: 100 % fp64, 100 % 256 bits",
        "20.0 GB/s read from memory, at least 80 % of 25.0 GB/s",
    ]


def test_a_dgemm_is_at_the_roof_of_arithmetic() -> None:
    # 2 · 2000³ = 1.6e10 operations in 0.4 s: 40 of 50 GFLOP/s; 4e6 lines are 256 MB: 62.5 flop/byte.
    found = roofline(counts({VECTORS: 4e9}, 4e6, 0.4), [], 2, ROOFS)
    (point,) = found.points
    assert (point.intensity, point.by, point.roof) == (62.5, "compute", 50e9)
    assert [point.rate, point.reached] == pytest.approx([4e10, 0.8])
    assert said(found)[0].endswith("at 62.5 flop/byte: at least 80 % of the roof of arithmetic, 50.0 GFLOP/s")
    assert meaning(point) == "near the roof of arithmetic: only fewer operations help"
    slow = roofline(counts({SCALARS: 1.6e10}, 4e6, 4.0, instructions=3e10), [], 2, ROOFS)
    assert meaning(slow.points[0]).startswith("far below its roof: latency, waiting, narrow instructions")
    assert slow.kinds == {"fp64": 1.0, "scalar": 1.0}


def test_lines_that_count_twice_give_no_bound() -> None:
    event = "l2_pf_miss_l2_l3"
    told = said(roofline(counts({VECTORS: 5e8}, 3.75e8, 1.2, event=event), [], 2, ROOFS))
    assert told[0] == "1.67 GFLOP/s at 0.0833 flop/byte: about 80 % of the roof of memory, 2.08 GFLOP/s"
    assert "20.0 GB/s read from memory, about 80 % of 25.0 GB/s" in told
    assert any("may be counted twice" in line for line in told)
    # With fewer bytes the roof of arithmetic stays the lower one.
    told = said(roofline(counts({VECTORS: 4e9}, 4e6, 0.4, event=event), [], 2, ROOFS))
    assert told[0].endswith("at least 80 % of the roof of arithmetic, 50.0 GFLOP/s")
    exact = roofline(counts({VECTORS: 5e8}, 3.75e8, 1.2, event="l2_pf_miss_l2_l3.l2_hwpf"), [], 2, ROOFS)
    assert not any("twice" in line or "about" in line for line in said(exact))


def test_functions_have_points_of_their_own_time() -> None:
    # 80 % of 2.4 s on two threads: 0.96 s. 75 % of the operations and 90 % of the bytes are the triad's.
    shares = {"vectors": {("app", "triad"): 0.75, ("lib", "triad"): 0.2}, "lines": {("app", "triad"): 0.9}}
    hot = [
        TRIAD,
        HotFunction(share=0.1, file="[kernel]", function="triad", kernel=True),
        HotFunction(share=0.06, file="app", function="sorted"),
        HotFunction(share=0.04, file="lib", function="triad"),
    ]
    found = roofline(counts({VECTORS: 5e8}, 3.75e8, 1.2, shares), hot, 2, ROOFS)
    program, triad = found.points
    assert (triad.name, triad.file, triad.share) == ("triad", "app", 0.8)
    assert triad.seconds == pytest.approx(0.96)
    assert triad.flops == pytest.approx(1.5e9)
    assert triad.memory_bytes == pytest.approx(21.6e9)
    assert triad.reached == pytest.approx(21.6 / 0.96 / 25)
    assert any(line.startswith("in triad, 80 % of the time: 1.56 GFLOP/s at 0.0694") for line in said(found))
    drawn = picture(found)
    assert drawn is not None
    assert {trace["name"] for trace in drawn["data"]} == {"memory", "scalar", "avx2", "rungs", "peers"}
    assert program.share is None


def test_an_unknown_precision_has_the_higher_roof() -> None:
    found = roofline(counts({ANY: 1.6e10}, 4e6, 0.4), [], 2, ROOFS)
    assert (found.precision, found.points[0].roof) == ("fp32", 100e9)
    assert "precision is not counted: the roof is that of fp32, twice that of fp64" in said(found)
    mixed = roofline(counts({VECTORS: 3e9, SINGLES: 1e9}, 4e6, 0.4), [], 2, ROOFS)  # 12e9 and 8e9 operations
    assert mixed.precision == "fp32"
    assert mixed.kinds["fp32"] == pytest.approx(0.4)
    assert not any("precision" in line for line in said(mixed))


@pytest.mark.parametrize(
    ("flops", "told"),
    [
        ({}, "no point: floating-point operations are not known"),
        ({VECTORS: 0.0}, "no point: no floating-point operations were counted: a roofline tells nothing about this"),
        ({VECTORS: 2e6}, "no point: 8e+06 floating-point operations in 1e+09 instructions: a roofline tells nothing"),
    ],
)
def test_programs_of_integers_have_no_point(flops: Mapping[Operations, float], told: str) -> None:
    found = roofline(counts(flops, 3.75e8, 1.2), [TRIAD], 2, ROOFS)
    assert (found.points, picture(found)) == ([], None)
    first, *_, last = said(found)
    assert first.startswith(told)
    assert last == "20.0 GB/s read from memory, at least 80 % of 25.0 GB/s"


def test_what_is_not_known_is_not_judged() -> None:
    without = roofline(counts({VECTORS: 5e8}, None, 1.2), [], 2, ROOFS)
    assert (without.points[0].by, without.points[0].intensity, picture(without)) == ("compute", None, None)
    assert "bytes from memory are not known" in meaning(without.points[0])
    nowhere = roofline(counts({VECTORS: 5e8}, 3.75e8, 1.2), [], 2, [])
    assert (nowhere.points[0].by, nowhere.points[0].reached) == (None, None)
    assert said(nowhere)[1] == "2 threads; the machine's roofs are not known: run rooftop probe"
    assert not any("precision" in line for line in said(roofline(counts({ANY: 5e8}, 1.0, 1.2), [], 2, [])))
    cached = roofline(counts({VECTORS: 5e8}, 0.0, 0.05), [], 2, ROOFS)
    assert cached.points[0].by == "compute"
    assert cached.points[0].reached == pytest.approx(0.8)
    above = roofline(counts({VECTORS: 5e8}, 3.75e8, 0.6), [], 2, ROOFS)
    assert meaning(above.points[0]).startswith("above its roof")


POSITIVE = st.floats(1e6, 1e15)


@given(POSITIVE, POSITIVE, st.floats(1e-3, 1e4), st.integers(1, 64))
def test_a_point_is_below_the_lower_roof(count: float, read: float, elapsed_s: float, threads: int) -> None:
    found = roofline(counts({VECTORS: count}, read, elapsed_s, instructions=None), [], threads, ROOFS)
    (point,) = found.points
    assert point.intensity is not None
    assert point.roof is not None
    times = max(1.0, threads / 2)  # the nearest number of threads, scaled
    assert point.roof == pytest.approx(times * min(50e9, 25e9 * point.intensity))
    assert point.rate * found.seconds == pytest.approx(point.flops)
    assert Roofline.model_validate_json(found.model_dump_json()) == found
    assert lines(found)


def test_a_command_is_counted_and_judged(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    perf = {
        "cycles": 1,
        "instructions": 10**9,
        "fp_ret_sse_avx_ops.all": 10**9,
        "ls_any_fills_from_sys.dram_io_all": 10**6,
        "l2_pf_miss_l2_l3.l2_hwpf": 10**6,
        "cpu-clock": 1,
    }
    FakePerf(perf).install(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    site = Here(Bench(settings, Place(), Watching(), ReplayExecutor({})), None, "null")
    observed = site.observe(from_words(["sh", "-c", "exit 0"]), Limits(60.0))
    assert observed.roofline is not None
    (point,) = observed.roofline.points
    assert point.intensity == 10**9 / (2 * 64 * 10**6)
    assert observed.roofline.bandwidth == 1e10
    assert "operations and memory traffic" in [one.name for one in observed.passes]
    FakePerf({"cycles": "<not supported>"}).install(tmp_path)
    observed = site.observe(from_words(["sh", "-c", "exit 0"]), Limits(60.0))
    assert observed.roofline is None
    assert any(line.startswith("no counters: cycles is not supported here") for line in observed.missing)
