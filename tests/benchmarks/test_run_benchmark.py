"""A benchmark is found by its folder, and run by its name."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import find, start
from benchmarks.form import ROOT, Asked, asked_table, page

TEMPLATE = ROOT / "benchmarks" / "_template" / "template.py"


def test_every_benchmark_has_a_summary_and_a_folder_with_a_readme() -> None:
    found = find()
    assert {"house", "labs", "tours"} <= set(found)
    assert all(one.summary for one in found.values())
    folders = {ROOT / Path(*one.module.split(".")[:2]) for one in found.values()}
    assert [folder.name for folder in folders if not (folder / "README.md").is_file()] == []


def test_page_of_a_benchmark_is_read_without_importing_it(tmp_path: Path) -> None:
    (tmp_path / "sums").mkdir()
    shutil.copy(TEMPLATE, tmp_path / "sums" / "sums.py")
    (tmp_path / "sums" / "of_no_use.py").write_text("import nothing_of_that_name\n", encoding="utf-8")
    found = find(tmp_path)
    assert list(found) == ["sums"]
    assert (found["sums"].page, found["sums"].module) == ("template.md", "benchmarks.sums.sums")


def test_two_benchmarks_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(TEMPLATE, tmp_path / folder / "sums.py")
    with pytest.raises(ValueError, match=r"benchmarks\.a\.sums and benchmarks\.b\.sums have the same name"):
        find(tmp_path)


def test_unknown_name_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert start(["hous"]) == 2
    assert "there is no benchmark 'hous'; the nearest of " in capsys.readouterr().err


def test_planted_benchmark_is_listed_and_run(tmp_path: Path) -> None:
    """In a copy, so that nothing is edited elsewhere: its folder alone is added."""
    for name in ("__main__.py", "form.py"):
        (tmp_path / "benchmarks").mkdir(exist_ok=True)
        shutil.copy(ROOT / "benchmarks" / name, tmp_path / "benchmarks" / name)
    (tmp_path / "src").symlink_to(ROOT / "src")
    (tmp_path / "benchmarks" / "sums").mkdir()
    shutil.copy(TEMPLATE, tmp_path / "benchmarks" / "sums" / "sums.py")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(tmp_path / "benchmarks"), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert "sums  template.md  How fast Python adds up a list" in run("--list").stdout
    done = run("sums", "--count", "10", "--rounds", "1", "--page", str(tmp_path / "page.md"))
    assert done.returncode == 0, done.stderr
    assert "| time of sum() over time of numpy.sum() | at most 100 |" in (tmp_path / "page.md").read_text("utf-8")
    assert run("sums", "--count", "0").returncode == 2


def test_page_says_what_was_missed() -> None:
    lines = [
        Asked.at_most("time", 2.0, 1.5, "s"),
        Asked.at_most("a | b", 2.0, 3.0, "s"),
        Asked("other", "", "not measured", None),
    ]
    shown = page("Title", "sums --rounds 3", asked_table(lines), "", "About.", on="A machine", date="2026-11-29")
    assert shown == (
        "# Title\n\nWritten by `python benchmarks sums --rounds 3` on 2026-11-29. A machine.\n\n"
        "| what | asked | reached |  |\n|---|---|---|---|\n"
        "| time | at most 2 s | 1.5 s | met |\n"
        "| a \\| b | at most 2 s | 3 s | missed |\n"
        "| other |  | not measured |  |\n\nAbout.\n"
    )
