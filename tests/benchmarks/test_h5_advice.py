"""The benchmark of advice about filters: its order of cases, its rule for undecided ones, and its page."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from benchmarks.h5_advice.advice_cases import DATA, FILTERS, OF, Case, ordered_cases
from benchmarks.h5_advice.advice_page import counted, write_advice
from benchmarks.h5_advice.advice_samples import Sample, Samples
from benchmarks.h5_advice.h5_advice import compare
from rooftop.documents import Comparison, Verdict
from rooftop.errors import NotBuilt
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.advice.document import OfDevice, OfStreams, RatesUsed


def recorded(case: Case, predicted: float, measured: float, lo: float, hi: float) -> Sample:
    verdict: Verdict = "not resolved" if lo <= 1 <= hi else "faster" if measured > 1 else "slower"
    stream = OfStreams(alone_bytes_s=1e9, together_bytes_s={1: 8e8})
    return Sample(
        case=case,
        on=date(2026, 11, 28),
        processor="a processor",
        cores=2,
        build="one",
        dropped_by="posix_fadvise" if case.cold else None,
        predicted=predicted,
        measured=Comparison(against="without", ratio=measured, lo=lo, hi=hi, pairs=12, verdict=verdict, floor=0),
        share=0.3,
        rates=RatesUsed(
            read_bytes_s={1: 5e9},
            call_s=1e-5,
            piece_s=1e-6,
            chunk_s=1e-6,
            filters=[],
            device=OfDevice(pieces=stream, chunks=stream, call_s=1e-4) if case.cold else None,
        ),
    )


def test_the_first_cases_have_everything_equally_often() -> None:
    cases = ordered_cases()
    assert len(set(cases)) == len(cases) == 100
    first = cases[:OF]
    assert set(Counter(one.data for one in first).values()) == {OF // len(DATA)}
    assert set(Counter(one.filters for one in first).values()) == {OF // len(FILTERS)}
    for of in ("data", "filters"):
        assert set(Counter((getattr(one, of), one.cold, one.ranks) for one in first).values()) == {1}


def test_data_are_the_same_each_time() -> None:
    for made in DATA.values():
        values = made()
        assert values.nbytes == 16 << 20
        assert (values[:100] == made()[:100]).all()


def test_the_next_case_takes_the_place_of_an_undecided_one(tmp_path: Path) -> None:
    cases = ordered_cases()
    samples = Samples(tmp_path / "samples.jsonl")
    assert list(samples.remaining(cases)) == cases
    samples.append(recorded(cases[0], 1.2, 1.01, 0.99, 1.03))
    for case in cases[1:OF]:
        samples.append(recorded(case, 0.5, 0.6, 0.5, 0.7))
    again = Samples(tmp_path / "samples.jsonl")
    assert again.all == samples.all
    assert next(again.remaining(cases)) == cases[OF]
    assert not counted(again.all).met
    assert counted(again.all).reached == "19 of 19"
    again.append(recorded(cases[OF], 2.0, 0.6, 0.5, 0.7))
    assert list(again.remaining(cases)) == []
    assert (counted(again.all).reached, counted(again.all).met) == ("19 of 20", True)
    with pytest.raises(SystemExit, match="holds samples of another build, one, expected two"):
        again.check_build("two")


def test_the_page_has_every_case(tmp_path: Path) -> None:
    cases = ordered_cases()
    samples = [recorded(case, 0.5, 0.6, 0.5, 0.7) for case in cases[:17]]
    samples += [recorded(case, 1.5, 0.6, 0.5, 0.7) for case in cases[17:20]]
    samples.append(recorded(cases[20], 1.5, 1.0, 0.9, 1.1))
    write_advice(tmp_path / "page.md", samples)
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| at least 18 of 20 | 17 of 20 | missed |" in page
    assert page.count("| right |") == 17
    assert page.count("| **wrong** |") == 3
    assert "Undecided cases: 1 of the 21 that were measured." in page
    assert "| 1.50x | 1.00x [0.90, 1.10], 12 | undecided |" in page
    assert "one stream of chunks 800" in page


def test_files_that_hold_no_samples_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text('{"case": 1}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="line 1 is no sample"):
        Samples(path)
    path.write_text("cut off", encoding="utf-8")
    assert Samples(path).all == []
    assert path.read_text(encoding="utf-8") == ""


@pytest.mark.parametrize("cold", [False, True])
def test_a_case_is_predicted_and_measured(tmp_path: Path, cold: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        library.load()
    except NotBuilt as error:
        pytest.skip(str(error))
    monkeypatch.setattr("benchmarks.h5_advice.h5_advice.PAIRS_S", 0.1)
    try:
        found = compare(Case(data="sparse mask", filters=("deflate:4",), ranks=2, cold=cold), tmp_path)
    except SystemExit as refusal:
        pytest.skip(str(refusal))
    assert found.predicted > 0
    assert 0 < found.share < 0.1
    assert found.measured.pairs >= 6
    assert (found.rates.device is not None) == cold
