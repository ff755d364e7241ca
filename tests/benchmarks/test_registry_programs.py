"""The benchmark of programs of the registries: its table, what is left out, and its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.diagnose.diagnose_runs import Row, Told
from benchmarks.registry_programs import registry_programs, registry_runs
from benchmarks.registry_programs.registry_programs import asked, rows_table
from benchmarks.registry_programs.registry_runs import Compared, RegistryRow, compared, own_words
from benchmarks.registry_programs.registry_table import RegistryProgram
from benchmarks.registry_programs.registry_table import registry_programs as table
from rooftop.diagnose import cures

PROGRAMS = table()
BY_NAME = {one.name: one for one in PROGRAMS}
LAMMPS = BY_NAME["LAMMPS, atoms in one half"]
BLAS = BY_NAME["OpenBLAS, small solves"]


def test_the_table_has_eight_programs() -> None:
    assert len(BY_NAME) == 8
    assert {one.source for one in PROGRAMS} == {
        file.name for file in RegistryProgram.sources.iterdir() if file.is_file()
    }
    assert {cure for one in PROGRAMS for cure in one.cures} <= set(cures.names())
    assert all(one.findings and one.packages and one.known for one in PROGRAMS)


@pytest.mark.parametrize(
    ("check", "missing"),
    [
        (("true",), None),
        (("$python", "-c", "pass"), None),
        (("false",), "not installed: lammps"),
        (("/no/program",), "[Errno 2] No such file or directory: '/no/program'; install lammps"),
    ],
)
def test_what_is_not_installed_is_left_out(check: tuple[str, ...], missing: str | None) -> None:
    assert LAMMPS.model_copy(update={"check": check, "packages": ("lammps",)}).missing == missing


def test_a_cured_program_gets_arguments_or_variables() -> None:
    assert LAMMPS.words(("deck",), 0.5)[-3:] == ["-var", "scale", "0.5"]
    assert LAMMPS.words(("deck",), 0.5, cured=True)[-5:] == ["scale", "0.5", "-var", "balance", "yes"]
    assert BLAS.variables() == {}
    assert (
        registry_runs.started(BLAS, ("x.py",), 1.0, cured=True) == "env OPENBLAS_NUM_THREADS=1 /usr/bin/python3 x.py 1"
    )


def test_what_a_program_says_itself() -> None:
    said = (
        "Comm    | 1.48       | 2.3926     | 3.3052\nPair 1\nNlocal:        3456.00 ave        6906 max           6 min"
    )
    program = LAMMPS.model_copy(update={"start": ("echo", said, "$program")})
    found = own_words(program, ("deck",), 1.0)
    assert found.startswith("Comm | 1.48 | 2.3926 | 3.3052; Nlocal: 3456.00 ave 6906 max 6 min")
    assert own_words(BLAS, ("x.py",), 1.0) == ""


def test_a_program_and_its_cure_are_compared(tmp_path: Path) -> None:
    found = compared(("true", "false"), tmp_path / "home", "2s")
    assert isinstance(found, str)
    assert "exited with code 1" in found


def rows() -> list[RegistryRow]:
    cured = Told("threads of a BLAS", 1.0, "one-blas-thread", 2.0)
    return [
        RegistryRow(BLAS, Row(BLAS, seconds=2.0, told=(cured,)), Compared(2.0, 1.0, 2.0, 1.9, 2.1)),
        RegistryRow(LAMMPS, Row(LAMMPS, told=(Told("communication", 0.5),)), "compare has no figures", "Nlocal: 1"),
        RegistryRow(LAMMPS, Row(LAMMPS, missing="not installed: lammps")),
    ]


def test_figures_are_counted_over_what_was_judged() -> None:
    first, cured = asked(rows())
    assert (first.asked, first.reached, first.met) == ("1 of 2", "1", True)
    assert (cured.asked, cured.reached, cured.met) == ("1 of 1", "1", True)
    assert [one.met for one in asked([])] == [None, None]


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_name = {one.program.name: one for one in rows()[:2]}
    monkeypatch.setattr(registry_programs, "registry_row", lambda program, *_, **__: by_name[program.name])
    registry_programs.main(only=list(by_name), to=tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| 2.00 | 1.00 | 2× [1.9, 2.1] | threads of a BLAS 1 s (one-blas-thread: 2×) |" in text
    assert "| – | – | compare has no figures | communication 0.5 s | imbalance of ranks | wrong |" in text
    assert "| LAMMPS, atoms in one half | `Nlocal: 1` |" in text
    assert "left out" in rows_table(rows())
