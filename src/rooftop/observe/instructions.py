"""The instructions of a function with their shares of its samples, as perf annotate prints them (x86-64, AT&T)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_LINE = re.compile(r"^\s*(?P<percent>\d+\.\d+)\s*:\s+(?P<address>[0-9a-f]+):\s+(?P<text>\S.*?)\s*$")
_MEMORY = re.compile(r"(?P<offset>-?0x[0-9a-f]+)?\((?P<base>%\w+)?(?:,(?P<index>%\w+),(?P<scale>[1248]))?\)")
_PREFIXES = frozenset({"lock", "rep", "repz", "repnz", "notrack", "bnd", "cs", "ds", "data16"})
_BETWEEN = re.compile(r",(?![^(]*\))")


@dataclass(frozen=True)
class Memory:
    """An operand in memory: registers and scale of its address. `text`: as written."""

    text: str
    base: str | None
    index: str | None
    scale: int


@dataclass(frozen=True)
class Instruction:
    """One instruction. `share`: of the samples of its function."""

    share: float
    address: int
    text: str

    @cached_property
    def words(self) -> list[str]:
        """The text without prefixes: mnemonic, operands."""
        words = self.text.partition("#")[0].split(None, 1)
        while len(words) > 1 and words[0] in _PREFIXES:
            words = words[1].split(None, 1)
        return words

    @property
    def locked(self) -> bool:
        """Whether it is atomic."""
        return self.text.startswith("lock") or self.name.startswith("xchg")

    @property
    def name(self) -> str:
        """The mnemonic."""
        return self.words[0] if self.words else ""

    @cached_property
    def operands(self) -> list[str]:
        """The operands, the destination last."""
        return [one.strip() for one in _BETWEEN.split(self.words[1])] if len(self.words) > 1 else []

    @cached_property
    def memory(self) -> Memory | None:
        """The operand in memory that it reads or writes; None without one."""
        if self.name.startswith(("lea", "nop", "prefetch", "j", "call")):
            return None
        for one in self.operands:
            if found := _MEMORY.search(one):
                if found["base"] == "%rip":
                    return None
                return Memory(one, found["base"], found["index"], int(found["scale"] or 1))
        return None

    @property
    def target(self) -> int | None:
        """The address that it jumps to; None if it does not jump within its function."""
        if not self.name.startswith("j") or not self.operands:
            return None
        try:
            return int(self.operands[0].split()[0], 16)
        except (IndexError, ValueError):
            return None


def parse_annotation(text: str) -> list[Instruction]:
    """Parse what perf annotate prints. Lines of source, and any other, are left out."""
    found = [_LINE.match(line) for line in text.splitlines()]
    return [
        Instruction(float(one["percent"]) / 100, int(one["address"], 16), one["text"])
        for one in found
        if one is not None
    ]
