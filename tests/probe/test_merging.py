"""The best look at each fact counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rooftop.documents import Roof
from rooftop.probe.lines import best, fact, is_better
from rooftop.probe.tables import library_shares, peaks_beaten

ROOFS = st.builds(
    Roof,
    metric=st.sampled_from(["read", "latency"]),
    value=st.floats(1e-9, 1e12),
    unit=st.sampled_from(["byte/s", "s"]),
    threads=st.sampled_from([1, 2]),
    level=st.sampled_from(["L1", "memory", None]),
    bytes=st.sampled_from([None, 4096, 8192]),
)


def rate(value: float, **fields: object) -> Roof:
    """Return a bandwidth of memory."""
    return Roof.model_validate({"metric": "read", "value": value, "unit": "byte/s", "level": "memory", **fields})


def test_the_higher_rate_and_the_shorter_time_win() -> None:
    slow, fast = Roof(metric="timer", value=2e-8, unit="s"), Roof(metric="timer", value=1e-8, unit="s")
    assert best([rate(1), slow], [rate(2), fast]) == [rate(2), fast]
    assert best([rate(2), fast], [rate(1), slow]) == [rate(2), fast]


def test_different_facts_stay_apart() -> None:
    pair = [Roof(metric="core_to_core", value=1e-7, unit="s", threads=2, detail={"from": 0, "to": to}) for to in (1, 2)]
    step = [
        Roof(metric="strided_read", value=1e9, unit="byte/s", bytes=size, detail={"stride_bytes": stride})
        for size in (4096, 8192)
        for stride in (8, 16)
    ]
    assert best(pair, step) == pair + step


def test_another_working_set_in_the_same_level_is_the_same_fact() -> None:
    assert best([rate(1, bytes=4096)], [rate(3, bytes=8192)]) == [rate(3, bytes=8192)]


@given(st.lists(ROOFS, max_size=12), st.lists(ROOFS, max_size=12))
def test_no_look_is_better_than_the_best_and_no_fact_is_lost(first: list[Roof], second: list[Roof]) -> None:
    merged = best(first, second)
    by_fact = {fact(roof): roof for roof in merged}
    assert len(by_fact) == len(merged)
    for roof in first + second:
        assert not is_better(roof, by_fact[fact(roof)])
    assert best(merged, second) == merged


def peak(value: float, metric: str = "fma", precision: str = "fp32") -> Roof:
    """Return a compute figure on two threads."""
    detail = {"library": "SomeBLAS"} if metric == "gemm" else {}
    return Roof(metric=metric, value=value, unit="flop/s", threads=2, precision=precision, detail=detail)


def test_a_library_above_the_peak_is_told() -> None:
    lines = peaks_beaten([peak(3e11), peak(1e11), peak(3.1e11, "gemm")])
    assert len(lines) == 1
    assert "SomeBLAS multiplies fp32 matrices" in lines[0]


def test_a_library_below_the_peak_is_not_and_its_share_is_known() -> None:
    roofs = [peak(3e11), peak(1.5e11, "gemm"), peak(1.5e11, "gemm", "fp64")]
    assert peaks_beaten(roofs) == []
    assert [share for _, share in library_shares(roofs)] == [0.5]
