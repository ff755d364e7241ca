"""Climb documents made up for the report's tests: a realistic one, a hostile one, and ones with next to nothing in them.

Everything is drawn from a seed, so that two runs of a test see the same page.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from statistics import median
from typing import Any

from rooftop.documents import (
    CaseResult,
    ClimbDocument,
    Comparison,
    Doubt,
    ExperimentResult,
    Machine,
    Outcome,
    Roof,
    RungResult,
    Verdict,
)

THREADS = 2
PEAK = 303e9  # flop/s on both cores
HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)> & \"quoted\", a comma\u2028and <b>bold</b>"


@dataclass(frozen=True)
class Idea:
    """A rung or peer to be made up: its rate where it is right, else its outcome and reason."""

    name: str
    idea: str
    rate: float = 0.0  # GFLOP/s, direct-equivalent
    saving: float = 1.0  # direct flops over flops really done
    outcome: Outcome = "ok"
    reason: str | None = None


WINOGRAD = (
    Idea("10-naive", "1-D Winograd F(2,3) with the naive matrix product.", 0.223, 1.5),
    Idea("20-loop-order", "The product's loops in the order that the cache likes.", 3.05, 1.5),
    Idea("30-simd128", "128-bit SIMD with FMA, 4x4 register blocks.", 12.9, 1.5),
    Idea("40-threads", "Threads, on the large products only.", 23.1, 1.5),
    Idea("50-bulk-clearing", "Clears its buffers in bulk instead of element by element.", 23.3, 1.5),
    Idea("60-simd256", "256-bit SIMD, 8x8 register blocks.", 51.0, 1.5),
    Idea("70-f2x2", "F(2x2,3x3) in four stages: both transforms, batched product, output transform.", 117.0, 2.25),
    Idea("80-f4x4", "F(4x4,3x3), many tiles per transform.", 205.0, 4.0),
    Idea("85-sgemm", "The batched product by a library's sgemm.", 241.0, 4.0),
    Idea("90-fused", "Tiles of a block stay in the L2 cache between the stages.", 402.0, 4.0),
    Idea("99-solver", "The library: an algorithm per layer, chosen when the plan is made.", 561.0, 4.0),
)
PEERS = (
    Idea("im2col_openblas", "im2col and the library's product.", 141.0),
    Idea("onednn", "oneDNN 3.x, given its best layout.", 214.0),
    Idea("onednn_debian", "oneDNN 2.6 as Debian ships it.", 205.0),
    Idea("onnxruntime", "ONNX Runtime on the processor.", 158.0),
)
LAYERS = {
    "conv1_2 64x224x224 k64 n1": (64, 224, 64, 1.06),
    "conv2_2 128x112x112 k128 n1": (128, 112, 128, 1.0),
    "conv3_2 256x56x56 k256 n1": (256, 56, 256, 0.97),
    "conv4_2 512x28x28 k512 n1": (512, 28, 512, 0.86),
    "conv5_2 512x14x14 k512 n1": (512, 14, 512, 0.61),
    "res5 512x7x7 k512 n1": (512, 7, 512, 0.27),
}
LAB = (
    Idea("10-shared-line", "Two counters in one cache line.", 41.0),
    Idea("20-padded", "Each counter in a line of its own.", 355.0),
    Idea("30-registers", "Counts in a register and writes once.", 402.0),
)


def _samples(chance: random.Random, seconds: float, count: int) -> list[float]:
    """Samples with a long tail to the slow side, as timings have."""
    return [seconds * math.exp(abs(chance.gauss(0, 0.012)) + (0.2 if chance.random() < 0.04 else 0)) for _ in range(count)]


def _comparison(against: RungResult, rung: RungResult, pairs: int) -> Comparison:
    assert rung.median_s and against.median_s
    ratio = against.median_s / rung.median_s
    lo, hi = ratio * 0.988, ratio * 1.011
    verdict: Verdict = "faster" if lo > 1.006 else "slower" if hi < 0.994 else "not resolved"
    return Comparison(against=against.name, ratio=ratio, lo=lo, hi=hi, pairs=pairs, verdict=verdict, floor=0.0061)


def _result(chance: random.Random, idea: Idea, kind: str, nominal: float, scale: float, samples: int) -> RungResult:
    base: dict[str, Any] = {"name": idea.name, "kind": kind, "idea": idea.idea, "outcome": idea.outcome, "threads": THREADS}
    if idea.outcome != "ok":
        wrong = {"error": 0.31, "tolerance": 2.5e-6} if idea.outcome == "wrong" else {}
        return RungResult(**base, reason=idea.reason, **wrong)
    taken = _samples(chance, nominal / (idea.rate * scale), samples)
    middle = median(taken)
    flops = nominal / idea.saving
    limit = nominal / (flops / PEAK) / scale
    rate = nominal / middle / scale
    return RungResult(
        **base,
        error=3.1e-7,
        tolerance=2.5e-6,
        algorithm="F(4)" if idea.saving == 4 else "direct",
        iterations=8,
        samples_s=taken,
        median_s=middle,
        lo_s=sorted(taken)[samples // 4],
        hi_s=sorted(taken)[3 * samples // 4],
        rate=rate,
        rate_unit="GFLOP/s",
        limit=limit,
        limit_by="compute",
        roof_fraction=rate / limit,
        work={
            "fma_flops": flops * 0.94,
            "add_flops": flops * 0.06,
            "memory_bytes": flops / (9 + 4 * idea.saving),
            "working_set_bytes": 4e6,
        },
        binding=[[0], [1]],
    )


def case(
    name: str, ladder: tuple[Idea, ...], peers: tuple[Idea, ...], nominal: float, factor: float = 1.0, samples: int = 14
) -> CaseResult:
    """One case with its paired comparisons."""
    chance = random.Random(f"{name} {len(ladder)}")
    rungs = []
    for idea in (*ladder, *peers):
        speed = idea.rate * (factor if idea.saving > 1.5 else 1.0)
        scaled = Idea(idea.name, idea.idea, speed, idea.saving, idea.outcome, idea.reason)
        kind = "peer" if idea in peers else "rung"
        rungs.append(_result(chance, scaled, kind, nominal, 1e9, samples if speed > 10 else 6))
    right = [rung for rung in rungs if rung.kind == "rung" and rung.outcome == "ok"]
    right_peers = [rung for rung in rungs if rung.kind == "peer" and rung.outcome == "ok"]
    for below, rung in zip(right, right[1:], strict=False):
        rung.vs_below = _comparison(below, rung, samples)
    if right_peers:
        best = min(right_peers, key=lambda rung: rung.median_s or math.inf)
        for rung in right:
            rung.vs_best_peer = _comparison(best, rung, samples)
    return CaseResult(
        case=name,
        parameters={"n": 1},
        nominal=nominal,
        rungs=rungs,
        blocks=samples,
        stopped="resolved" if samples > 10 else "budget",
    )


def totals(cases: list[CaseResult]) -> list[dict[str, Any]]:
    """The totals that a campaign stores: sums over the cases on which a rung was right."""
    found: dict[str, dict[str, Any]] = {}
    for one in cases:
        for rung in one.rungs:
            if rung.outcome == "ok" and rung.median_s and rung.limit:
                total = found.setdefault(
                    rung.name, {"name": rung.name, "kind": rung.kind, "seconds": 0.0, "nominal": 0.0, "cases": 0, "least": 0.0}
                )
                total["seconds"] += rung.median_s
                total["nominal"] += one.nominal
                total["least"] += one.nominal / rung.limit / 1e9
                total["cases"] += 1
    for total in found.values():
        least = total.pop("least")
        total["rate"] = total["nominal"] / total["seconds"] / 1e9
        total["limit"] = total["nominal"] / least / 1e9
        total["roof_fraction"] = least / total["seconds"]
        total["of_cases"] = len(cases)
    return list(found.values())


def roofs() -> list[Roof]:
    """Roofs as the probes of a two-core machine report them."""
    found = []
    for threads in (1, THREADS):
        for isa, peak in (("scalar", 6.1e9), ("sse2", 24e9), ("avx2", 95e9), ("avx512", 151.5e9)):
            for precision, share in (("fp32", 1.0), ("fp64", 0.5)):
                found.append(
                    Roof(metric="fma", value=peak * threads * share, unit="flop/s", threads=threads, isa=isa, precision=precision)
                )
        for level, size, rate in (("L1", 2**14, 250e9), ("L2", 2**20, 125e9), ("L3", 2**24, 28e9), ("memory", 2**29, 12.5e9)):
            for metric, share in (("read", 1.0), ("write", 0.62), ("copy", 0.81), ("triad", 0.88)):
                found.append(
                    Roof(metric=metric, value=rate * share * threads**0.85, unit="byte/s", threads=threads, level=level,
                         bytes=int(size * threads))
                )
    for level, latency in (("L1", 1.3e-9), ("L2", 4.2e-9), ("L3", 31e-9), ("memory", 118e-9)):
        found.append(Roof(metric="latency", value=latency, unit="s", level=level))
    found.append(Roof(metric="core_to_core", value=61e-9, unit="s", threads=2, detail={"from": 0, "to": 1}))
    found.append(Roof(metric="page_fault", value=0.27e-6, unit="s", detail={"page": "4 KiB"}))
    found.append(Roof(metric="timer", value=21e-9, unit="s"))
    found.append(Roof(metric="aa_noise", value=0.0061, unit="1"))
    return found


def topology_xml(packages: int = 1, cores: int = 2, threads: int = 1) -> str:
    """A topology as lstopo writes it, with the parts that the report must pass over too."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE topology SYSTEM "hwloc2.dtd">', '<topology version="2.0">',
             '<object type="Machine" os_index="0">']
    for package in range(packages):
        lines.append(f'<object type="Package" os_index="{package}"><info name="CPUModel" value="Made-up(R)  Processor 8480"/>')
        lines.append(f'<object type="NUMANode" os_index="{package}" local_memory="5461577728"/>')
        lines.append('<object type="L3Cache" cache_size="110100480">')
        for core in range(cores):
            number = package * cores + core
            lines.append('<object type="L2Cache" cache_size="2097152"><object type="L1Cache" cache_size="49152">')
            lines.append(f'<object type="L1iCache" cache_size="32768"><object type="Core" os_index="{number}">')
            for thread in range(threads):
                lines.append(f'<object type="PU" os_index="{number + thread * packages * cores}"/>')
            lines.append("</object></object></object></object>")
        lines.append("</object></object>")
    lines.append('<object type="Bridge"><object type="PCIDev"><object type="OSDev" name="vda"/></object></object>')
    lines.append("</object></topology>")
    return "\n".join(lines)


