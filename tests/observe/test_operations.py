"""Which events are counted on which processor, and what is made of the counts: with a perf that is not real."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from fake_perf import FakePerf
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.process import Limits, run
from rooftop.machine import SystemFiles
from rooftop.observe.operation_events import TWICE, families
from rooftop.observe.operations import Counted, NoCounters, chosen, counted, parse_sections

# Of a triad on 1e9 numbers of fp64, a multiply-add each: 2e9 operations; of three lines read (one of them to be
# written) for eight numbers, 3.75e8 come from memory.
BASE: dict[str, int | str] = {"cycles": 3_600_000_000, "instructions": 2_000_000_000}
FP = "fp_arith_inst_retired"
INTEL: dict[str, int | str] = {
    **BASE,
    **{
        f"{FP}.{width}_{kind}": 0 for width in ("scalar", "128b_packed", "256b_packed") for kind in ("double", "single")
    },
    f"{FP}.256b_packed_double": 500_000_000,
}
MACHINES: dict[str, dict[str, int | str]] = {
    "Ice Lake": {
        **INTEL,
        f"{FP}.512b_packed_double": 0,
        f"{FP}.512b_packed_single": 0,
        "ocr.reads_to_core.dram": 375_000_000,
        "longest_lat_cache.miss": 7,
    },
    "Skylake X": {**INTEL, "offcore_response.all_reads.l3_miss.any_snoop": 375_000_000, "longest_lat_cache.miss": 7},
    "Cascade Lake": {**INTEL, "ocr.all_reads.l3_miss.any_snoop": 375_000_000},
    "Skylake": {**INTEL, "longest_lat_cache.miss": 375_000_000},
    "Zen 2": {
        **BASE,
        "fp_ret_sse_avx_ops.all": 2_000_000_000,
        "ls_refills_from_sys.ls_mabresp_lcl_dram": 100_000_000,
        "ls_refills_from_sys.ls_mabresp_rmt_dram": 0,
        "ls_hw_pf_dc_fill.ls_mabresp_lcl_dram": 75_000_000,
        "ls_hw_pf_dc_fill.ls_mabresp_rmt_dram": 0,
        "ls_sw_pf_dc_fill.ls_mabresp_lcl_dram": 0,
        "ls_sw_pf_dc_fill.ls_mabresp_rmt_dram": 0,
        "l2_pf_miss_l2_l3": 200_000_000,
    },
    "Zen 3": {
        **BASE,
        "fp_ret_sse_avx_ops.all": 2_000_000_000,
        "ls_any_fills_from_sys.mem_io_local": 175_000_000,
        "ls_any_fills_from_sys.mem_io_remote": 0,
        "l2_pf_miss_l2_l3": 200_000_000,
    },
    "Zen 4, 5": {
        **BASE,
        "fp_ret_sse_avx_ops.all": 2_000_000_000,
        "ls_any_fills_from_sys.dram_io_all": 175_000_000,
        "l2_pf_miss_l2_l3.l2_hwpf": 200_000_000,
    },
    "Neoverse V1": {
        **BASE,
        "fp_fixed_ops_spec": 0,
        "fp_scale_ops_spec": 1_000_000_000,
        "ll_cache_miss_rd": 375_000_000,
    },
}
N1 = {**BASE, "ll_cache_miss_rd": 375_000_000}


def files(root: Path, sve_bytes: int = 32) -> SystemFiles:
    """Return a system whose vectors have 256 bits."""
    folder = root / "proc/sys/abi"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sve_default_vector_length").write_text(f"{sve_bytes}\n", encoding="ascii")
    return SystemFiles(root)


@pytest.fixture
def on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def installed(perf: FakePerf, words: tuple[str, ...] = ("true",)) -> Counted:
        perf.install(tmp_path / "bin")
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        return counted(words, lambda line: run(line, Limits(60.0)), files(tmp_path))

    return installed


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("old", [False, True])
def test_each_processor_counts_the_same_triad(name: str, old: bool, on: Any) -> None:
    found = on(FakePerf(MACHINES[name], tail="" if old else ";;"))
    assert sum(one.flops * count for one, count in found.flops.items()) == 2e9
    assert (found.memory_bytes, found.instructions, found.least, found.lacking) == (24e9, 2e9, 1.0, ())
    assert not any(":" in event or "/" in event for event in found.events)
    assert (TWICE in found.memory) == (name in ("Zen 2", "Zen 3"))


def test_operations_of_a_count_by_width() -> None:
    intel = families(SystemFiles(Path("/nonexistent")))[0]
    assert {one.event.removeprefix(f"{FP}."): one.flops for one in intel.flops} == {
        "scalar_double": 1,
        "128b_packed_double": 2,
        "256b_packed_double": 4,
        "512b_packed_double": 8,
        "scalar_single": 1,
        "128b_packed_single": 4,
        "256b_packed_single": 8,
        "512b_packed_single": 16,
    }
    assert all((one.precision == "fp64") == one.event.endswith("double") for one in intel.flops)


def test_vectors_of_other_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FakePerf(MACHINES["Neoverse V1"]).install(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [one.flops for one in chosen(files(tmp_path / "v2", 16)).flops] == [1.0, 1.0]
    assert [one.flops for one in chosen(SystemFiles(tmp_path / "none")).flops] == [1.0, 1.0]


def test_a_processor_that_counts_no_operations_tells_its_traffic(on: Any) -> None:
    found = on(FakePerf(N1))
    assert (found.flops, found.memory_bytes) == ({}, 24e9)
    (reason,) = found.lacking
    assert reason.startswith("floating-point operations: perf does not know fp_arith_inst_retired.scalar_double; perf")


def test_traffic_that_is_not_counted_is_told(on: Any) -> None:
    found = on(FakePerf({**INTEL, "longest_lat_cache.miss": "<not supported>"}))
    assert (sum(found.flops.values()), found.memory_bytes) == (5e8, None)
    assert found.lacking[0].startswith("traffic of memory: perf does not know ocr.reads_to_core.dram; ")
    assert found.lacking[0].endswith("longest_lat_cache.miss is not supported")


def test_half_of_the_fills_is_no_traffic(on: Any) -> None:
    there = {name: count for name, count in MACHINES["Zen 3"].items() if not name.endswith("_remote")}
    assert on(FakePerf(there)).memory_bytes is None


def test_counts_in_turn_are_scaled_and_told(on: Any) -> None:
    assert on(FakePerf(MACHINES["Ice Lake"], counted=44.4)).least == pytest.approx(0.444)


@pytest.mark.parametrize(
    ("perf", "told"),
    [
        (FakePerf({"cycles": "<not supported>"}), "no counters: cycles is not supported here"),
        (FakePerf(BASE, refused=True), "no counters: perf may not count them .kernel.perf_event_paranoid"),
        (FakePerf(BASE), "a roofline point: floating-point operations: perf does not know .*traffic of memory: perf"),
    ],
)
def test_machines_without_counters(perf: FakePerf, told: str, on: Any) -> None:
    with pytest.raises(NoCounters, match=told):
        on(perf)


def test_two_kinds_of_cores_are_not_judged(on: Any, tmp_path: Path) -> None:
    (tmp_path / "sys/bus/event_source/devices/cpu_atom").mkdir(parents=True)
    with pytest.raises(NoCounters, match="two kinds of cores"):
        on(FakePerf(MACHINES["Skylake"]))


def test_without_perf_the_reason_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(NoCounters, match="perf is not installed"):
        chosen(SystemFiles(tmp_path))


def test_events_for_which_a_run_is_too_brief(on: Any) -> None:
    event = f"{FP}.256b_packed_double"
    found = on(FakePerf(MACHINES["Ice Lake"], in_turn={event: "<not counted>"}))
    assert (found.flops, found.memory_bytes) == ({}, 24e9)
    assert f"{event} was not counted: the command runs too briefly" in found.lacking[0]


FUNCTIONS = {
    f"{FP}.256b_packed_double": [(75.0, "app", "triad"), (25.0, "app", "dot(double const*, int)")],
    "ocr.reads_to_core.dram": [(90.0, "app", "triad")],
}


def test_functions_by_their_share_of_each_event(on: Any) -> None:
    found = on(FakePerf(MACHINES["Ice Lake"], FUNCTIONS))
    assert found.functions == {
        f"{FP}.256b_packed_double": {("app", "triad"): 0.75, ("app", "dot(double const*, int)"): 0.25},
        "ocr.reads_to_core.dram": {("app", "triad"): 0.9},
    }


def test_functions_of_a_run_that_failed_are_not_told(on: Any, tmp_path: Path) -> None:
    once = f"mkdir {tmp_path / 'ran'}"  # fails in the second run
    found = on(FakePerf(MACHINES["Ice Lake"], FUNCTIONS), ("sh", "-c", once))
    assert (found.functions, found.finished.status) == ({}, 0)
    assert found.memory_bytes == 24e9
    (reason,) = found.lacking
    assert reason.startswith(
        "roofline points of functions: perf record failed: the run ended with status 1, and with 0"
    )


# perf 6.1, of a real recording of two events of the system.
REPORT = """# To display the perf.data header info, please use --header/--header-only options.
#
# Samples: 172  of event 'cpu-clock:u'
# Event count (approx.): 344689376
#
# Overhead\tShared Object       \tSymbol                               
 19.19% \tlibpython3.11.so.1.0\t[.] _PyEval_EvalFrameDefault
 13.37% \tlibpython3.11.so.1.0\t[.] _PyObject_Malloc


# Samples: 1K of event 'page-faults:u'
# Event count (approx.): 20000
#
 99.50% \tlibc.so.6           \t[.] __memset_avx2_unaligned_erms
"""  # noqa: W291 perf's own lines end so


def test_sections_of_a_report() -> None:
    assert parse_sections(REPORT) == {
        "cpu-clock": {
            ("libpython3.11.so.1.0", "_PyEval_EvalFrameDefault"): pytest.approx(0.1919),
            ("libpython3.11.so.1.0", "_PyObject_Malloc"): pytest.approx(0.1337),
        },
        "page-faults": {("libc.so.6", "__memset_avx2_unaligned_erms"): 0.995},
    }
    assert list(parse_sections(REPORT.replace("'cpu-clock:u'", "'cpu_core/cpu-clock/u'"))) == [
        "cpu-clock",
        "page-faults",
    ]


@given(st.lists(st.sampled_from([*REPORT.splitlines(), "# Samples: of event ''", "'", "\t%\t"])))
def test_any_report_is_read(lines: list[str]) -> None:
    parse_sections("\n".join(lines))
