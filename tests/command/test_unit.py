"""Numbers that were printed with different units are told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.command.doubts import about_commands
from rooftop.command.driver import CommandDriver, Held, Terms, as_module
from rooftop.command.line import from_text
from rooftop.command.measured import OUTPUT, Measured, read_pattern
from rooftop.command.number import FIGURE, found_figure
from rooftop.command.spec import Spec
from rooftop.measure.arms import Arm, Sample

TIME = r"time: ([0-9.]+)"


@pytest.mark.case("commands.G10")
@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("time: 950 ms", "ms"),
        ("time: 950ms.", "ms"),
        ("time: 950 milliseconds", "ms"),
        ("time: 1.2 s", "s"),
        ("time: 1.2s, then", "s"),
        ("time: 1.2 seconds", "s"),
        ("time: 7 µs", "µs"),
        ("time: 7 usec", "µs"),
        ("time: 7 [ns]", "ns"),
        ("time: 7 min", "min"),
        ("time: 7 GB/s", "GB/s"),
        ("time: 7 GBps", "GB/s"),
        ("time: 7 MiB/s", "MiB/s"),
        ("time: 7 kB", "KB"),
        ("time: 7 bytes", "B"),
        ("time: 7 Mbit/s", "Mb/s"),
        ("time: 7 GFLOPS", "GFLOP/s"),
        ("time: 7 Gflop/s", "GFLOP/s"),
        ("time: 7 Mops/s", "Mops/s"),
        ("time: 7 MHz", "MHz"),
        ("time: 7 %", "%"),
        ("time: 7K", "K"),
        ("time: 7", None),
        ("time: 7\nms", None),
        ("time: 7 steps", None),
        ("time: 7 sets of", None),
        ("time: 7 x", None),
        ("time: 7, s", None),
    ],
)
def test_unit_behind_a_number(text: str, unit: str | None) -> None:
    assert found_figure(re.compile(TIME.encode()), text.encode())[1] == unit


@pytest.mark.case("commands.G10.before")
@pytest.mark.parametrize(
    ("text", "unit"), [("time (ms): 7", "ms"), ("time [s] = 7", "s"), ("time (best): 7", None), ("ms 7", None)]
)
def test_unit_in_brackets_before_a_number(text: str, unit: str | None) -> None:
    assert found_figure(re.compile(rb"([0-9.]+)$"), text.encode())[1] == unit


def arm(name: str, *figures: dict[str, float]) -> Arm:
    taken = [Sample(block, 0, 1, 1e6, 0, figures={OUTPUT: 1.0} | one) for block, one in enumerate(figures)]
    return Arm(as_module(name, Spec(from_text(name))), "command", outcome="ok", samples=taken)


@pytest.mark.case("commands.G10")
def test_doubt_tells_commands_and_units() -> None:
    none: dict[str, float] = {}
    ms, s, both = {f"{FIGURE}ms": 1.0}, {f"{FIGURE}s": 1.0}, {f"{FIGURE}ms": 0.5, f"{FIGURE}s": 0.5}
    (doubt,) = about_commands([arm("a", ms, ms), arm("b", s)])
    assert (doubt.name, doubt.evidence) == ("Figures were printed with different units", "a: ms; b: s")
    assert [one.evidence for one in about_commands([arm("a", ms, s)])] == ["a: ms and s"]
    assert [one.evidence for one in about_commands([arm("a", both), arm("b", ms)])] == ["a: ms and s; b: ms"]
    assert [one.evidence for one in about_commands([arm("a", ms), arm("b", none)])] == ["a: ms; b: no unit"]
    assert [one.evidence for one in about_commands([arm("a", {f"{FIGURE}ms": 0.5})])] == ["a: ms and no unit"]
    assert about_commands([arm("a", ms), arm("b", ms)]) == []
    assert about_commands([arm("a", none), arm("b", none)]) == []


@pytest.mark.case("commands.G10.gate")
def test_benchmarks_of_a_gate_may_have_units_of_their_own() -> None:
    arms = [arm(name, {f"{FIGURE}{unit}": 1.0}) for name, unit in (("a", "ms"), ("b", "ms"), ("c", "s"), ("d", "s"))]
    assert about_commands(arms, [("a", "b"), ("c", "d")]) == []
    (doubt,) = about_commands(arms, [("a", "c"), ("b",)])
    assert doubt.evidence == "a: ms; c: s"


def test_sample_keeps_the_part_of_its_runs_with_each_unit(tmp_path: Path) -> None:
    spec = Spec(from_text(f"sh -c 'echo >> {tmp_path}/n; test $(wc -l < {tmp_path}/n) -lt 2 && echo 1 s || echo 2 ms'"))
    terms = Terms(measured=Measured("figure", read_pattern("([0-9]+)")))
    figures = CommandDriver(spec, terms, Held(spec, terms)).sample(4, 30.0).figures
    assert figures is not None
    assert {name: value for name, value in figures.items() if name.startswith(FIGURE)} == {
        "unit:s": 0.25,
        "unit:ms": 0.75,
    }


@pytest.mark.usefixtures("scratch")
@pytest.mark.case("commands.G10")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compare", "echo time: 950 ms", "echo time: 1.2 s"], "echo time: 950 ms: ms; echo time: 1.2 s: s"),
        (["tune", "--param", "U=ms,s", "--", "echo", "time: 9 {U}"], "U=ms: ms; U=s: s"),
        (
            ["scale", "--threads", "1,2", "--", "sh", "-c", "echo time: 9 $(test $OMP_NUM_THREADS = 1 && echo s)"],
            "no unit",
        ),
        (["gate", "--", "echo time: 9 ms", ":::", "echo time: 9 s"], "at base: ms"),
    ],
)
def test_every_kind_tells_it(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--json", "--budget", "60s", "--max-pairs", "2", "--metric-regex", TIME]
    main([words[0], *options, *words[1:]])
    doubts = {one["doubt"]: one["evidence"] for one in json.loads(capsys.readouterr().out)["doubts"]}
    assert told in doubts["Figures were printed with different units"]
