"""The page of simulations: the source cases by the model, as asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.simulate import (
    library_defaults,
    part_agreement,
    part_collectives,
    part_placement,
    part_replay,
    part_team,
)
from benchmarks.simulate.part_model import BEST_MIX, mixes, part
from benchmarks.simulate.simulate import Part, main, modules
from rooftop.simulate.layout import laid_out
from rooftop.simulate.replay import missing


def test_what_was_asked_of_the_model_is_met() -> None:
    rows = part().rows
    assert [one.what for one in rows if one.met is False] == []
    (published,) = [one for one in rows if one.what == "FT, 256 groups, 2048³"]
    assert "748 s published" in published.reached


def test_the_published_mix_is_among_the_best() -> None:
    found = mixes()
    assert [one.over_best for one in found] == sorted(one.over_best for one in found)
    assert BEST_MIX in [(one.ranks, one.threads) for one in found[:4]]


def test_the_page_has_a_section_of_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "simulate.md"
    for module in (part_replay, part_agreement, part_placement):  # their replays take minutes
        monkeypatch.setattr(module, "part", lambda: Part([]))
    monkeypatch.setattr(part_team, "missing", lambda: "nothing is replayed")
    main(to=page)
    text = page.read_text(encoding="utf-8")
    titles = [f"## {module.TITLE}" for module in modules()]
    assert [line for line in text.splitlines() if line.startswith("## ")] == titles
    assert len({module.ORDER for module in modules()}) == len(titles)
    main(only=["model"], to=page)
    assert "## By the model alone" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
def test_model_and_replay_agree_on_the_best_for_short_messages() -> None:
    layout = laid_out(part_collectives.platform({"topology": "crossbar"}), 16, 1, 1)
    for collective, name in (("alltoall", "bruck"), ("allreduce", "recursive_doubling"), ("bcast", "flat")):
        assert part_replay.best(layout, collective, 8) == part_collectives.best(layout, collective, 8)[0] == name


def test_open_mpis_rules_are_those_of_its_source() -> None:
    assert library_defaults.open_mpi("alltoall", 4096, 64) == "linear"
    assert library_defaults.open_mpi("alltoall", 4095, 64) == "linear_sync"
    assert library_defaults.open_mpi("allreduce", 8, 1024) == "nonoverlapping"
    assert library_defaults.open_mpi("bcast", 1 << 20, 1024) == "scatter_allgather"
    assert (library_defaults.mpich("allreduce", 2048), library_defaults.mpich("alltoall", 257)) == (
        "recursive_doubling",
        "pairwise",
    )
    with pytest.raises(LookupError):
        library_defaults.open_mpi("bcast", 8, 128)


def test_chunks_absorb_what_a_static_schedule_waits_for() -> None:
    assert part_team.slowed(dynamic=True) < part_team.slowed(dynamic=False) / 5
    assert part_team.seconds(1000, overlap=False) == pytest.approx(part_team.seconds(0, overlap=False), rel=2e-3)
