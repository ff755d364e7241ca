"""The keys of the studies' files, and the sections of a page that are kept."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from benchmarks.form import page
from benchmarks.studies import study


@pytest.mark.case("solvers.B5.study")
def test_keys_that_nobody_reads_are_named() -> None:
    for name in study.STUDIES:
        assert study.unknown_keys(tomllib.loads((study.HERE / f"{name}.toml").read_text(encoding="utf-8"))) == []
    wrong = {"title": "t", "prepaer": [], "tune": {"options": [], "comand": []}}
    assert study.unknown_keys(wrong) == ["prepaer", "tune.comand"]


def test_sections_of_the_last_page_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "PAGES", tmp_path)
    sections = ("## Tuning", "```text\ntuned\n```\n\n![Tuning](one.png)", "## Scaling", "```text\nscaled\n```")
    text = page("One", "study one", "About it.", *sections, "`$work` is a temporary folder.", on="Here")
    (tmp_path / "one.md").write_text(text, encoding="utf-8")
    assert study.kept("one", "Tuning").strip() == sections[1]
    assert study.kept("one", "Scaling").strip() == sections[3]
    with pytest.raises(SystemExit, match="has no section 'Where its threads run' to keep"):
        study.kept("one", "Where its threads run")


@pytest.mark.parametrize("name", study.STUDIES)
def test_every_section_of_a_committed_page_can_be_kept(name: str) -> None:
    declared = tomllib.loads((study.HERE / f"{name}.toml").read_text(encoding="utf-8"))
    for kind, title in study.KINDS.items():
        if kind in declared:
            assert study.kept(name, title).startswith(f"```sh\n./rooftop {kind} ")
