"""The page of fuzzing: what libFuzzer tells of a run, and what several runs add up to."""

from __future__ import annotations

from pathlib import Path

from fuzzing import Run, counted, rows, seed


def test_inputs_are_what_the_log_counts() -> None:
    assert counted("#5\tDONE\nstat::number_of_executed_units: 1234\nstat::new_units_added: 5\n") == 1234
    assert counted("==7== ERROR: killed") == 0


def test_runs_of_a_fuzzer_add_up() -> None:
    runs = [
        Run("b", 10, 1.0, 3, "crash-1"),
        Run("a", 1_000_000, 61.4, 40, ""),
        Run("b", 2000, 2.2, 5, "", broken=7),
    ]
    assert rows(runs) == ["| `a` | 1 000 000 | 61 | 40 | none |  |", "| `b` | 2 010 | 3 | 5 | 1 | 7 |"]


def test_seeds_are_a_folder_or_the_lines_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "one").write_bytes(b"\xff")
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"n":1}\n{"n":2}\n')
    seed(tmp_path / "work", tmp_path / "corpus")
    seed(tmp_path / "work", cases)
    assert sorted(file.name for file in (tmp_path / "work").iterdir()) == ["case-0", "case-1", "one"]
    assert (tmp_path / "work" / "case-1").read_text() == '{"n":2}'
