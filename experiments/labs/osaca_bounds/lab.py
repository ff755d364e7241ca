"""Cycles of a loop as OSACA predicts them from its instructions, and as the processor takes them."""

from __future__ import annotations

import ctypes
import importlib.util
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rooftop.lab.in_python import Lab, LabRung, Verdict, drive_lab, exact, variant

# Loops over values at rdi, as many as rsi says, rdx times; rax counts. xmm8 is 1. The result is xmm0 to xmm3.
LOOPS = {
    "chain": (1, "vaddsd (%rdi,%rax,8), %xmm0, %xmm0\n"),
    "chains": (4, "".join(f"vaddsd {8 * k}(%rdi,%rax,8), %xmm{k}, %xmm{k}\n" for k in range(4))),
    "fused": (1, "vfmadd231sd (%rdi,%rax,8), %xmm8, %xmm0\n"),
    "divisions": (1, "vdivsd (%rdi,%rax,8), %xmm8, %xmm9\nvaddsd %xmm9, %xmm0, %xmm0\n"),
}
BEFORE = "movl $1, %ecx\nvxorps %xmm8, %xmm8, %xmm8\nvcvtsi2sdl %ecx, %xmm8, %xmm8\n" + "".join(
    f"vxorps %xmm{k}, %xmm{k}, %xmm{k}\n" for k in range(4)
)
AFTER = "".join(f"vaddsd %xmm{k}, %xmm0, %xmm0\n" for k in (1, 2, 3)) + "ret\n"
# Additions that wait for one another, one per cycle.
TICKS = ".globl ticks\nticks:\n1:\n.rept 16\naddq %rsi, %rax\n.endr\ndecq %rdi\njnz 1b\nret\n.section .note.GNU-stack\n"
# OSACA's names: of AMD's processors by family and sixteens of models, of Intel's by model.
AMD = {
    23: {0: "ZEN1", 1: "ZEN1", 3: "ZEN2", 6: "ZEN2", 7: "ZEN2"},
    25: {0: "ZEN3", 1: "ZEN4", 2: "ZEN3", 5: "ZEN3", 6: "ZEN4"},
}
INTEL = {60: "HSW", 63: "HSW", 61: "BDW", 79: "BDW", 85: "CSX", 106: "ICX", 125: "ICL", 143: "SPR"}


def processor() -> str | None:
    """Return OSACA's name of this processor; None where it has none."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()
    told = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    family, model = int(told["cpu family"]), int(told["model"])
    return INTEL.get(model) if told["vendor_id"] == "GenuineIntel" else AMD.get(family, {}).get(model // 16)


class Loop(Lab):
    """A loop over values in the L1 cache, and its result."""

    parameters = ("length", "passes")
    checks = ({"length": 4, "passes": 1}, {"length": 500, "passes": 3})

    def __init__(self, given: Mapping[str, Any], seed: int, threads: int) -> None:
        """Take 1, 2, 4, 1, ..., whose sums are exact in every order; `length` is a multiple of 4."""
        super().__init__(given, seed, threads)
        self.values = [(1.0, 2.0, 4.0)[i % 3] for i in range(given["length"])]
        self.result, self.expected = -1.0, sum(self.values) * given["passes"]
        self.told: dict[str, float] = {}

    def poison(self) -> None:
        """Overwrite the result."""
        self.result = -1.0

    def verify(self) -> Verdict:
        """Compare the result with a plain sum."""
        return exact("" if self.result == self.expected else f"the sum is {self.result}, expected {self.expected}")

    def spoil(self) -> None:
        """Change the result by the least value."""
        self.result += 0.25

    def figures(self) -> dict[str, float]:
        """Return the cycles of one round of the loop, as predicted and as measured, and their ratio."""
        return self.told


class Assembled(LabRung):
    """A loop, assembled into a library, with its bound by OSACA."""

    def __init__(self, lab: Loop, name: str) -> None:
        """Assemble the loop, and analyse it."""
        self.lab, (self.step, body) = lab, LOOPS[name]
        if name == "divisions":
            lab.expected = sum(1 / value for value in lab.values) * lab.given["passes"]
        body += f"addq ${self.step}, %rax\ncmpq %rax, %rsi\njne 1b\n"
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "loop.s"), Path(folder, "loop.so")
            passes = f"2:\nxorl %eax, %eax\n1:\n{body}decq %rdx\njnz 2b\n"
            source.write_text(f".text\n.globl loop\nloop:\n{BEFORE}{passes}{AFTER}{TICKS}", encoding="ascii")
            subprocess.run(["gcc", "-shared", "-o", library, source], check=True, capture_output=True)
            self.library = ctypes.CDLL(str(library))
        self.library.loop.restype = ctypes.c_double
        self.array = (ctypes.c_double * len(lab.values))(*lab.values)
        self.counts = (ctypes.c_long(len(lab.values)), ctypes.c_long(lab.given["passes"]))
        self.bound, self.best, self.tick_ns = osaca(body), float("inf"), float("inf")

    def run(self) -> None:
        """Run the loop over all values, several times, and additions at the same clock before it."""
        start = time.perf_counter_ns()
        self.library.ticks(ctypes.c_long(2_000), ctypes.c_long(1))
        between = time.perf_counter_ns()
        self.lab.result = self.library.loop(self.array, *self.counts)
        self.best = min(self.best, time.perf_counter_ns() - between)
        self.tick_ns = min(self.tick_ns, (between - start) / 32_000)

    def finish(self) -> None:
        """Compute the figures: cycles by the shortest times of both."""
        measured = self.best / self.tick_ns / (self.lab.given["passes"] * len(self.array) // self.step)
        self.lab.told = {"osaca_cycles": self.bound, "measured_cycles": measured}
        self.lab.told["cycles_over_osaca"] = measured / self.bound


def osaca(body: str) -> float:
    """Return OSACA's cycles for one round: of the busiest port, or of the longest chain from round to round."""
    from osaca.osaca import get_asm_parser
    from osaca.semantics import ArchSemantics, KernelDG, MachineModel

    parser, model = get_asm_parser(processor()), MachineModel(arch=processor())
    kernel, semantics = parser.parse_file(body), ArchSemantics(parser, model)
    semantics.normalize_instruction_forms(kernel)
    semantics.add_semantics(kernel)
    semantics.assign_optimal_throughput(kernel)
    chains = KernelDG(kernel, parser, model, semantics).get_loopcarried_dependencies().values()
    return max([chain["latency"] for chain in chains] + list(ArchSemantics.get_throughput_sum(kernel)))


VARIANTS = (
    variant("10-chain", "Each addition waits for the last.", lambda lab: Assembled(lab, "chain")),
    variant("20-four-chains", "Four sums, each of which waits for itself alone.", lambda lab: Assembled(lab, "chains")),
    variant("30-fused-chain", "Each multiply-add waits for the last.", lambda lab: Assembled(lab, "fused")),
    variant("40-divisions", "Divisions that do not wait for one another.", lambda lab: Assembled(lab, "divisions")),
)
MISSING = None
if platform.system() != "Linux" or platform.machine() != "x86_64" or shutil.which("gcc") is None:
    MISSING = "the loops are assembly for gcc on Linux and x86-64"
elif importlib.util.find_spec("osaca") is None:
    MISSING = "osaca is not installed: pip install osaca"
elif processor() is None:
    MISSING = "OSACA does not know this processor"

if __name__ == "__main__":
    raise SystemExit(drive_lab(Loop, VARIANTS, __file__, sys.argv[1:], MISSING))