def machine(**changes: Any) -> Machine:
    """A two-core machine; ``changes`` replace its fields."""
    fields: dict[str, Any] = {
        "id": "9f3c1e7ab2d40c55",
        "processor": "Made-up Processor 8480",
        "architecture": "x86_64",
        "cores": THREADS,
        "threads_per_core": 1,
        "numa_nodes": 1,
        "memory_bytes": 6_442_450_944,
        "caches": [
            {"level": "L1", "bytes": 49152, "shared_by": 1},
            {"level": "L2", "bytes": 2097152, "shared_by": 1},
            {"level": "L3", "bytes": 110100480, "shared_by": 2},
        ],
        "isas": ["scalar", "sse2", "avx2", "avx512"],
        "topology_xml": topology_xml(),
        "roofs": roofs(),
        "conditions": {
            "governor": None,
            "smt": False,
            "thp": "madvise",
            "cgroup": {"cpu_quota": None, "memory_bytes": 6_442_450_944},
            "steal": 0.0031,
            "load": [0.42, 0.51, 0.38],
            "kernel": "6.1.0-18-amd64",
            "compiler": "g++ 12.2.0",
            "flags": "-O3 -g -fno-math-errno -fvisibility=hidden -fno-gnu-unique",
        },
        "missing": ["governor: /sys/devices/system/cpu/cpu0/cpufreq is not there (a virtual machine)"],
    }
    return Machine(**(fields | changes))


