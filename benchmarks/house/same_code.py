"""Whether two builds of a rung have the same instructions."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

_INSTRUCTION = re.compile(r"\s*[0-9a-f]+:\s*(.*)")
_ADDRESS = re.compile(r"\b[0-9a-f]{3,}\b(?: <([^>+]*)[^>]*>)?")
_TO_DATA = re.compile(r"0x[0-9a-f]+\(%rip\)")
_FILLING = ("nop", "data16", "cs nop", "xchg %ax,%ax")  # between functions, by their addresses


def instructions(module: Path) -> Iterator[str]:
    """Yield a module's instructions without what depends on where they lie. Raises CalledProcessError."""
    words = ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", str(module)]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        if (found := _INSTRUCTION.match(line)) and (text := found[1]) and not text.startswith(_FILLING):
            text = _ADDRESS.sub(lambda address: address[1] or "", _TO_DATA.sub("data", text))
            yield text.partition("#")[0].strip()


def compare_rungs(before: Path, after: Path, experiment: str) -> dict[str, bool | None]:
    """Return for each rung of an experiment whether two trees' release builds of it are alike; None: it is new."""
    rungs = f"build/release/experiments/{experiment}/rungs"
    found: dict[str, bool | None] = {}
    for module in sorted((after / rungs).glob("*.so")):
        earlier = before / rungs / module.name
        same = list(instructions(earlier)) == list(instructions(module)) if earlier.is_file() else None
        found[module.stem] = same
    return found
