"""One small program, compiled with more and more that a compiler can do: its times, and which loops became vectors."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rooftop.lab.in_python import Lab, LabRung, SkipCaseError, Verdict, drive_lab, exact, variant

KERNEL = Path(__file__).resolve().with_name("kernel.c")
MIX = '__attribute__((visibility("hidden"))) unsigned mix(unsigned key) { return (key ^ (key >> 15)) * 0x2c1b3c6dU; }'
VECTORS = r":(\d+):\d+: (?:optimized: loop vectorized|remark: vectorized loop)"
TELL = {"gcc": "-fopt-info-vec-optimized", "clang": "-Rpass=loop-vectorize"}
COUNT = {"gcc": "-fprofile-generate", "clang": "-fprofile-instr-generate"}
USE = {"gcc": "-fprofile-use", "clang": "-fprofile-instr-use=profile"}
BUCKETS = 1000


def tool(name: str) -> str:
    """Return the path of a program, of any version. Raises SkipCaseError where there is none."""
    for one in (name, *(f"{name}-{version}" for version in range(25, 9, -1))):
        if path := shutil.which(one):
            return path
    raise SkipCaseError(f"{name} is not installed")


class Program(Lab):
    """What the three loops return, and how long they took at best."""

    parameters = ("compiler", "length")
    checks = ({"compiler": "gcc", "length": 1}, {"compiler": "clang", "length": 997})

    def __init__(self, given: Mapping[str, Any], seed: int, threads: int) -> None:
        """Compute in Python what must come out."""
        super().__init__(given, seed, threads)
        keys = [7919 * i % (1 << 31) for i in range(given["length"])]
        self.keys = (ctypes.c_uint32 * len(keys))(*keys)
        self.values = (ctypes.c_float * len(keys))(*(float(key % 7) for key in keys))
        mixed = [((key ^ (key >> 15)) * 0x2C1B3C6D) % (1 << 32) % BUCKETS for key in keys]
        self.expected = [sum(key ^ (key >> 3) for key in keys) % (1 << 32), sum(self.values), sum(mixed)]
        self.results: list[float] = []
        self.told: dict[str, float] = {}

    def poison(self) -> None:
        """Forget the results."""
        self.results = []

    def verify(self) -> Verdict:
        """Compare the results, which are exact in every order of additions."""
        return exact("" if self.results == self.expected else f"{self.results}, expected {self.expected}")

    def spoil(self) -> None:
        """Change one result by 1."""
        self.results[-1] += 1

    def figures(self) -> dict[str, float]:
        """Return the number of loops that became vectors, and the best time of each."""
        return self.told


class Compiled(LabRung):
    """The loops, compiled with some flags."""

    def __init__(self, lab: Program, *flags: str, profile: bool = False) -> None:
        """Compile them; with a profile, once more after a run on data like that to come."""
        self.lab, self.compiler = lab, lab.given["compiler"]
        with tempfile.TemporaryDirectory() as self.folder:
            Path(self.folder, "mix.c").write_text(MIX, encoding="ascii")
            program = Path(self.folder, "program")  # one name for both: gcc finds the profile by it
            command = [tool(self.compiler), str(KERNEL), "mix.c", "-o", str(program), "-fPIC", *flags]
            if profile:
                self.call([*command, "-fno-lto", COUNT[self.compiler]])
                self.call([str(program)])
                if self.compiler == "clang":
                    self.call([tool("llvm-profdata"), "merge", "-o", "profile", "default.profraw"])
                command.append(USE[self.compiler])
            said = self.call([*command, "-shared", TELL[self.compiler]])
            self.loops = ctypes.CDLL(str(program))
        self.loops.sum.restype = ctypes.c_float
        self.loops.bits.restype = self.loops.fold.restype = ctypes.c_uint32
        lab.told["vectorised_loops"] = float(len(set(re.findall(VECTORS, said))))

    def call(self, command: list[str]) -> str:
        """Run a tool in the folder. Return its messages. Raises SkipCaseError where it fails."""
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SkipCaseError(f"{Path(command[0]).name} fails: {' '.join(done.stderr.split())[:200]}")
        return done.stderr

    def run(self) -> None:
        """Run the three loops."""
        zero, float_zero, buckets = ctypes.c_uint32(0), ctypes.c_float(0), ctypes.c_uint32(BUCKETS)
        keys, values, self.lab.results = self.lab.keys, self.lab.values, []
        for name, data, last in (("bits", keys, zero), ("sum", values, float_zero), ("fold", keys, buckets)):
            start = time.perf_counter_ns()
            self.lab.results.append(getattr(self.loops, name)(data, len(data), last))
            taken = float(time.perf_counter_ns() - start)
            self.lab.told[f"{name}_ns"] = min(taken, self.lab.told.get(f"{name}_ns", taken))


NATIVE = ("-O3", "-march=native")
VARIANTS = (
    variant("10-o0", "Each variable in memory, each statement for itself.", lambda lab: Compiled(lab, "-O0")),
    variant("20-o1", "Variables in registers.", lambda lab: Compiled(lab, "-O1")),
    variant("30-o2", "What costs little code; clang makes vectors.", lambda lab: Compiled(lab, "-O2")),
    variant("40-o3", "What costs code; gcc makes vectors.", lambda lab: Compiled(lab, "-O3")),
    variant("50-native", "This processor's instructions.", lambda lab: Compiled(lab, *NATIVE)),
    variant("60-lto", "Both units seen at once.", lambda lab: Compiled(lab, *NATIVE, "-flto")),
    variant("70-pgo", "A profile of a run before.", lambda lab: Compiled(lab, *NATIVE, "-flto", profile=True)),
)

if __name__ == "__main__":
    raise SystemExit(drive_lab(Program, VARIANTS, __file__, sys.argv[1:]))
