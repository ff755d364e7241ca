"""The page of simulations: the source cases by the model, as asked."""

from __future__ import annotations

from pathlib import Path

from benchmarks.simulate.part_model import BEST_MIX, mixes, part
from benchmarks.simulate.simulate import main, modules


def test_what_was_asked_of_the_model_is_met() -> None:
    rows = part().rows
    assert [one.what for one in rows if one.met is False] == []
    (published,) = [one for one in rows if one.what == "FT, 256 groups, 2048³"]
    assert "748 s published" in published.reached


def test_the_published_mix_is_among_the_best() -> None:
    found = mixes()
    assert [one.over_best for one in found] == sorted(one.over_best for one in found)
    assert BEST_MIX in [(one.ranks, one.threads) for one in found[:4]]


def test_the_page_has_all_sections(tmp_path: Path) -> None:
    page = tmp_path / "simulate.md"
    main(to=page)
    text = page.read_text(encoding="utf-8")
    assert all(f"## {module.TITLE}" in text for module in modules())
    main(only=["model"], to=page)
    assert "## By the model alone" in page.read_text(encoding="utf-8")
