"""The page of simulations: the source cases by the model, as asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.simulate import part_replay
from benchmarks.simulate.part_model import BEST_MIX, mixes, part
from benchmarks.simulate.simulate import main, modules
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


def test_the_page_has_all_sections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dragonfly = {name: shape for name, shape in part_replay.NETWORKS.items() if name.startswith("dragonfly")}
    monkeypatch.setattr(part_replay, "NETWORKS", dragonfly)
    monkeypatch.setattr(part_replay, "SIZES", (4096,))
    monkeypatch.setattr(part_replay, "_cost_rows", list)
    page = tmp_path / "simulate.md"
    main(to=page)
    text = page.read_text(encoding="utf-8")
    assert all(f"## {module.TITLE}" in text for module in modules())
    assert missing() is not None or "dragonfly 4x2x4x2" in text
    main(only=["model"], to=page)
    assert "## By the model alone" in page.read_text(encoding="utf-8")
