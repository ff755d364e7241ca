"""That labs keep a core busy by what no core shortens: additions of a register, and nowhere a chain of constants."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tree import BUILD, ROOT, labs

LONGEST = 3  # additions of constants to a register in a row; a chain that takes the place of a clock has more
# What adds a constant to a register, and which. x86: add $8,%rax, inc %rax, lea 0x8(%rax),%rax. Arm: add x0, x0, #0x8.
CONSTANT = re.compile(
    r"(?:add|sub)[lq]? +\$[^,]+,(%\w+)$|(?:inc|dec)[lq]? +(%\w+)$|lea[lq]? +-?0x\w+\((%\w+)\),\3$"
    r"|(?:add|sub)\t(\w+), \4, #\w+$"
)
MOVE = re.compile(r"mov[lq]? +%\w+,%\w+$|mov\t\w+, \w+$")
REGISTER = re.compile(r"addq? +(%\w+),(%\w+)$|add\t(\w+), \3, (\w+)$")
BY_HAND = """
long ticks(long cycles) {
  long value = 0;
#pragma GCC unroll 8
  for (; cycles > 0; --cycles) {
    %s;
    asm volatile("" : "+r"(value));
  }
  return value;
}
"""
BY_THE_HEADER = """
#include <rooftop/delay.hpp>
std::int64_t ticks(std::int64_t value, std::int64_t cycles) { return rooftop::Delay().after(value, cycles); }
"""

needs_tools = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("objdump", "c++")), reason="a compiler or binutils are missing"
)


def instructions(file: Path) -> list[str]:
    """Return the instructions of an object, without addresses."""
    words = ["objdump", "--disassemble", "--no-show-raw-insn", "--section=.text", str(file)]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    lines = (line.partition(":\t") for line in listed.splitlines())
    return [re.sub(r"\s*(?:#|//).*", "", what).strip() for _, tab, what in lines if tab]


def longest_chain(listed: list[str]) -> int:
    """Return how many constants are added to one register in a row; moves between them do not count."""
    longest = length = 0
    last = ""
    for one in listed:
        if found := CONSTANT.match(one):
            register = next(filter(None, found.groups()))
            length = length + 1 if register == last else 1
            last, longest = register, max(longest, length)
        elif not MOVE.match(one):
            length, last = 0, ""
    return longest


def compiled(folder: Path, source: str, *flags: str) -> list[str]:
    """Return what a source is compiled to."""
    file = folder / "ticks.o"
    words = ["c++", "-std=c++20", *flags, f"-I{ROOT / 'native' / 'include'}", "-x", "c++", "-", "-c", "-o", str(file)]
    subprocess.run(words, input=source, text=True, check=True)
    return instructions(file)


@needs_tools
@pytest.mark.parametrize("step", ["++value", "value += 3", "value -= 5"])
def test_a_chain_of_constants_is_seen(tmp_path: Path, step: str) -> None:
    assert longest_chain(compiled(tmp_path, BY_HAND % step, "-O2")) > LONGEST


@needs_tools
@pytest.mark.parametrize("flags", [("-O1",), ("-O2",), ("-O3",)], ids=" ".join)
def test_a_delay_adds_a_register_sixteen_times_a_round(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """Nothing lies between the sixteen, and what is added was loaded from memory."""
    listed = compiled(tmp_path, BY_THE_HEADER, *flags)
    assert longest_chain(listed) <= 1
    additions = [REGISTER.match(one) for one in listed]
    first = next(i for i in range(len(listed)) if all(additions[i : i + 16]))
    step = {[part for part in one.groups() if part][0 if "%" in one[0] else 1] for one in additions[first:] if one}
    assert len(step) == 1
    register = step.pop()
    assert any(re.match(rf"mov .*\(%rip\),{register}$|ldr\t{register}, \[", one) for one in listed[:first])
    assert sum(map(bool, additions)) == 16 + 8 + 4 + 2 + 1


@needs_tools
@pytest.mark.parametrize("name", [name for name in labs() if (ROOT / "experiments" / name / "lab.cpp").is_file()])
def test_no_lab_takes_a_chain_of_constants_for_a_clock(name: str) -> None:
    module = BUILD / "experiments" / name / "lab.so"
    if not module.is_file():
        pytest.skip("not built")
    assert longest_chain(instructions(module)) <= LONGEST, "use rooftop/delay.hpp"


@pytest.mark.parametrize("name", labs())
def test_a_lab_of_cycles_takes_the_common_delay(name: str) -> None:
    """A lab in C++ whose cases say for how many cycles a core is busy has them from one header."""
    file = ROOT / "experiments" / name / "lab.cpp"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if re.search(r'"(?:\w+_)?cycles"', text):
        assert "#include <rooftop/delay.hpp>" in text
