"""The page's table of parallel regions, and what it shows of many threads, of documents that a test makes up."""

from __future__ import annotations

from typing import Any

import pytest

from rooftop.diagnose.document import DiagnoseDocument
from rooftop.diagnose.facts import Facts, ThreadFacts
from rooftop.diagnose.page import parts
from rooftop.diagnose.region_facts import OpenMpFacts, OpenMpRegion
from rooftop.report.figure_page import Table


def document(**more: Any) -> DiagnoseDocument:
    usual: dict[str, Any] = {
        "elapsed_s": 10.0,
        "cpus": 2,
        "levels": [0.0, 1.0, 9.0],
        "user_s": 19.0,
        "system_s": 0.0,
        "faults": 1,
        "threads": [],
    }
    return DiagnoseDocument(rooftop="0", started="now", command=["app"], status=0, facts=Facts(**{**usual, **more}))


def tables(one: DiagnoseDocument) -> dict[str, Table]:
    return {part.title: part for part in parts(one) if isinstance(part, Table)}


def texts(table: Table) -> list[list[str]]:
    return [[cell.text.replace("\u202f", " ") for cell in row] for row in table.rows]


def region(site: str, seconds: float, **more: Any) -> OpenMpRegion:
    usual: dict[str, Any] = {"site": site, "calls": 1200, "threads": 2.0, "seconds": seconds}
    return OpenMpRegion(**{**usual, "most_s": seconds - 0.5, "mean_s": seconds - 1.5, **more})


def test_the_longest_region_comes_first() -> None:
    told = OpenMpFacts.of(
        10.0,
        [
            region("short (a.c:7)", 2.0, tasks=True, lock_s=0.25),
            region("long (a.c:9)", 6.0, schedule="dynamic", chunk=4, barriers=3.0, barrier_s=0.5),
        ],
    )
    table = tables(document(openmp_regions=told))["OpenMP regions"]
    long, short = texts(table)
    assert long == ["long (a.c:9)", "1,200", "2.00", "6.00 s", "4.00 s", "1.50 s", "500 ms", "0 s", "dynamic, 4"]
    assert short[5:] == ["not known", "not known", "250 ms", "tasks"]
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert table.note.replace("\u202f", " ") == "Of a run of 10.0 s, 8.00 s of it in parallel regions."


def test_regions_that_are_not_listed_are_told() -> None:
    told = OpenMpFacts.of(10.0, [region(f"f{place}", 0.4, most_s=0.4, mean_s=0.4) for place in range(24)])
    table = tables(document(openmp_regions=told))["OpenMP regions"]
    assert len(table.rows) == 20
    assert "1.60 s are in regions that are not listed" in table.note.replace("\u202f", " ")


@pytest.mark.parametrize("told", [None, OpenMpFacts.of(10.0, [])])
def test_no_regions_have_no_table(told: OpenMpFacts | None) -> None:
    assert "OpenMP regions" not in tables(document(openmp_regions=told))


def thread(number: int, run_s: float) -> ThreadFacts:
    return ThreadFacts(
        name=f"rank {number}", process=number, seen_s=10, run_s=run_s, wait_s=0, system_s=0, faults=0, switches=0
    )


def test_of_many_threads_the_busiest_are_listed_in_their_order() -> None:
    threads = [thread(number, 0.1 if number % 7 == 0 else 1.0 + number % 3) for number in range(70)]
    table = tables(document(threads=threads))["Threads"]
    names = [row[0] for row in texts(table)]
    assert (len(names), names[0], table.note[:10]) == (64, "rank 0", "6 threads ")
    assert names == sorted(names, key=lambda name: int(name.split()[1]))
    assert {"rank 1", "rank 69"} <= set(names)


def test_of_many_levels_those_that_take_time_are_listed() -> None:
    few, many = document(levels=[0.0, 10.0]), document(levels=[0.05, 5.0, *[0.05] * 19, 4.0])
    assert [row[0] for row in texts(tables(few)["Busy threads at once"])] == ["0", "1"]
    table = tables(many)["Busy threads at once"]
    assert [row[0] for row in texts(table)] == ["1", "21"]
    assert table.note.replace("\u202f", " ") == "Others take 1.00 s together."