def realistic() -> ClimbDocument:
    """Two experiments: Winograd over six layers with peers and troubles, and a small one with one case and no peer."""
    cases = []
    for at, (name, (c, h, k, factor)) in enumerate(LAYERS.items()):
        ladder = list(WINOGRAD)
        peers = list(PEERS)
        if at == 1:
            ladder[8] = Idea("85-sgemm", WINOGRAD[8].idea, outcome="skipped", reason="OpenBLAS was not found: apt install libopenblas-dev")
        if at == 3:
            ladder[6] = Idea("70-f2x2", WINOGRAD[6].idea, 117.0, 2.25, "wrong", "output [0][511][27][3] differs by 0.31 of the largest value")
            ladder[0] = Idea("10-naive", WINOGRAD[0].idea, outcome="skipped", reason="one run takes 41 s, more than this case's share of the budget, 12 s")
        if at == 5:
            ladder[9] = Idea("90-fused", WINOGRAD[9].idea, outcome="failed", reason="the driver was killed by signal 11 (segmentation fault)")
        peers[3] = Idea("onnxruntime", PEERS[3].idea, outcome="skipped", reason="onnxruntime is not installed: pip install onnxruntime")
        cases.append(case(name, tuple(ladder), tuple(peers), 18.0 * k * c * h * h, factor))
    winograd = ExperimentResult(
        name="winograd",
        title="Winograd convolution",
        question="How far can fewer multiplications carry a 3x3 convolution beyond the peak of the direct method?",
        size="network",
        threads=THREADS,
        rate_unit="GFLOP/s",
        rate_scale=1e9,
        cases=cases,
        totals=totals(cases),
    )
    only = case("two threads", LAB, (), 4e9, samples=8)
    for rung in only.rungs:
        rung.rate_unit, rung.work, rung.limit, rung.limit_by, rung.roof_fraction = "Mop/s", None, 640.0, "L2", (rung.rate or 0) / 640
    lab = ExperimentResult(
        name="false_sharing",
        title="False sharing",
        question="What does a cache line cost that two cores write by turns?",
        size="quick",
        threads=THREADS,
        rate_unit="Mop/s",
        cases=[only],
    )
    doubts = [
        Doubt(
            doubt="The machine was not quiet",
            evidence="Load average 1.4 at the start on 2 cores; 0.31 % of the time was stolen by the host.",
            remedy="Stop other programs, then run: rooftop climb winograd --resume",
        ),
        Doubt(
            doubt="One comparison is not resolved",
            evidence="winograd, 50-bulk-clearing against 40-threads: 1.01, interval 0.997 to 1.02, after 14 pairs.",
            remedy="Give it a longer budget (--budget 15m), or accept that the difference is below 2 %.",
        ),
    ]
    return ClimbDocument(
        rooftop="0.1.0",
        campaign="20250301-141502-winograd",
        started="2025-03-01T14:15:02Z",
        machine=machine(),
        experiments=[winograd, lab],
        doubts=doubts,
    )


