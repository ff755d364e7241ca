"""Stacks of calls, as perf script and py-spy print them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rooftop.observe.stacks import Place, parse_folded, parse_script

SCRIPT = """
my app 10/11   5.000001: 
\tffffffff8152abbd do_sched_yield ([kernel.kallsyms])
\t           ee017 __sched_yield (/usr/lib/libc.so.6)
\t            12c1 operator<< (std::ostream&, a; b) (/opt/my app)
\t            110f main (/opt/my app)

my app 10/10   5.250000: 
\t           1f7da [unknown] (/usr/lib/libgomp.so.1.0.0)
\t           1e2fc [unknown] (/usr/lib/libgomp.so.1.0.0)
\t           1e2ff [unknown] (/usr/lib/libgomp.so.1.0.0)
\t            110f main (/opt/my app)
\t               0 [unknown] ([unknown])
\tfffffffffffffff0 [unknown] ([unknown])

my app 10/11   5.500000: 
"""  # noqa: W291 perf's own lines end so


def test_what_perf_script_prints() -> None:
    found = parse_script(SCRIPT.splitlines())
    assert found.stacks == {
        ("my app", "main", "operator<< (std::ostream&, a: b)", "__sched_yield", "do_sched_yield_[k]"): 1,
        ("my app", "main", "[libgomp.so.1.0.0]", "[libgomp.so.1.0.0]"): 1,
        ("my app",): 1,
    }
    first, second = found.threads[10, 11], found.threads[10, 10]
    assert (first.first_s, first.last_s, first.places.total()) == (5.000001, 5.5, 2)
    assert first.places[Place("__sched_yield", "libc.so.6")] == 1
    assert second.places == {Place("[libgomp.so.1.0.0]", "libgomp.so.1.0.0"): 1}


def test_folded_stacks() -> None:
    text = "main (a.py:1);work (b c.py:2) 3\nmain (a.py:1) 4\n\nnothing\nmain (a.py:1) 1\nx -2\n"
    assert parse_folded(text) == {("main (a.py:1)", "work (b c.py:2)"): 3, ("main (a.py:1)",): 5}


def test_long_names_are_cut() -> None:
    (stack,) = parse_folded("f" * 3000 + " 1")
    assert len(stack[0]) == 120


LINES = st.one_of(
    st.text(max_size=60),
    st.from_regex(r"[a-z ]{1,9} [0-9]{1,12}/[0-9]{1,12} +[0-9]{1,14}\.[0-9]{1,10}: ?", fullmatch=True),
    st.from_regex(r"\t +[0-9a-f]{1,17} [a-z;( ]{1,9} \([/\[a-z ]{1,9}\)", fullmatch=True),
)


@given(st.lists(LINES, max_size=30))
def test_any_lines_are_read_and_no_sample_is_lost(lines: list[str]) -> None:
    found = parse_script(lines)
    assert found.stacks.total() == sum(one.places.total() for one in found.threads.values())
    assert all(one.first_s <= one.last_s for one in found.threads.values())


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert all(samples >= 0 for samples in parse_folded(text).values())
