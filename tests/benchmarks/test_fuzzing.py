"""The page of fuzzing: what libFuzzer tells of a run, and what several runs add up to."""

from __future__ import annotations

from pathlib import Path

from benchmarks.fuzzing.fed_runs import Fed, Record, Run, keep_run, read_record
from benchmarks.fuzzing.fuzzing import PAGE, counted, seed
from benchmarks.fuzzing.fuzzing_page import fuzzers_table, write_fuzzing


def test_inputs_are_what_the_log_counts() -> None:
    assert counted("#5\tDONE\nstat::number_of_executed_units: 1234\nstat::new_units_added: 5\n") == 1234
    assert counted("==7== ERROR: killed") == 0


def run(fuzzer: str, inputs: int, seconds: float, kept: int, finding: str = "", broken: int = 0) -> Run:
    return Run(fuzzer, inputs, seconds, kept, finding, "Processor B", broken)


def test_runs_of_a_fuzzer_add_up() -> None:
    record = Record(processors=["Processor A"])
    record.add(run("b", 10, 1.0, 3, "crash-1"))
    record.add(run("a", 1_000_000, 61.4, 40))
    record.add(run("b", 2000, 2.2, 5, broken=7))
    rows = fuzzers_table(record).splitlines()[2:]
    assert rows == ["| `a` | 1 000 000 | 61 | 40 | none |  |", "| `b` | 2 010 | 3 | 5 | 1 | 7 |"]
    assert record.inputs("b") == 2010
    assert record.inputs("c") == 0
    assert record.processors == ["Processor A", "Processor B"]


def test_seeds_are_a_folder_or_the_lines_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "one").write_bytes(b"\xff")
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"n":1}\n{"n":2}\n')
    seed(tmp_path / "work", tmp_path / "corpus")
    seed(tmp_path / "work", cases)
    assert sorted(file.name for file in (tmp_path / "work").iterdir()) == ["case-0", "case-1", "one"]
    assert (tmp_path / "work" / "case-1").read_text() == '{"n":2}'


def test_a_run_is_added_to_the_record_and_the_page_shows_it(tmp_path: Path) -> None:
    file, page = tmp_path / "fuzzing.json", tmp_path / "fuzzing.md"
    before = Record(fuzzers={"b": Fed(inputs=47_765, seconds=600.0, kept=20, broken=812)})
    file.write_text(before.model_dump_json(), encoding="utf-8")
    keep_run(run("b", 235, 5.0, 21), file)
    keep_run(run("a", 133_427, 2458.2, 5, "1-7.inp"), file)
    write_fuzzing(page, read_record(file))
    text = page.read_text(encoding="utf-8")
    assert "One core each of: Processor B.\n" in text
    assert "| `a` | 133 427 | 2458 | 5 | 1 |  |\n| `b` | 48 000 | 605 | 21 | none | 812 |\n" in text


def test_the_committed_page_shows_the_committed_record() -> None:
    text, record = PAGE.read_text(encoding="utf-8"), read_record()
    assert fuzzers_table(record) in text
    assert f"One core each of: {'; '.join(record.processors)}.\n" in text
