"""Climb documents made up for the report's tests: realistic, hostile, crowded, barren and without roofs.

Everything is drawn from a seed, so that two runs of a test see the same page.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from synthetic_machine import PEAK, THREADS, machine, topology_xml

from rooftop.documents import (
    CaseResult,
    ClimbDocument,
    Comparison,
    Doubt,
    ExperimentResult,
    Outcome,
    RungResult,
    Verdict,
)

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
    return [
        seconds * math.exp(abs(chance.gauss(0, 0.012)) + (0.2 if chance.random() < 0.04 else 0)) for _ in range(count)
    ]


def _comparison(against: RungResult, rung: RungResult, pairs: int) -> Comparison:
    assert rung.median_s and against.median_s
    ratio = against.median_s / rung.median_s
    lo, hi = ratio * 0.988, ratio * 1.011
    verdict: Verdict = "faster" if lo > 1.006 else "slower" if hi < 0.994 else "not resolved"
    return Comparison(against=against.name, ratio=ratio, lo=lo, hi=hi, pairs=pairs, verdict=verdict, floor=0.0061)


def _result(chance: random.Random, idea: Idea, kind: str, nominal: float, scale: float, samples: int) -> RungResult:
    base: dict[str, Any] = {
        "name": idea.name,
        "kind": kind,
        "idea": idea.idea,
        "outcome": idea.outcome,
        "threads": THREADS,
    }
    if idea.outcome != "ok":
        wrong: dict[str, Any] = {"error": 0.31, "tolerance": 2.5e-6} if idea.outcome == "wrong" else {}
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
    for below, rung in pairwise(right):
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
                    rung.name,
                    {"name": rung.name, "kind": rung.kind, "seconds": 0.0, "nominal": 0.0, "cases": 0, "least": 0.0},
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


def realistic() -> ClimbDocument:
    """Two experiments: Winograd over six layers with peers and troubles, and a small one with one case and no peer."""
    cases = []
    for at, (name, (c, h, k, factor)) in enumerate(LAYERS.items()):
        ladder = list(WINOGRAD)
        peers = list(PEERS)
        if at == 1:
            ladder[8] = Idea(
                "85-sgemm",
                WINOGRAD[8].idea,
                outcome="skipped",
                reason="OpenBLAS was not found: apt install libopenblas-dev",
            )
        if at == 3:
            ladder[6] = Idea(
                "70-f2x2",
                WINOGRAD[6].idea,
                117.0,
                2.25,
                "wrong",
                "output [0][511][27][3] differs by 0.31 of the largest value",
            )
            ladder[0] = Idea(
                "10-naive",
                WINOGRAD[0].idea,
                outcome="skipped",
                reason="one run takes 41 s, more than this case's share of the budget, 12 s",
            )
        if at == 5:
            ladder[9] = Idea(
                "90-fused",
                WINOGRAD[9].idea,
                outcome="failed",
                reason="the driver was killed by signal 11 (segmentation fault)",
            )
        peers[3] = Idea(
            "onnxruntime",
            PEERS[3].idea,
            outcome="skipped",
            reason="onnxruntime is not installed: pip install onnxruntime",
        )
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
        rung.rate_unit, rung.work, rung.limit, rung.limit_by, rung.roof_fraction = (
            "Mop/s",
            None,
            640.0,
            "L2",
            (rung.rate or 0) / 640,
        )
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


def without_roofs() -> ClimbDocument:
    """The realistic one where times to solution count, and a ladder whose quality counts; no work, hence no roof."""
    document = realistic()
    solution, lab = document.experiments
    solution.merit = ["time"]
    tours = case("kroA100, 512 tours", LAB, (Idea("ant library", "Ants of a library.", 30.0), PEERS[0]), 4e9, samples=8)
    for rung, gap in zip(tours.rungs[:3], (4.21, 0.37, 0.0), strict=True):
        rung.figures = {"excess_percent": gap + 0.8, "gap_to_best_known_percent": gap}
    tours.rungs[3].figures, tours.rungs[4].figures = {"gap_to_best_known_percent": 1.5}, {"length": 21282.0}
    lab.merit, lab.cases, lab.totals = ["gap_to_best_known_percent", "excess_percent"], [tours], []
    for experiment in (solution, lab):
        for rung in (rung for one in experiment.cases for rung in one.rungs):
            rung.limit = rung.limit_by = rung.roof_fraction = rung.work = None
        for total in experiment.totals:
            total["limit"] = total["roof_fraction"] = None
    return document.model_copy(update={"campaign": "20250301-141502-without-roofs"})


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
    bare = machine(
        caches=[], roofs=[], topology_xml="<topology><object", conditions={}, missing=[], isas=[], processor=""
    )
    experiments = [
        ExperimentResult(
            name="none_right",
            title="Nothing is right",
            size="quick",
            threads=2,
            rate_unit="GFLOP/s",
            rate_scale=1e9,
            cases=[case("only", ladder, (), 1e9)],
        ),
        ExperimentResult(
            name="no_cases", title="Nothing to do", size="quick", threads=2, rate_unit="cells/s", cases=[]
        ),
    ]
    return ClimbDocument(
        rooftop="0.1.0", campaign="barren", started="2025-03-01T14:15:02Z", machine=bare, experiments=experiments
    )


def crowded() -> ClimbDocument:
    """Twenty-four cases on a machine with two packages of 56 cores."""
    cases = [case(f"layer {at}", WINOGRAD, PEERS, 1e9 * (1 + at), 0.5 + at / 50, samples=24) for at in range(24)]
    experiment = ExperimentResult(
        name="winograd",
        title="Winograd convolution",
        size="L",
        threads=112,
        rate_unit="GFLOP/s",
        rate_scale=1e9,
        cases=cases,
        totals=totals(cases),
    )
    big = machine(cores=112, threads_per_core=2, numa_nodes=2, topology_xml=topology_xml(2, 56, 2))
    return ClimbDocument(
        rooftop="0.1.0", campaign="crowded", started="2025-03-01T14:15:02Z", machine=big, experiments=[experiment]
    )


ALL = {"realistic": realistic, "hostile": hostile, "barren": barren, "crowded": crowded, "without_roofs": without_roofs}
