"""Man pages of all commands, as man and mandoc read them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.cli.app import main
from rooftop.cli.man_pages import ManPage, text_of, troff

needs_mandoc = pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
COMMANDS = (
    "climb",
    "compare",
    "diagnose",
    "doctor",
    "gate",
    "h5",
    "lab",
    "list",
    "new",
    "pin",
    "probe",
    "scale",
    "tune",
)
BELOW = (
    "h5-advise",
    "h5-repack",
    "solve-conv",
    "solve-elasticity",
    "solve-ft",
    "solve-h5",
    "solve-network",
    "solve-tsp",
)


@pytest.fixture(scope="module", name="folder")
def folder_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages."""
    folder = tmp_path_factory.mktemp("share") / "man1"
    assert main(["--man-pages", str(folder)]) == 0
    return folder


def shown(file: Path) -> str:
    """Return a page as it is read, without bold and in one line."""
    done = subprocess.run(["mandoc", "-Tutf8", "-O", "width=100", file], capture_output=True, text=True, check=True)
    return " ".join(re.sub(".\b", "", done.stdout).split())


def test_there_is_a_page_of_each_command(folder: Path) -> None:
    names = {file.name for file in folder.iterdir()}
    assert {"rooftop.1", *(f"rooftop-{name}.1" for name in COMMANDS + BELOW)} <= names
    assert "rooftop-solve-template.1" not in names  # a hidden one


@needs_mandoc
def test_pages_are_right_troff(folder: Path) -> None:
    done = subprocess.run(
        ["mandoc", "-Tlint", "-Wwarning", *sorted(folder.iterdir())], capture_output=True, text=True, check=False
    )
    assert [line for line in done.stdout.splitlines() if "missing date" not in line] == []


@needs_mandoc
def test_a_page_tells_what_the_command_declares(folder: Path) -> None:
    page = shown(folder / "rooftop-compare.1")
    assert "rooftop-compare - Compare commands in interleaved pairs" in page
    assert "rooftop compare [OPTIONS]" in page
    assert "--max-pairs" in page
    assert "SEE ALSO rooftop(1)" in page
    top = shown(folder / "rooftop.1")
    assert "EXIT STATUS Exit codes: 0 fine" in top
    assert all(f"rooftop-{name}(1)" in top for name in COMMANDS)
    assert "rooftop-solve-tsp(1)" in shown(folder / "rooftop-solve.1")
    assert "ARGUMENTS FILE.tsp" in shown(folder / "rooftop-solve-tsp.1")


def test_a_folder_that_cannot_be_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["--man-pages", str(tmp_path / "file")]) == 2
    assert f"--man-pages: {tmp_path / 'file'} cannot be written" in capsys.readouterr().err


@needs_mandoc
@settings(max_examples=50)
@given(words=st.lists(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1), min_size=1, max_size=4))
def test_any_text_is_shown_as_it_is(words: list[str]) -> None:
    text = " ".join(words)
    assert "\n" not in troff(text)
    page = text_of(ManPage("rooftop x", "", [text], []), "1")
    done = subprocess.run(
        ["mandoc", "-Tutf8", "-O", "width=1000"], input=page, capture_output=True, text=True, check=True
    )
    plain = re.sub(".\b", "", done.stdout)
    assert text in plain.split("DESCRIPTION")[1].replace("‐", "-").replace("−", "-")