def hostile() -> ClimbDocument:
    """Names, reasons and conditions that try to be markup, and long unbroken ones."""
    ladder = (
        Idea(f"10-{HOSTILE}", HOSTILE, 1.5),
        Idea("20-" + "very_long_unbroken_name_" * 6, "x" * 300, 95.0),
        Idea(f"30-{HOSTILE}", "", outcome="failed", reason=HOSTILE),
        Idea("40-</script>", "", outcome="wrong", reason=None),
    )
    one = case(HOSTILE, ladder, (Idea(HOSTILE, HOSTILE, 50.0),), 1e9)
    two = case("=cmd|' /C calc'!A0\r\nsecond line", ladder[:2], (), 1e9)
    experiment = ExperimentResult(
        name=HOSTILE,
        title=HOSTILE,
        question=HOSTILE,
        size="quick",
        threads=THREADS,
        rate_unit="GFLOP/s",
        rate_scale=1e9,
        cases=[one, two],
        totals=totals([one, two]),
    )
    return ClimbDocument(
        rooftop="0.1.0",
        campaign="hostile",
        started="2025-03-01T14:15:02Z",
        machine=machine(processor=HOSTILE, conditions={HOSTILE: HOSTILE}, topology_xml=None, missing=[HOSTILE]),
        experiments=[experiment],
        doubts=[Doubt(doubt=HOSTILE, evidence=HOSTILE, remedy=HOSTILE)],
    )


def barren() -> ClimbDocument:
    """No rung right, no roof, no topology, no peer, and an experiment without cases."""
    ladder = (
        Idea("10-first", "The first.", outcome="wrong", reason="not a number at output [0]"),
        Idea("20-second", "The second.", outcome="failed", reason="build: the module cannot be loaded"),
        Idea("30-third", "The third.", outcome="skipped", reason="the processor lacks avx512"),
    )
    bare = machine(caches=[], roofs=[], topology_xml="<topology><object", conditions={}, missing=[], isas=[], processor="")
    experiments = [
        ExperimentResult(name="none_right", title="Nothing is right", size="quick", threads=2, rate_unit="GFLOP/s", rate_scale=1e9,
                         cases=[case("only", ladder, (), 1e9)]),
        ExperimentResult(name="no_cases", title="Nothing to do", size="quick", threads=2, rate_unit="cells/s", cases=[]),
    ]
    return ClimbDocument(rooftop="0.1.0", campaign="barren", started="2025-03-01T14:15:02Z", machine=bare, experiments=experiments)


def crowded() -> ClimbDocument:
    """Forty cases on a machine with two packages of 56 cores, and hundreds of samples."""
    cases = [case(f"layer {at}", WINOGRAD, PEERS, 1e9 * (1 + at), 0.5 + at / 50, samples=60) for at in range(40)]
    experiment = ExperimentResult(name="winograd", title="Winograd convolution", size="L", threads=112, rate_unit="GFLOP/s", rate_scale=1e9,
                                  cases=cases, totals=totals(cases))
    big = machine(cores=112, threads_per_core=2, numa_nodes=2, topology_xml=topology_xml(2, 56, 2))
    return ClimbDocument(rooftop="0.1.0", campaign="crowded", started="2025-03-01T14:15:02Z", machine=big, experiments=[experiment])


ALL = {"realistic": realistic, "hostile": hostile, "barren": barren, "crowded": crowded}
