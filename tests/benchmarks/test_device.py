"""The probe of file systems against fio: jobs alike, and recorded output read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.device.device import JOBS, lines, medians, told, words
from rooftop.documents import Roof

FILE = Path("/data/fio")


def job(metric: str, level: str) -> list[str]:
    """Return the command line of a job on a file of 128 MiB by two threads."""
    found = next(one for one in JOBS if (one.metric, one.level) == (metric, level))
    return words(found, FILE, 128 << 20, 2)


def test_each_thread_has_a_part_of_the_file() -> None:
    line = job("file_read", "device")
    assert {"--size=67108864", "--offset_increment=67108864", "--numjobs=2", "--rw=read"} <= set(line)
    assert "--direct=1" not in line
    assert "--size=33554432" in job("file_write", "page cache")


def test_every_figure_of_the_probe_has_its_job() -> None:
    ways = [("file_read", "page cache"), ("file_read", "device"), ("file_read_direct", "device")]
    random = [(metric.replace("file_", "file_random_"), level) for metric, level in ways]
    writes = [(metric.replace("read", "write"), level) for metric, level in ways]
    assert [(one.metric, one.level) for one in JOBS] == ways + random + writes
    assert all("--direct=1" in one.options for one in JOBS if one.metric.endswith("_direct"))


@pytest.mark.parametrize(("place", "expected"), [(1, 1e9), (4, 2e4), (6, 5e8)])
def test_fio_tells_its_rate_after_whatever_it_notes(place: int, expected: float) -> None:
    side = {"bw_bytes": 1e9, "iops": 2e4}
    output = "fio: a note\n" + json.dumps({"jobs": [{"read": side, "write": {"bw_bytes": 5e8, "iops": 1.0}}]})
    assert told(output, JOBS[place]) == expected


def test_the_ratio_is_the_median_of_the_rounds() -> None:
    fact = ("file_read", "device", 2)
    rounds = [{fact: (ours, 1e9)} for ours in (0.8e9, 0.95e9, 0.97e9, 0.99e9, 1.0e9, 1.02e9, 1.3e9)]
    (line,) = lines(rounds)
    assert line.met
    assert line.what == "read, cache dropped, 2 threads"
    assert line.reached.startswith("0.99 [0.80, 1.30], 7 pairs: 990\u202fMB/s, fio 1.00\u202fGB/s")
    assert not lines([{fact: (0.5e9, 1e9)}] * 6)[0].met


def test_a_run_of_the_probe_counts_by_its_median_look() -> None:
    roofs = [Roof(metric="file_read", value=value, unit="byte/s", level="device") for value in (1.0, 5.0, 2.0)]
    assert medians(roofs) == {("file_read", "device", 1): 2.0}
