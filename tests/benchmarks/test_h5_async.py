"""The benchmark of asynchronous HDF5: shares and rates of recorded samples, its page, and that programs are right."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.h5_async.async_cases import CASES, STEPS, Case, missing
from benchmarks.h5_async.async_page import lines, remarks
from benchmarks.h5_async.async_runs import Busy, Measured
from benchmarks.h5_async.async_samples import Computing, Hidden, Program, Sample, Samples, Surroundings
from rooftop.errors import NotBuilt
from rooftop.solvers.h5io import library


def sample(program: Program, wall_s: float, computing: Computing = "none", *, block: int = 0, **others: Any) -> Sample:
    """Return a sample of 16 steps and 1 GB, of a case whose I/O takes a second."""
    share = 0.0 if computing == "none" else 1.0
    fields: dict[str, Any] = {
        "on": date(2026, 1, 2),
        "case": "deflate",
        "program": program,
        "computing": computing,
        "share": share,
        "block": block,
        "threads": 1,
        "bytes": 10**9,
        "steps": 16,
        "wall_s": wall_s,
        "open_s": 0.0,
        "calls_s": 1.0 if program == "now" else 0.0,
        "waits_s": 0.0 if program == "now" else wall_s - share,
        "close_s": 0.0,
        "sleep_s": share,
        "device_bytes": 0,
    }
    return Sample.model_validate(fields | others)


def block(number: int, overlapped_s: float, computing: Computing = "sleep") -> list[Sample]:
    return [
        sample("now", 1.0, block=number),
        sample("computing", 1.0, computing, block=number),
        sample("now", 2.0, computing, block=number),
        sample("later", overlapped_s, computing, block=number),
    ]


AROUND = Surroundings(dropped="`posix_fadvise` drops the file", skipped=("bitshuffle: no plugin",), stolen=0.137)


def test_the_share_that_is_hidden_is_of_the_shorter_of_both() -> None:
    samples = Samples([one for number in range(7) for one in block(number, 1.1 + 0.01 * number)])
    hidden = samples.hidden("deflate", "later", "sleep")
    assert hidden is not None
    assert hidden.shares == pytest.approx([0.9 - 0.01 * number for number in range(7)])
    assert hidden.median == pytest.approx(0.87)
    assert hidden.met
    bounds = hidden.interval()
    assert bounds is not None
    assert 0.84 <= bounds[0] <= 0.87 <= bounds[1] <= 0.9
    assert samples.hidden("deflate", "later", "busy") is None
    short = Samples([*block(0, 1.5)[:1], sample("computing", 0.5, "sleep"), *block(0, 1.6)[2:]])
    assert short.hidden("deflate", "later", "sleep") == Hidden((pytest.approx(0.8),))  # type: ignore[arg-type]


def test_few_blocks_have_no_interval_and_equal_ones_have_a_point() -> None:
    assert str(Hidden((0.5, 0.7))) == "60%"
    assert str(Hidden((0.5,) * 6)) == "50% [50%, 50%]"


def test_blocks_that_were_cut_off_do_not_count() -> None:
    samples = Samples([*block(0, 1.1), *block(1, 1.5)[:3]])
    hidden = samples.hidden("deflate", "later", "sleep")
    assert hidden is not None
    assert len(hidden.shares) == 1


def test_rates_are_h5bench_s() -> None:
    now, later = sample("now", 2.0, "sleep"), sample("later", 1.25, "sleep")
    assert (now.raw, now.observed, now.rate) == pytest.approx((1e9, 1e9, 5e8))
    assert (later.raw, later.observed, later.rate) == pytest.approx((4e9, 4e9, 8e8))
    elsewhere = sample("unwaited", 1.0, calls_s=0.01, waits_s=0.0, close_s=0.99)
    assert (elsewhere.raw, elsewhere.observed) == pytest.approx((1e11, 1e9))


def test_the_page_has_what_was_asked_and_answers_the_question() -> None:
    samples = Samples(
        [
            *(one for number in range(6) for one in block(number, 1.1)),
            *(one for number in range(6) for one in block(number, 1.4, "busy")),
            sample("later", 1.0),
            sample("unwaited", 1.0, calls_s=0.01, waits_s=0.0, close_s=0.99),
            sample("now", 1.0, case="contiguous, cold", device_bytes=10**9),
        ]
    )
    met, short = lines(samples)
    assert met.row == (
        "| deflate, computing sleeping: I/O time hidden | at least 80% | 90% [90%, 90%], 6 blocks | met |"
    )
    assert short.row.endswith("| 60% [60%, 60%], 6 blocks | missed |")
    text = "\n\n".join(remarks(samples, AROUND))
    assert "Samples of 2026-01-02." in text
    assert "13.7% of the processors' time" in text
    assert "1.00 bytes came from the device" in text
    assert "Left out: bitshuffle: no plugin" in text
    assert "| deflate | none | by the I/O thread, waits as it closes | above 100 GB/s (100×) | 1 GB/s (1×) |" in text
    assert "| deflate | 954 MiB | sleeping | 1000 ms | 1000 ms | 2000 ms, 1000 ms | 1100 ms, 100 ms | 90% [90%" in text
    assert "four buffers" not in text


def test_programs_that_were_measured_beside_have_a_table() -> None:
    others = [sample("further", 1.05, "sleep", block=number) for number in range(6)]
    samples = Samples([*(one for number in range(6) for one in block(number, 1.1)), *others])
    text = "\n\n".join(remarks(samples, AROUND))
    assert "| deflate | the I/O thread, three steps ahead: four buffers | sleeping | 95% [95%, 95%], 6 blocks |" in text


def test_samples_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "samples.jsonl"
    kept = block(0, 1.1)
    file.write_text("".join(one.model_dump_json() + "\n" for one in kept), encoding="utf-8")
    assert Samples.read(file).all == kept
    file.write_text("no sample\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="holds no samples"):
        Samples.read(file)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_program_reads_and_writes_what_it_should(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        library.load()
    except NotBuilt as error:
        pytest.skip(str(error))
    monkeypatch.setattr("benchmarks.h5_async.async_cases.can_drop_caches", lambda: False)
    if (reason := missing(case, tmp_path, scale=1 / 64)) is not None:
        pytest.skip(reason)
    measured = Measured(case, tmp_path, Busy(), seed=1, scale=1 / 64)
    samples = Samples(measured.block() + measured.block())
    for form in ("sleep", "busy"):
        hidden = samples.hidden(case.name, "later", form)
        assert hidden is not None
        assert len(hidden.shares) == 2
    for one in samples.all:
        assert one.steps == STEPS
        assert one.wall_s >= one.calls_s + one.waits_s + one.close_s
        assert (one.bytes, one.threads) == (4 * 1024 * case.rows(1 / 64), case.threads)
