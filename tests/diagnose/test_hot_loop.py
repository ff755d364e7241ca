"""What hot loops wait for, on loops that perf annotated in real programs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.diagnose.hot_loop import CHAIN, SHARED_LINE, STRIDED, waits_for
from rooftop.observe.instructions import parse_annotation

COUNTERS = """
    0.00 :   1370:   mov    0x10(%r12),%r9
    0.63 :   137a:   add    %r8,%rcx
    7.28 :   137d:   lea    (%r9,%rcx,8),%rsi
    6.65 :   1381:   mov    (%rsi),%rcx
   78.16 :   1384:   add    $0x1,%rcx
    6.96 :   1388:   mov    %rcx,(%rsi)
    0.63 :   138b:   cmp    %rdx,%rax
    0.00 :   138e:   jne    137a <main._omp_fn.0+0x6a>
"""
COLUMNS = """
         : 40   matrix(i, j) = 0.5_double * matrix(i, j) + mod(i + j, 16)
    0.75 :   1412:   movsd  (%rsi),%xmm0
   86.75 :   1416:   pxor   %xmm1,%xmm1
    5.25 :   1421:   shr    $0x1c,%ecx
    2.50 :   1437:   movsd  %xmm0,(%rsi)
    2.00 :   143b:   add    %r8,%rsi
    0.00 :   143e:   cmp    %edi,%edx
    0.00 :   1440:   jne    1412 <MAIN__._omp_fn.2+0x92>
"""
SUM = """
    0.19 :   15e0:   movupd (%rsi,%r10,1),%xmm1
    0.19 :   15e6:   mulpd  (%rdx,%r10,1),%xmm1
    0.00 :   15ec:   add    $0x10,%r10
    0.00 :   15f0:   addsd  %xmm1,%xmm0
   48.77 :   15f4:   unpckhpd %xmm1,%xmm1
    0.00 :   15f8:   addsd  %xmm1,%xmm0
   50.66 :   15fc:   cmp    $0x2000,%r10
    0.19 :   1603:   jne    15e0 <main._omp_fn.0+0x240>
"""
TRIAD = """
    1.00 :   1200:   vmovupd (%rsi,%rax,1),%ymm0
   60.00 :   1205:   vfmadd213pd (%rdx,%rax,1),%ymm2,%ymm0
   39.00 :   120b:   vmovupd %ymm0,(%rdi,%rax,1)
    0.00 :   1210:   add    $0x20,%rax
    0.00 :   1214:   cmp    %rax,%rcx
    0.00 :   1217:   jne    1200 <triad+0x40>
"""
ATOMIC = """
    2.00 :   1200:   lock addq $0x1,(%rdi)
   98.00 :   1206:   sub    $0x1,%rax
    0.00 :   120a:   jne    1200 <count+0x10>
"""
FMA_CHAIN = """
    5.00 :   1200:   vmovsd (%rsi,%rax,8),%xmm1
   94.00 :   1205:   vfmadd231sd (%rdx,%rax,8),%xmm1,%xmm0
    0.00 :   120b:   add    $0x1,%rax
    1.00 :   120f:   cmp    %rax,%rcx
    0.00 :   1212:   jne    1200 <dot+0x10>
"""


@pytest.mark.parametrize(
    ("code", "kind"),
    [(COUNTERS, SHARED_LINE), (COLUMNS, STRIDED), (SUM, CHAIN), (ATOMIC, SHARED_LINE), (FMA_CHAIN, CHAIN)],
)
def test_loops_that_wait(code: str, kind: str) -> None:
    found = waits_for(parse_annotation(code))
    assert set(found) == {kind}
    assert 0.7 < found[kind] <= 1


@pytest.mark.parametrize(("step", "kinds"), [("0x40", set()), ("0x80", {STRIDED}), ("0x2000", {STRIDED})])
def test_steps_of_two_lines_are_strides(step: str, kinds: set[str]) -> None:
    assert set(waits_for(parse_annotation(COLUMNS.replace("add    %r8,%rsi", f"add    ${step},%rsi")))) == kinds


def test_a_stream_waits_for_nothing_of_these() -> None:
    assert waits_for(parse_annotation(TRIAD)) == {}


def test_instructions_are_taken_apart() -> None:
    locked = parse_annotation(ATOMIC)[0]
    assert (locked.name, locked.locked, locked.operands) == ("addq", True, ["$0x1", "(%rdi)"])
    memory = parse_annotation(TRIAD)[0].memory
    assert memory is not None
    assert (memory.base, memory.index, memory.scale) == ("%rsi", "%rax", 1)
    assert parse_annotation(COUNTERS)[-1].target == 0x137A


@given(st.text(alphabet=" 0123456789abcdef:.%(),$x\njmpaddov-", max_size=300))
def test_any_text_is_read(text: str) -> None:
    waits_for(parse_annotation(text))


@given(st.lists(st.text(alphabet="abdjlmopqrstvx %(),$0-9", max_size=30), max_size=8))
def test_any_instructions_are_judged(texts: list[str]) -> None:
    lines = [f"   50.00 :   {0x1200 + 4 * place:x}:   {text}" for place, text in enumerate([*texts, "jne 1200 <f>"])]
    waits_for(parse_annotation("\n".join(lines)))
