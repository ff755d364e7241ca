"""Run the tests of every recorded case and write docs/results/cases.md."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import typer

from benchmarks.form import RESULTS, ROOT, PageOption, table, write_page

CATALOGUE = Path(__file__).parent / "catalogue"
PAGE = RESULTS / "cases.md"
_OWN_NUMBER = re.compile(r"(?P<section>[a-z]+\.[A-Z])(?P<number>\d+)(?:\.(?P<sibling>[a-z0-9_-]+))?")
_KEYS = {"title", "case"}
_CASE_KEYS = {"id", "given", "right", "looked", "ctest"}


@dataclass(frozen=True)
class Case:
    """An input that once failed.

    id      ``commands.A1``, or ``commands.A1.gate`` for a further fault of the same kind, found while mending A1
    given   the input
    right   what is right
    looked  where further faults of the kind were looked for
    ctest   names of C++ tests that show it, beside the Python tests that are marked with it
    """

    id: str
    given: str
    right: str
    looked: str = ""
    ctest: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[str, int, str]:
        """Where it stands in its page. Raises ValueError for an id of another form."""
        found = _OWN_NUMBER.fullmatch(self.id)
        if found is None:
            raise ValueError(f"case {self.id!r}: expected an id such as commands.A1 or commands.A1.gate")
        return found["section"], int(found["number"]), found["sibling"] or ""

    @property
    def number(self) -> str:
        """Its id without the name of its page."""
        return self.id.split(".", 1)[1]

    @property
    def is_sibling(self) -> bool:
        """Whether it was found while another was mended."""
        return bool(self.place[2])


@dataclass(frozen=True)
class Section:
    """One file of the catalogue: its name (``commands.A``), its title and its cases, siblings after their case."""

    name: str
    title: str
    cases: tuple[Case, ...]


@dataclass
class Outcomes:
    """The tests of one case and how each ended."""

    tests: dict[str, str] = field(default_factory=dict)

    @property
    def outcome(self) -> str:
        """The worst of them; ``no test`` where there is none."""
        found = set(self.tests.values())
        return next((one for one in ("failed", "skipped", "passed") if one in found), "no test")


def read_section(file: Path) -> Section:
    """Read one file of the catalogue. Raises ValueError with what is wrong in it."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    if unknown := content.keys() - _KEYS:
        raise ValueError(f"{file.name}: unknown keys {sorted(unknown)}; expected {sorted(_KEYS)}")
    cases = []
    for row in content["case"]:
        if unknown := row.keys() - _CASE_KEYS:
            raise ValueError(f"{file.name}: unknown keys {sorted(unknown)}; expected {sorted(_CASE_KEYS)}")
        names = row.get("ctest", [])
        cases.append(Case(**row | {"ctest": (names,) if isinstance(names, str) else tuple(names)}))
    name = file.stem.replace("-", ".")
    for case in cases:
        if case.place[0] != name:
            raise ValueError(f"{file.name}: {case.id} belongs into another file")
    return Section(name, content["title"], tuple(sorted(cases, key=lambda case: case.place)))


def read_catalogue(folder: Path = CATALOGUE) -> list[Section]:
    """Read all sections. Raises ValueError for an id that stands twice."""
    sections = [read_section(file) for file in sorted(folder.glob("*.toml"))]
    ids = [case.id for section in sections for case in section.cases]
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise ValueError(f"cases {sorted(twice)} stand twice")
    return sections


def _ended(test: Element) -> str:
    if test.find("skipped") is not None:
        return "skipped"
    return "passed" if test.find("failure") is None and test.find("error") is None else "failed"


def marked_outcomes(file: Path) -> dict[str, Outcomes]:
    """Return the outcomes of pytest's tests by the cases that they are marked with."""
    found: dict[str, Outcomes] = {}
    for test in ElementTree.parse(file).iter("testcase"):
        for one in test.iter("property"):
            if one.get("name") == "case":
                outcomes = found.setdefault(one.get("value", ""), Outcomes())
                outcomes.tests[f"{test.get('classname')}::{test.get('name')}"] = _ended(test)
    return found


def ctest_outcomes(file: Path) -> dict[str, str]:
    """Return the outcome of every test in ctest's JUnit file by its name."""
    return {test.get("name", ""): _ended(test) for test in ElementTree.parse(file).iter("testcase")}


