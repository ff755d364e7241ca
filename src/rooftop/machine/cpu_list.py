"""Sets of processors as Linux and hwloc write them."""

from __future__ import annotations

from collections.abc import Iterable

_MOST = 1 << 16  # far above any machine: a slip in a file must not fill the memory


def parse_cpu_list(text: str) -> set[int]:
    """Read "0-3,8,10-14:2" (the last: every second). Raises ValueError naming the text."""
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
    """Write {0, 1, 2, 8} as "0-2,8"."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def parse_bitmap(text: str) -> set[int]:
    """Read hwloc's "0x00000001,0x80000000": words of 32 bits, the highest first. Raises ValueError naming the text."""
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
