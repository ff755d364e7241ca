"""What perf stat writes for other programs to read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.command.perf_counts import Count, counting, read_counts

# perf 6.1 of Debian 12, on a machine without counters: three lines as it wrote them; the others in its format.
NEW = """# started on Mon Nov 30 10:53:16 2026

<not supported>;;cycles:u;0;100.00;;
44;;page-faults:u;823308;100.00;53.443;K/sec
0.85;msec;task-clock:u;850188;100.00;0.110;CPUs utilized
500000000;;fp_arith_inst_retired.256b_packed_double:u;480000000;40.01;;
<not counted>;;fp_arith_inst_retired.scalar_single:u;0;0.00;;
"""
# perf 4.18 of RHEL 8 has no fields of metrics; in some locales percentages have a comma.
OLD = "500;;fp_ret_sse_avx_ops.all:u;480000000;83,36\n<not supported>;;cycles:u;0;100,00\n"
KINDS = "7;;cpu_core/instructions/u;90;100.00;;\n3;;cpu_atom/instructions/u;10;50.00;;\n"


def test_lines_of_new_and_old_versions() -> None:
    assert read_counts(NEW) == {
        "cycles": Count(None, 1.0, "<not supported>"),
        "page-faults": Count(44.0),
        "task-clock": Count(0.85),
        "fp_arith_inst_retired.256b_packed_double": Count(5e8, 40.01 / 100),
        "fp_arith_inst_retired.scalar_single": Count(None, 0.0, "<not counted>"),
    }
    assert read_counts(OLD)["fp_ret_sse_avx_ops.all"] == Count(500.0, 83.36 / 100)
    assert read_counts(OLD)["cycles"].value is None


def test_two_kinds_of_cores_are_added() -> None:
    assert read_counts(KINDS) == {"instructions": Count(10.0, 0.5)}
    idle = KINDS.replace("3;;", "<not counted>;;")
    for text in (idle, "\n".join(reversed(idle.splitlines()))):
        assert read_counts(text)["instructions"].value == 7.0


@given(st.text(alphabet=st.sampled_from("<>not supported;:u/.,0123456789eE+-nif#\n")))
def test_any_text_is_read(text: str) -> None:
    for count in read_counts(text).values():
        assert count.value is None or 0 <= count.value < float("inf")


NAMES = st.from_regex(r"[a-z0-9_.\-]{1,40}", fullmatch=True)
COUNTS = st.one_of(st.integers(0, 1 << 62), st.sampled_from(["<not supported>", "<not counted>"]))


@given(
    st.dictionaries(NAMES, st.tuples(COUNTS, st.floats(0.01, 100.0))),
    st.sampled_from(["{}:u", "{}", "cpu_core/{}/u", "cpu_core/{}:u/", "armv8_pmuv3_0/{}/u"]),
    st.sampled_from(["", ";;", ";1.2;GHz"]),
)
def test_what_is_written_is_read(counts: dict[str, tuple[int | str, float]], shown: str, tail: str) -> None:
    text = "".join(
        f"{count};;{shown.format(name)};99;{percent:.2f}{tail}\n" for name, (count, percent) in counts.items()
    )
    found = read_counts(text)
    assert found.keys() == counts.keys()
    for name, (count, percent) in counts.items():
        assert found[name].value == (float(count) if isinstance(count, int) else None)
        assert found[name].counted == pytest.approx(percent / 100, abs=1e-4)


def test_only_the_users_code_is_counted() -> None:
    words = counting(["./app", "x"], ["a.b", "c"], Path("out"))
    assert words[words.index("-e") + 1] == "a.b:u,c:u"
    assert words[-2:] == ["./app", "x"]