def join(sections: Iterable[Section], marked: Mapping[str, Outcomes], native: Mapping[str, str]) -> dict[str, Outcomes]:
    """Return the tests of each case. Raises ValueError where a test is marked with a case that is not recorded."""
    cases = {case.id: case for section in sections for case in section.cases}
    if unknown := marked.keys() - cases.keys():
        raise ValueError(f"tests are marked with cases {sorted(unknown)}, which no file of the catalogue has")
    joined = {}
    for name, case in cases.items():
        tests = dict(marked.get(name, Outcomes()).tests)
        tests |= {one: native.get(one, "failed") for one in case.ctest}
        joined[name] = Outcomes(tests)
    return joined


def _cell(text: str) -> str:
    return " ".join(text.split())


def _shown(outcomes: Outcomes) -> str:
    """Name the tests of a case, those with parameters once."""
    names = dict.fromkeys(re.sub(r"\[.*", "", name) for name in outcomes.tests)
    return "<br>".join(f"`{name}`" for name in names) or "–"


def parts(sections: Sequence[Section], joined: Mapping[str, Outcomes]) -> list[str]:
    """Return what stands on the page."""
    cases = [case for section in sections for case in section.cases]

    def counts(what: str, among: Sequence[Case]) -> tuple[str, int, int]:
        return what, len(among), sum(joined[case.id].outcome == "passed" for case in among)

    shown = [
        "A case with a name after its number is a further fault of the same kind, found while the first one was fixed.",
        table(
            ["", "cases", "pass"],
            [
                counts("reported", [case for case in cases if not case.is_sibling]),
                counts("found while fixing them", [case for case in cases if case.is_sibling]),
            ],
        ),
    ]
    for section in sections:
        rows = [
            (case.number, _cell(case.given), _cell(case.right), _shown(joined[case.id]), joined[case.id].outcome)
            for case in section.cases
        ]
        shown += [f"## {section.name}: {section.title}", table(["case", "given", "right", "tests", "outcome"], rows)]
        if looked := [f"- {case.number}: {_cell(case.looked)}" for case in section.cases if case.looked]:
            shown += ["Further faults of the kind were looked for:", "\n".join(looked)]
    return shown


def run_tests(sections: Iterable[Section], folder: Path) -> dict[str, Outcomes]:
    """Run the marked tests and the named C++ tests of the release build, and return how they ended."""
    python, native = folder / "pytest.xml", folder / "ctest.xml"
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "-m", "case", f"--junitxml={python}"]
    subprocess.run([*pytest, "-o", "junit_family=xunit1"], cwd=ROOT, check=False)
    sections = list(sections)
    names = [name for section in sections for case in section.cases for name in case.ctest]
    ended: dict[str, str] = {}
    if names:
        pattern = "|".join(f"^{re.escape(name)}$" for name in dict.fromkeys(names))
        ctest = ["ctest", "--preset", "release", "-R", pattern, "--output-junit", str(native)]
        environment = os.environ | {"PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}
        subprocess.run(ctest, cwd=ROOT, env=environment, check=False, stdout=subprocess.DEVNULL)
        ended = ctest_outcomes(native)
    return join(sections, marked_outcomes(python), ended)


def read_reports(sections: Iterable[Section], folder: Path) -> dict[str, Outcomes]:
    """Return how the tests ended that a test run has left reports of: pytest.xml and release.xml. Raises OSError."""
    return join(sections, marked_outcomes(folder / "pytest.xml"), ctest_outcomes(folder / "release.xml"))


def main(
    reports: Annotated[Path | None, typer.Option(help="Reports of a test run to read, such as build/results.")] = None,
    to: PageOption = PAGE,
) -> int:
    """Write the page. Exit code 1 unless every case has a test and passes."""
    sections = read_catalogue()
    if reports is not None:
        joined = read_reports(sections, reports)
    else:
        with tempfile.TemporaryDirectory() as folder:
            joined = run_tests(sections, Path(folder))
    on = "Inputs of users that were answered wrongly, the right answer, and the tests that check it"
    write_page(to, "Inputs that once failed", "cases", *parts(sections, joined), on=on)
    short = {name: one.outcome for name, one in joined.items() if one.outcome != "passed"}
    for name, outcome in short.items():
        print(f"{name}: {outcome}")
    print(f"{len(joined) - len(short)} of {len(joined)} cases pass: {to}")
    return 1 if short else 0
