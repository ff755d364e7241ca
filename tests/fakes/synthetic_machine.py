"""A machine made up for the report's tests: two cores, or as many as asked for, with all its roofs."""

from __future__ import annotations

from typing import Any

from rooftop.documents import Machine, Roof

THREADS = 2
PEAK = 303e9  # flop/s, fp32, on both cores


def roofs() -> list[Roof]:
    """Roofs as the probes of a two-core machine report them."""
    found = []
    for threads in (1, THREADS):
        for isa, peak in (("scalar", 6.1e9), ("sse2", 24e9), ("avx2", 95e9), ("avx512", 151.5e9)):
            for precision, share in (("fp32", 1.0), ("fp64", 0.5)):
                found.append(
                    Roof(
                        metric="fma",
                        value=peak * threads * share,
                        unit="flop/s",
                        threads=threads,
                        isa=isa,
                        precision=precision,
                    )
                )
        for level, size, rate in (
            ("L1", 2**14, 250e9),
            ("L2", 2**20, 125e9),
            ("L3", 2**24, 28e9),
            ("memory", 2**29, 12.5e9),
        ):
            for metric, share in (("read", 1.0), ("write", 0.62), ("copy", 0.81), ("triad", 0.88)):
                found.append(
                    Roof(
                        metric=metric,
                        value=rate * share * threads**0.85,
                        unit="byte/s",
                        threads=threads,
                        level=level,
                        bytes=int(size * threads),
                    )
                )
    for level, latency in (("L1", 1.3e-9), ("L2", 4.2e-9), ("L3", 31e-9), ("memory", 118e-9)):
        found.append(Roof(metric="latency", value=latency, unit="s", level=level))
    found.append(Roof(metric="core_to_core", value=61e-9, unit="s", threads=2, detail={"from": 0, "to": 1}))
    for size, seconds in ((8, 0.2e-6), (4000, 0.7e-6), (65536, 17e-6), (1 << 22, 700e-6)):
        more = {"message_bytes": size, "library": "An MPI"}
        found.append(Roof(metric="message", value=seconds, unit="s", threads=2, detail=more))
        found.append(Roof(metric="message_exchange", value=1.2 * seconds, unit="s", threads=2, detail=more))
    found += [Roof(metric=f"message_{what}", value=0.1e-6, unit="s", threads=2) for what in ("gap", "overhead")]
    found += [Roof(metric="clock", value=3e9, unit="Hz", threads=threads) for threads in (1, THREADS)]
    found.append(Roof(metric="page_fault", value=0.27e-6, unit="s", detail={"page": "4 KiB"}))
    found.append(Roof(metric="timer", value=21e-9, unit="s"))
    found.append(Roof(metric="aa_noise", value=0.0061, unit="1"))
    return found


def topology_xml(packages: int = 1, cores: int = 2, threads: int = 1) -> str:
    """A topology as lstopo writes it, with the parts that the report must pass over too."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE topology SYSTEM "hwloc2.dtd">',
        '<topology version="2.0">',
        '<object type="Machine" os_index="0">',
    ]
    for package in range(packages):
        lines.append(
            f'<object type="Package" os_index="{package}"><info name="CPUModel" value="Made-up(R)  Processor 8480"/>'
        )
        lines.append(f'<object type="NUMANode" os_index="{package}" local_memory="5461577728"/>')
        lines.append('<object type="L3Cache" cache_size="110100480">')
        for core in range(cores):
            number = package * cores + core
            lines.append('<object type="L2Cache" cache_size="2097152"><object type="L1Cache" cache_size="49152">')
            lines.append(f'<object type="L1iCache" cache_size="32768"><object type="Core" os_index="{number}">')
            numbers = (number + thread * packages * cores for thread in range(threads))
            lines += [f'<object type="PU" os_index="{thread}"/>' for thread in numbers]
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
