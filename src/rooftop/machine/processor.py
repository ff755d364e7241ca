"""The processor and its instruction sets, from /proc/cpuinfo; CPU lists and bitmaps as Linux and hwloc write them."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from dataclasses import dataclass

from rooftop.machine.system_files import SystemFiles

# The CPU features that modules with this suffix need: what cmake/isa_flags.cmake lets the compiler use.
_X86_SETS = {
    "sse2": {"sse2"},
    "avx2": {"avx2", "fma", "bmi2"},
    "avx512": {"avx2", "fma", "bmi2", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}

ISAS = ("scalar", *_X86_SETS, "neon")  # within each family from the narrowest to the widest


def up_to(isa: str) -> tuple[str, ...]:
    """Return the instruction sets that a program limited to `isa` may use. Raises ValueError if `isa` is unknown."""
    if isa == "neon":
        return "scalar", "neon"
    return ISAS[: ISAS.index(isa) + 1]


@dataclass(frozen=True)
class Processor:
    """The first processor listed in /proc/cpuinfo."""

    name: str
    architecture: str
    isas: tuple[str, ...]
    hypervisor: bool


def parse_cpuinfo(text: str) -> dict[str, str]:
    """Parse the fields of the first processor in /proc/cpuinfo."""
    fields: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if not colon:
            if fields:
                break
            continue
        fields.setdefault(key.strip(), value.strip())
    return fields


def processor(files: SystemFiles, architecture: str | None = None) -> Processor:
    """Return the processor's name and instruction sets."""
    machine = architecture or platform.machine()
    fields = parse_cpuinfo(files.text("/proc/cpuinfo") or "")
    flags = set((fields.get("flags") or fields.get("Features") or "").split())
    isas = ["scalar", *(isa for isa, needs in _X86_SETS.items() if needs <= flags)]
    if machine == "aarch64":  # NEON is part of it. An emulator may show the file of the machine below.
        isas = ["scalar", "neon"]
    name = fields.get("model name") or fields.get("cpu") or ""
    if not name and "CPU part" in fields:
        name = f"{machine} implementer {fields.get('CPU implementer', '?')} part {fields['CPU part']}"
    if family := fields.get("cpu family"):
        name += f", family {family} model {fields.get('model', '?')} stepping {fields.get('stepping', '?')}"
    return Processor(" ".join(name.split()) or "unknown", machine, tuple(isas), "hypervisor" in flags)


_MOST = 1 << 16  # far more than any machine has: a malformed list must not fill the memory


def parse_cpu_list(text: str) -> set[int]:
    """Parse a list such as "0-3,8,10-14:2" (":2": every second CPU). Raises ValueError naming the text."""
    cpus: set[int] = set()
    for part in text.strip().split(","):
        if not part.strip() and not text.strip():
            continue
        ends, _, step_text = part.partition(":")
        first, dash, last = ends.partition("-")
        try:
            low = int(first)
            high = int(last) if dash else low
            step = int(step_text) if step_text else 1
        except ValueError:
            raise ValueError(f"the processor list is {text!r}, expected one like 0-3,8") from None
        if not 0 <= low <= high < _MOST or step < 1:
            raise ValueError(f"the processor list is {text!r}, expected ascending ranges under {_MOST}")
        cpus.update(range(low, high + 1, step))
    return cpus


def format_cpu_list(cpus: Iterable[int]) -> str:
    """Return {0, 1, 2, 8} as "0-2,8"."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def parse_bitmap(text: str) -> set[int]:
    """Parse hwloc's "0x00000001,0x80000000": 32-bit words, the highest first. Raises ValueError naming the text."""
    cpus: set[int] = set()
    words = text.strip().split(",")
    for index, word in enumerate(reversed(words)):
        if word == "" and len(words) > 1:
            continue
        try:
            bits = int(word, 16)
        except ValueError:
            raise ValueError(f"the processor set is {text!r}, expected one like 0x0000000f") from None
        if not 0 <= bits < 1 << 32:
            raise ValueError(f"the processor set is {text!r}, expected words of 32 bits")
        cpus.update(index * 32 + bit for bit in range(32) if bits >> bit & 1)
    return cpus
