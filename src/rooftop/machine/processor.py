"""The processor as /proc/cpuinfo names it, and the instruction sets that Rooftop's modules can ask for."""

from __future__ import annotations

import platform
from dataclasses import dataclass

from rooftop.machine.system_files import SystemFiles

# The features that cmake/isa_flags.cmake lets the compiler use in a module of that suffix.
_X86_SETS = {
    "sse2": {"sse2"},
    "avx2": {"avx2", "fma", "bmi2"},
    "avx512": {"avx2", "fma", "bmi2", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}

ISAS = ("scalar", *_X86_SETS, "neon")  # each family from the narrowest on


def up_to(isa: str) -> tuple[str, ...]:
    """Return the instruction sets that a program held to `isa` may use. Raises ValueError for an unknown one."""
    if isa == "neon":
        return "scalar", "neon"
    return ISAS[: ISAS.index(isa) + 1]


@dataclass(frozen=True)
class Processor:
    """The first processor; machines with unlike cores are told by their list of caches and capacities."""

    name: str
    architecture: str
    isas: tuple[str, ...]
    hypervisor: bool


def parse_cpuinfo(text: str) -> dict[str, str]:
    """Return the fields of the first processor in /proc/cpuinfo."""
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
    """Read the processor's name and what it can execute."""
    machine = architecture or platform.machine()
    fields = parse_cpuinfo(files.text("/proc/cpuinfo") or "")
    flags = set((fields.get("flags") or fields.get("Features") or "").split())
    isas = ["scalar", *(isa for isa, needs in _X86_SETS.items() if needs <= flags)]
    if machine == "aarch64" and ("asimd" in flags or not flags):
        isas.append("neon")
    name = fields.get("model name") or fields.get("cpu") or ""
    if not name and "CPU part" in fields:
        name = f"{machine} implementer {fields.get('CPU implementer', '?')} part {fields['CPU part']}"
    if family := fields.get("cpu family"):
        name += f", family {family} model {fields.get('model', '?')} stepping {fields.get('stepping', '?')}"
    return Processor(" ".join(name.split()) or "unknown", machine, tuple(isas), "hypervisor" in flags)
