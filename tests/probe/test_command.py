"""``rooftop probe``: tables, pictures, the document and the exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.documents import Machine, ProbeDocument, Roof
from rooftop.probe.picture import mountain, roofline
from rooftop.probe.tables import heading, tables

MakeProbe = Callable[[str, str], Path]


def roofs() -> list[Roof]:
    """Return figures of a machine with two cores."""
    levels = {"L1": 2e11, "L2": 1e11, "L3": 3e10, "memory": 1e10}
    peaks = [
        Roof(metric="fma", value=value * threads, unit="flop/s", threads=threads, isa=isa, precision=precision)
        for threads in (1, 2)
        for isa, value in (("scalar", 7e9), ("avx512", 1.5e11))
        for precision in ("fp32", "fp64")
    ]
    reads = [
        Roof(metric="read", value=value * threads, unit="byte/s", threads=threads, level=level, bytes=4096)
        for threads in (1, 2)
        for level, value in levels.items()
    ]
    slopes = [
        Roof(
            metric="strided_read",
            value=1e14 / size / stride,
            unit="byte/s",
            bytes=size,
            detail={"stride_bytes": stride},
        )
        for size in (1 << 14, 1 << 20, 1 << 26)
        for stride in (8, 64)
    ]
    return peaks + reads + slopes


def test_a_roofline_has_the_peak_at_its_top_and_each_level_on_its_slope() -> None:
    lines = roofline(roofs(), 2)
    assert "300" in lines[0]
    assert "━" in lines[0]
    body = "\n".join(lines)
    assert all(mark in body for mark in "123M")
    assert len({len(line) for line in lines[:12]}) == 1


def test_a_picture_without_figures_is_no_picture() -> None:
    assert roofline([], 2) == []
    assert roofline([roof for roof in roofs() if roof.metric == "fma"], 2) == []
    assert mountain([]) == []


def test_the_mountain_falls_with_size_and_stride() -> None:
    lines = mountain(roofs())
    assert lines[0].strip().startswith("stride 8 B █")
    assert lines[1].endswith("▁")


@pytest.mark.parametrize("found", [[], roofs()])
def test_tables_are_made_of_what_there_is(found: list[Roof]) -> None:
    identity = {"id": "x", "processor": "Some", "architecture": "x86_64", "cores": 2, "threads_per_core": 1}
    machine = Machine.model_validate({**identity, "numa_nodes": 1, "memory_bytes": 1 << 30, "roofs": found})
    assert "Some" in heading(machine)
    assert len(tables(machine)) == (3 if found else 0)


def test_the_clock_stands_beside_a_multiplication(make_probe: MakeProbe, capfd: pytest.CaptureFixture[str]) -> None:
    """What the clock is measured by is shown, and a second chain by which a shortened one would be noticed."""
    line = '{"protocol": 1, "metric": "%s", "value": %s, "unit": "%s", "threads": %d}'
    clock, multiply = line % ("clock", "3.5e9", "Hz", 1), line % ("multiply_latency", "2.996", "cycles", 1)
    make_probe("core_clock", f"print('{clock}'); print('{multiply}'); print('{line % ('clock', '3.4e9', 'Hz', 2)}')")
    assert main(["probe", "--quick"]) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert "core clock, 1 core 3.50 GHz, by additions; a multiplication takes 3.00 cycles" in out
    assert "core clock, 2 cores 3.40 GHz" in out
    assert "Other figures" not in out


def test_the_clock_after_wide_multiply_adds_has_a_line(
    make_probe: MakeProbe, capfd: pytest.CaptureFixture[str]
) -> None:
    line = '{"protocol": 1, "metric": "clock_after_fma", "value": 2.4e9, "unit": "Hz", "threads": 2, "isa": "avx512"}'
    make_probe("core_clock", f"print('{line}')")
    assert main(["probe", "--quick"]) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert "core clock after avx512 multiply-adds, 2 cores 2.40 GHz" in out
    assert "Other figures" not in out


def test_a_figure_that_no_table_knows_is_shown(
    make_probe: MakeProbe, good: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A new metric, and known ones of a level, an instruction set or a precision that were not known before."""
    make_probe("my_fact", good.replace('"metric": "fma"', '"metric": "page_walks"').replace("flop/s", "walks/s"))
    make_probe("my_peak", good.replace('"avx512"', '"sve"').replace('"fp32"', '"fp16"'))
    make_probe("my_memory", good.replace('"metric": "fma"', '"metric": "read", "level": "HBM"'))
    assert main(["probe", "--quick", "--json"]) == 0
    shown = json.loads(capfd.readouterr().out)["machine"]["roofs"]
    assert {roof["metric"] for roof in shown} == {"page_walks", "fma", "read"}
    assert main(["probe", "--quick"]) == 0
    out = capfd.readouterr().out
    assert "page walks" in out
    assert "walks/s" in out
    for name in ("sve", "fp16", "HBM"):
        assert name in out


def test_figures_with_a_place_of_their_own_are_not_among_the_others() -> None:
    """Every metric that the tree's probes print has a table, a line or a picture."""
    found = [*roofs(), Roof(metric="timer", value=1e-8, unit="s"), Roof(metric="timer_cost", value=1e-8, unit="s")]
    identity = {"id": "x", "processor": "Some", "architecture": "x86_64", "cores": 2, "threads_per_core": 1}
    machine = Machine.model_validate({**identity, "numa_nodes": 1, "memory_bytes": 1 << 30, "roofs": found})
    assert "Other figures" not in [table.title for table in tables(machine)]


def test_the_document_is_on_standard_output_and_remarks_are_not(
    make_probe: MakeProbe, good: str, capfd: pytest.CaptureFixture[str]
) -> None:
    make_probe("fma_peak", good)
    make_probe("bad", "import os; os.abort()")
    assert main(["probe", "--quick", "--json"]) == 0
    out, err = capfd.readouterr()
    document = ProbeDocument.model_validate(json.loads(out))
    assert document.machine.roofs[0].metric == "fma"
    assert "missing: bad: was killed by SIGABRT" in err


def test_nothing_measured_is_exit_code_3(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--quick"]) == 3
    assert "rooftop doctor" in capfd.readouterr().err


def test_a_wrong_number_of_threads_is_misuse(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "--threads", "0"]) == 2
    assert main(["probe", "--threads", "two"]) == 2
    assert "0" in capfd.readouterr().err


def test_a_library_above_the_peak_is_said_plainly(
    make_probe: MakeProbe, good: str, capfd: pytest.CaptureFixture[str]
) -> None:
    make_probe("fma_peak", good)
    make_probe("blas_peak", good.replace('"metric": "fma"', '"metric": "gemm"').replace("3e11", "5e11"))
    assert main(["probe", "--quick"]) == 0
    assert "above the measured FMA peak" in capfd.readouterr().err
