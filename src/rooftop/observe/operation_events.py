"""Events of processors' cores that count floating-point operations and lines from memory, by their names in perf.

Sources: the lists of events in Linux, tools/perf/pmu-events/arch (skylakex, icelakex, sapphirerapids, amdzen2 to
amdzen5, arm64/arm/neoverse-*); the performance groups FLOPS_DP and MEM of LIKWID; for Arm, DDI 0487, D12.11.

What is read from memory is counted at the cores. What is written back is not: memory controllers count that, for the
whole machine, and with privileges only.
"""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.machine import SystemFiles

LINE_BYTES = 64  # of a cache line, on all of these
INSTRUCTIONS = "instructions"
TWO_KINDS = "/sys/bus/event_source/devices/cpu_atom"  # of cores: those for efficiency count other events

# Prefetches into the L2 cache; on Zen 2 and 3 also those of the L1 cache's prefetchers, whose fills are counted, too.
TWICE = "l2_pf_miss_l2_l3"

_SVE_BYTES = "/proc/sys/abi/sve_default_vector_length"
_SCALABLE_BYTES = 16.0  # of a vector, for which an operation is counted once


@dataclass(frozen=True)
class Operations:
    """An event of which each count is so many operations. `precision`, `width`: None where it counts all of them."""

    event: str
    flops: float = 1.0
    precision: str | None = None
    width: str | None = None


@dataclass(frozen=True)
class Family:
    """The events of a family of processors.

    flops   the first tells whether a processor is of the family; of the others those that it has
    memory  lines from memory are the sum of all events of the first of these that a processor has
    """

    flops: tuple[Operations, ...]
    memory: tuple[tuple[str, ...], ...]


# A multiply-add is counted twice by the processor.
_INTEL = Family(
    tuple(
        Operations(f"fp_arith_inst_retired.{name}_{suffix}", float(max(1, bits // lane)), precision, width)
        for suffix, lane, precision in (("double", 64, "fp64"), ("single", 32, "fp32"))
        for name, bits, width in (
            ("scalar", 0, "scalar"),
            ("128b_packed", 128, "128 bits"),
            ("256b_packed", 256, "256 bits"),
            ("512b_packed", 512, "512 bits"),
        )
    ),
    # The last one is not sure to include what the prefetcher of the L2 cache asks for.
    (
        ("ocr.reads_to_core.dram",),
        ("ocr.all_reads.l3_miss.any_snoop",),
        ("offcore_response.all_reads.l3_miss.any_snoop",),
        ("longest_lat_cache.miss",),
    ),
)

# Fills are those of the L1 cache: what the prefetcher of the L2 cache fetches comes to it from there, and is counted
# by itself.
_AMD = Family(
    (Operations("fp_ret_sse_avx_ops.all"),),
    (
        ("ls_any_fills_from_sys.dram_io_all", "l2_pf_miss_l2_l3.l2_hwpf"),  # Zen 4, 5
        ("ls_any_fills_from_sys.mem_io_local", "ls_any_fills_from_sys.mem_io_remote", TWICE),  # Zen 3
        (
            *(
                f"{kind}.ls_mabresp_{node}_dram"
                for kind in ("ls_refills_from_sys", "ls_hw_pf_dc_fill", "ls_sw_pf_dc_fill")
                for node in ("lcl", "rmt")
            ),
            TWICE,
        ),  # Zen 2
    ),
)


def families(files: SystemFiles) -> list[Family]:
    """Return those that are known."""
    vectors = (files.number(_SVE_BYTES) or _SCALABLE_BYTES) / _SCALABLE_BYTES
    arm = Family((Operations("fp_fixed_ops_spec"), Operations("fp_scale_ops_spec", vectors)), (("ll_cache_miss_rd",),))
    return [_INTEL, _AMD, arm]
