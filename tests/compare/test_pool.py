"""Campaigns that are pooled into one verdict: which of them count, what is told of the others, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from still_place import Place, Watching

pytest.importorskip("statsmodels", reason="statsmodels is not installed")

from rooftop.campaign.bench import Bench
from rooftop.compare.allocations import (
    CUT_SHORT,
    OTHER_FILES,
    SHARED_NODE,
    WITHOUT,
    AllocationsDocument,
    Measured,
    allocations_document,
    measured_of,
)
from rooftop.compare.allocations_text import end_with
from rooftop.compare.in_allocations import jobs_of_group, of_group
from rooftop.compare.options import Options
from rooftop.compare.run import Comparing
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.measure.rules import Rules
from rooftop.schedulers.job import new_job, nodes_of_campaigns
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.store.place import place_of

COMMANDS = ("old", "new")
TWO = Options(commands=tuple(((name,), name) for name in COMMANDS), seed=7)


def recorded(run_ns: float, seed: int, **more: Any) -> Recording:
    draws = np.random.default_rng(seed).normal(0, 0.02, 997)
    return Recording((run_ns * np.exp(draws)).tolist(), **more)


def campaign(
    settings: Settings,
    seed: int,
    *,
    options: Options = TWO,
    interrupt_at: str | None = None,
    **more: Mapping[str, Any],
) -> str:
    """Compare commands, each 10 % slower than the one before; return the campaign. `more`: of recordings, by name."""
    names = [words[-1] for words, _ in options.commands]
    recordings, twins = (
        {name: recorded(2e7 * 1.1**place, first + place, **more.get(name, {})) for place, name in enumerate(names)}
        for first in (10 * seed, 1000 + 10 * seed)
    )
    bench = Bench(settings, Place(), Watching(interrupt_at), ReplayExecutor(recordings, twins))
    return Comparing(bench).compare(options).document.campaign


def found_of(settings: Settings, campaigns: list[str]) -> dict[str, Measured]:
    with opened_database(place_of(settings)) as store:
        return measured_of(Bench(settings, Place(), Watching()), store, campaigns)


def pooled(settings: Settings, campaigns: list[str]) -> AllocationsDocument:
    return allocations_document(found_of(settings, campaigns), Rules(), nodes=nodes_of_campaigns(settings.home_folder))


def doubts(document: AllocationsDocument) -> dict[str, str]:
    return {one.name: one.evidence for one in document.doubts}


def exit_code(document: AllocationsDocument) -> int:
    try:
        end_with(document, as_json=True)
    except typer.Exit as end:
        return end.exit_code
    return 0


def test_an_allocation_with_too_few_pairs_does_not_count_and_is_told(settings: Settings) -> None:
    whole = [campaign(settings, seed) for seed in range(2)]
    short = campaign(settings, 2, interrupt_at="block 5")
    document = pooled(settings, [*whole, short])
    (over,) = document.comparisons
    assert [one.campaign for one in over.within] == whole
    assert over.pairs == sum(one.pairs for one in over.within)
    assert over.verdict == "slower"
    assert doubts(document)[WITHOUT] == f"{short}: new against old: 4 pairs, expected at least 6"
    assert doubts(document)[CUT_SHORT] == short
    assert [one.finished for one in document.allocations] == [True, True, False]
    assert exit_code(document) == 0


@pytest.mark.parametrize("how", [{"outcome": "wrong", "reason": "bad sum"}, {"fails_at": 3}])
def test_a_wrong_or_failed_command_ends_it_as_in_one_job(settings: Settings, how: dict[str, Any]) -> None:
    options = replace(TWO, commands=(*TWO.commands, (("third",), "third")))
    made = [campaign(settings, seed, options=options, third=how) for seed in range(3)]
    document = pooled(settings, made)
    assert [(one.subject, one.against) for one in document.comparisons] == [("new", "old")]
    word = how.get("outcome", "failed")
    assert all(one.failed[0].startswith(f"third {word}: ") for one in document.allocations)
    assert f"{made[0]}: third {word}: " in doubts(document)[WITHOUT]
    assert exit_code(document) == 1


def test_nothing_to_compare(settings: Settings) -> None:
    made = [campaign(settings, seed, interrupt_at="block 3") for seed in range(2)]
    assert exit_code(pooled(settings, made)) == 3


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"commands": ((("old",), "old"), (("newer",), "newer"))}, "has the names 'old ::: newer'"),
        ({"commands": ((("old",), "old"), (("other", "new"), "new"))}, "has the commands 'old ::: other new'"),
    ],
)
def test_campaigns_that_compare_something_else_are_refused(
    settings: Settings, other: dict[str, Any], told: str
) -> None:
    made = [campaign(settings, 0), campaign(settings, 1, options=replace(TWO, **other))]
    with pytest.raises(Misuse, match=told):
        found_of(settings, made)


def test_programs_that_differ_between_allocations_are_told(settings: Settings) -> None:
    found = found_of(settings, [campaign(settings, seed) for seed in range(3)])
    same, before, after = found.values()
    files = {Path("/bin/new"): "before", Path("/bin/old"): "same"}
    found = dict(zip(found, (same, before._replace(files=files), after._replace(files=files)), strict=True))
    assert OTHER_FILES not in doubts(allocations_document(found, Rules()))
    found[after.document.campaign] = after._replace(files=files | {Path("/bin/new"): "after"})
    assert doubts(allocations_document(found, Rules()))[OTHER_FILES] == "/bin/new"


def collected_from(settings: Settings, campaigns: list[str], node: str) -> None:
    """Make a job that has brought campaigns."""
    job = new_job(settings.home_folder, "slurm", "compare", [], "compare")
    (job.folder / "started").write_text(f"1 {node}\n", encoding="ascii")
    job.keep(native="1", collected="now", campaigns=campaigns)


def test_campaigns_by_name_have_the_nodes_of_their_jobs(settings: Settings) -> None:
    first, second, third = (campaign(settings, seed) for seed in range(3))
    collected_from(settings, [first], "n1")
    collected_from(settings, [first], "n2")  # where it was gone on with
    collected_from(settings, [second], "n2")
    document = pooled(settings, [first, second, third])
    assert [one.node for one in document.allocations] == ["n1 and n2", "n2", None]
    assert doubts(document)[SHARED_NODE] == "2 on n2"


def test_a_job_of_a_group_that_never_came_to_its_scheduler_is_not_waited_for(settings: Settings) -> None:
    bench = Bench(settings, Place(), Watching())
    for seed in range(2):
        job = new_job(settings.home_folder, "slurm", "compare", [], "compare", group="g")
        campaign(replace(settings, home=job.home), seed)
        (job.folder / "exit").write_text("0\n", encoding="ascii")
    lost = new_job(settings.home_folder, "slurm", "compare", [], "compare", group="g")
    with pytest.raises(Misuse, match=f"of 3 allocations 1 have not ended: {lost.record.id} is not submitted"):
        of_group(bench, jobs_of_group(settings.home_folder, "g"))
    lost.keep(submitted=(datetime.now(UTC) - timedelta(hours=1)).isoformat(timespec="seconds"))
    document = of_group(bench, jobs_of_group(settings.home_folder, "g"))
    assert len(document.comparisons[0].within) == 2
    assert doubts(document)[WITHOUT] == f"{lost.record.id} was never submitted"
    assert document.reproduce == "rooftop pool g"
