"""What the loop with most samples waits for, by its instructions: the clock's samples fall on the one that waits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rooftop.observe.instructions import Instruction, Memory

STRIDED, SHARED_LINE, CHAIN = "strided access", "modified line", "dependent chain"

_HOT = 0.2  # of the samples of the function
_BEFORE = 4  # instructions before the one that waits: what it waits for is among them
_STRIDE_BYTES = 128  # two lines: nothing of the next access is there
_SCALAR = re.compile(r"^v?(add|sub|mul|div|fn?m(add|sub)\d+)s[sd]$")
_MOVES = re.compile(r"^v?mov")
_COMPARES = re.compile(r"^(cmp|test|v?u?comis|bt$)")


def _loop_around(code: Sequence[Instruction], place: int) -> tuple[int, int] | None:
    """Return the smallest loop with an instruction: the places of its first and its last one."""
    found = []
    at = {one.address: index for index, one in enumerate(code)}
    for last in range(place, len(code)):
        first = at.get(code[last].target) if code[last].target is not None else None  # type: ignore[arg-type]
        if first is not None and first <= place:
            found.append((first, last))
    return min(found, key=lambda one: one[1] - one[0], default=None)


def _writes(one: Instruction) -> str | None:
    """Return the register that an instruction writes."""
    if not one.operands or one.name.startswith(("j", "call")) or _COMPARES.match(one.name):
        return None
    return one.operands[-1] if one.operands[-1].startswith("%") else None


def _same(one: str | None, other: str | None) -> bool:
    """Return whether two names are parts of one register: %rcx and %ecx."""
    if one is None or other is None:
        return False
    return re.sub(r"^%[er]?(\w+?)d?$", r"\1", one) == re.sub(r"^%[er]?(\w+?)d?$", r"\1", other)


def _steps(loop: Sequence[Instruction], register: str | None, scale: int = 1) -> list[int | None]:
    """Return the bytes by which each of a loop's instructions moves a register; None: by what is not known."""
    found: list[int | None] = []
    for one in loop:
        if not _same(_writes(one), register):
            continue
        if one.name in ("add", "addq", "sub", "subq") and one.operands[0].startswith("$"):
            try:
                found.append(int(one.operands[0][1:], 16) * scale)
            except ValueError:
                found.append(None)
        elif one.name.startswith("inc"):
            found.append(scale)
        elif one.name in ("add", "addq", "sub", "subq") and one.operands[0].startswith("%"):
            found.append(None)
        else:
            found.append(0)  # computed anew: from the index of the loop, or from another pointer
    return found


def _is_strided(loop: Sequence[Instruction], memory: Memory) -> bool:
    steps = [*_steps(loop, memory.base), *_steps(loop, memory.index, memory.scale)]
    return any(step is None or abs(step) >= _STRIDE_BYTES for step in steps)


def _is_modified(loop: Sequence[Instruction], memory: Memory) -> bool:
    """Return whether the loop reads and writes one operand whose address stays, or is computed, and does not walk."""
    if any(step is None or step for step in _steps(loop, memory.base)):
        return False
    using = [one for one in loop if one.memory == memory]
    writes = [one for one in using if one.operands[-1] == memory.text and not _COMPARES.match(one.name)]
    reads = [one for one in using if one.operands[-1] != memory.text or not _MOVES.match(one.name)]
    return bool(writes and reads)


def _accumulates(loop: Sequence[Instruction], one: Instruction) -> bool:
    """Return whether a scalar operation adds to what it added to in the turn before."""
    if not _SCALAR.match(one.name) or len(one.operands) < 2:
        return False
    into = one.operands[-1]
    legacy = len(one.operands) == 2
    if not legacy and not one.name.startswith("vf") and into not in one.operands[:-1]:
        return False
    return all(_SCALAR.match(other.name) for other in loop if _writes(other) == into)


def waits_for(code: Sequence[Instruction]) -> dict[str, float]:
    """Return what the hot instructions of a function wait for, each with its share of the function's samples."""
    found: dict[str, float] = {}
    for place, hot in enumerate(code):
        if hot.share < _HOT:
            continue
        around = _loop_around(code, place)
        if around is None:
            continue
        first, last = around
        loop = code[first : last + 1]
        before = [loop[(place - first - back) % len(loop)] for back in range(min(_BEFORE + 1, len(loop)))]
        kind = _kind(loop, before)
        if kind is not None:
            found[kind] = found.get(kind, 0.0) + hot.share
    return found


def _kind(loop: Sequence[Instruction], before: Sequence[Instruction]) -> str | None:
    """Return what an instruction of a loop waits for. `before`: itself, then those before it, the nearest first."""
    memory = next((one.memory for one in before if one.memory is not None), None)
    if any(one.locked and one.memory is not None for one in before):
        return SHARED_LINE
    if memory is not None and _is_modified(loop, memory):
        return SHARED_LINE
    if memory is not None and _is_strided(loop, memory):
        return STRIDED
    return CHAIN if any(_accumulates(loop, one) for one in before[:3]) else None
