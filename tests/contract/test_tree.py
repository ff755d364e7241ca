"""House rules that a machine can check: names, sizes of files, links, versions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tree import ROOT, files

import rooftop

LONGEST_FILE_LINES = 400
WRITTEN_BY_HAND = {".py", ".cpp", ".hpp", ".h", ".c", ".cmake", ".md", ".js", ".css", ".html", ".txt", ".conf"}
# Names that say nothing, or that only history understands.
FORBIDDEN = re.compile(r"(utils?|misc|common|helpers?|old|new|opt|final|tmp|v\d+)")
BY_COMMANDS = {Path("docs/results"), Path("docs/guide/course.md")}  # as long as there are results, and labs
HAND_WRITTEN = [path for path in files() if path.suffix in WRITTEN_BY_HAND]


def text_of(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_files_are_short() -> None:
    """One idea fits; more is a reason to split."""
    lines = {
        path.as_posix(): len(text_of(path).splitlines())
        for path in HAND_WRITTEN
        if not BY_COMMANDS & {path, *path.parents}
    }
    assert {path: count for path, count in lines.items() if count > LONGEST_FILE_LINES} == {}


def collected_by(session: pytest.Session) -> set[str]:
    """Return the files in which pytest finds tests where it is asked for none in particular.

    A run of everything has looked already, and looking takes as long as many tests.
    """
    asked, option = session.config, session.config.option
    if set(asked.args) == set(asked.getini("testpaths")) and not (option.keyword or option.markexpr or option.deselect):
        return {item.path.relative_to(ROOT).as_posix() for item in session.items}
    words = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "-p", "no:cacheprovider"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^([\w./-]+\.py): ?[:\d]", listed, re.MULTILINE))


def test_every_test_is_collected(request: pytest.FixtureRequest) -> None:
    """Pytest leaves out folders by their names, such as build, without a word."""
    assert collected_by(request.session) == {
        path.as_posix()
        for path in files()
        if path.name.startswith("test_")
        and path.suffix == ".py"
        and path.parts[0] in ("tests", "experiments", "solvers")
    }


def test_names_say_something() -> None:
    """Folders are nouns of the field, files are named after their idea."""
    words = {path.as_posix(): re.split(r"[-_./]", path.as_posix().lower()) for path in files()}
    assert [path for path, parts in words.items() if any(FORBIDDEN.fullmatch(word) for word in parts)] == []


def test_nothing_is_left_for_later() -> None:
    """Work that is not done is an issue, not a comment."""
    marks = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b")
    assert [path.as_posix() for path in HAND_WRITTEN if marks.search(text_of(path))] == []


def test_links_lead_somewhere() -> None:
    """Relative links name files of the tree; pictures are made from reports and may come later."""
    broken = []
    for path in (path for path in HAND_WRITTEN if path.suffix == ".md"):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(path)):
            elsewhere = "://" in target or target.startswith("docs/pictures/")
            if not elsewhere and not (ROOT / path.parent / target).exists():
                broken.append(f"{path}: {target}")
    assert broken == []


def test_versions_agree() -> None:
    """One version, wherever it must be written down."""
    cmake = re.search(r"project\(rooftop VERSION (\S+)", text_of(Path("CMakeLists.txt")))
    changelog = re.findall(r"^## \[(\d[^]]*)\]", text_of(Path("CHANGELOG.md")), re.MULTILINE)
    assert cmake is not None
    assert cmake[1] == rooftop.__version__ == changelog[0]
    said = {
        path.as_posix(): set(
            re.findall(r"(?:project\(rooftop_\w+ VERSION|find_package\(rooftop) (\d[\d.]*)", text_of(path))
        )
        for path in HAND_WRITTEN
        if path.suffix in (".md", ".txt") and path.parts[0] in ("docs", "solvers")
    }
    allowed = {cmake[1], cmake[1].rpartition(".")[0]}
    assert {path: sorted(versions) for path, versions in said.items() if not versions <= allowed} == {}


def test_changelog_is_short() -> None:
    """The changes of each version take at most 60 lines."""
    for version in re.split(r"^## ", text_of(Path("CHANGELOG.md")), flags=re.MULTILINE)[1:]:
        assert len(version.strip().splitlines()) <= 60, version.splitlines()[0]


def test_driver_asks_for_what_the_flags_allow() -> None:
    """Every feature that a suffix lets the compiler use is asked of the processor before the code is loaded."""
    flags = text_of(Path("cmake/isa_flags.cmake"))
    asked = text_of(Path("native/src/isa.cpp"))
    features = set(re.findall(r"-m((?:avx|fma|bmi|sse|f16c)\w*)", flags))
    assert features
    for feature in features:
        assert f'__builtin_cpu_supports("{feature}")' in asked
