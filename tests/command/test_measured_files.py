"""Which files a campaign's samples belong to, and when one of them counts as changed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.command.measured_files import MeasuredFiles
from rooftop.files.contents import GONE, contents_of


def written(file: Path, text: str) -> Path:
    """Write a file as an editor does: another takes its place."""
    beside = file.with_name(f"{file.name}~")
    beside.write_text(text, encoding="utf-8")
    beside.replace(file)
    return file


class Bench:
    """Commands that write files, and a store."""

    def __init__(self, kept: dict[Path, str] | None = None) -> None:
        self.store: dict[Path, str] = dict(kept or {})
        self.time_s = 0.0
        self.files = MeasuredFiles(kept, self._keep, lambda: self.time_s)
        self.count = 0

    def _keep(self, files: object) -> None:
        for file, contents in dict(files).items():  # type: ignore[call-overload]
            if contents is None:
                del self.store[file]
            else:
                assert file not in self.store
                self.store[file] = contents

    def run(self, name: str, files: Iterable[Path], writes: Iterable[Path] = (), seen: Iterable[Path] = ()) -> None:
        before = self.files.begin(name, lambda: list(files))
        for file in writes:
            self.count += 1
            written(file, f"{name} {self.count}")
        if before is not None:
            self.files.end(name, before, seen)
        self.time_s += 2
        self.files.glance(name)


@pytest.fixture(name="program")
def program_fixture(tmp_path: Path) -> Path:
    return written(tmp_path / "program", "program")


@pytest.mark.case("commands.G2")
def test_a_program_that_is_replaced_is_changed(program: Path) -> None:
    bench = Bench()
    for _ in range(3):
        bench.run("a", [program])
    assert bench.store == {program: contents_of(program)}
    assert not bench.files.changed
    written(program, "another")
    bench.files.look()
    assert list(bench.files.changed) == [program]


@pytest.mark.case("commands.G2")
def test_one_that_is_put_back_was_changed_all_the_same(program: Path) -> None:
    bench = Bench()
    for _ in range(2):
        bench.run("a", [program])
    written(program, "another")
    bench.run("a", [program])
    written(program, "program")
    bench.run("a", [program])
    assert list(bench.files.changed) == [program]


@pytest.mark.case("commands.G2")
def test_one_that_is_gone_is_changed_and_one_that_was_written_anew_is_not(program: Path) -> None:
    bench = Bench()
    for _ in range(2):
        bench.run("a", [program])
    written(program, "program")
    bench.files.look()
    assert not bench.files.changed
    program.unlink()
    bench.files.look()
    assert list(bench.files.changed) == [program]


@pytest.mark.case("commands.G2.own-work")
def test_what_the_runs_write_themselves_is_no_change(program: Path, tmp_path: Path) -> None:
    out = written(tmp_path / "out", "of an earlier campaign")
    bench = Bench()
    for _ in range(4):
        bench.run("a", [program, out], writes=[out])
    assert set(bench.store) == {program}
    assert not bench.files.changed
    again = Bench(bench.store)
    for _ in range(4):
        again.run("a", [program, out], writes=[out])
    assert set(again.store) == {program}
    assert not again.files.changed


@pytest.mark.case("commands.G2.own-work")
def test_what_another_command_writes_is_no_change_either(program: Path, tmp_path: Path) -> None:
    out = written(tmp_path / "out", "")
    bench = Bench()
    for _ in range(3):
        bench.run("reader", [program, out])
        bench.run("writer", [program, out], writes=[out])
    assert set(bench.store) == {program}
    assert not bench.files.changed


@pytest.mark.case("commands.G2.own-work")
def test_what_is_seen_in_the_first_run_may_be_its_own_work(program: Path, tmp_path: Path) -> None:
    """The clock of a file system may lag: what the run wrote then looks older than the run."""
    out = tmp_path / "out"
    bench = Bench()
    for _ in range(4):
        bench.run("a", [program], writes=[out], seen=[out])
    assert set(bench.store) == {program}
    assert not bench.files.changed


@pytest.mark.case("commands.G2.own-work")
def test_a_program_that_each_run_builds_is_its_own_work(tmp_path: Path) -> None:
    built = tmp_path / "built"
    bench = Bench()
    for _ in range(3):
        bench.run("a", [built] if built.exists() else [], writes=[built])
    assert bench.store == {}


def test_what_is_edited_during_the_first_run_belongs_to_all_that_follow(program: Path) -> None:
    bench = Bench()
    bench.run("a", [program], writes=[program])
    bench.run("a", [program])
    assert bench.store == {program: contents_of(program)}
    assert not bench.files.changed


@pytest.mark.case("commands.G1")
def test_what_an_earlier_session_kept_must_be_as_it_was(program: Path) -> None:
    bench = Bench({program: "of another program"})
    bench.run("a", [program])
    assert list(bench.files.changed) == [program]


def test_nothing_is_kept_before_a_second_run_has_ended(program: Path, tmp_path: Path) -> None:
    library = written(tmp_path / "library.so", "")
    bench = Bench()
    bench.run("a", [program], seen=[library])
    assert bench.store == {}
    bench.run("a", [program])
    assert set(bench.store) == {program, library}


def test_what_was_not_there_must_stay_away(tmp_path: Path) -> None:
    bench = Bench()
    bench.files.meet([tmp_path / "not built"])
    assert bench.store == {tmp_path / "not built": GONE}
    written(tmp_path / "not built", "built")
    bench.files.look()
    assert list(bench.files.changed) == [tmp_path / "not built"]


ACTIONS = st.lists(st.tuples(st.sampled_from("ab"), st.sets(st.sampled_from(["x", "y", "z"]))), min_size=6, max_size=20)


@given(ACTIONS, st.sets(st.sampled_from(["x", "y", "z"])))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_files_that_each_run_writes_are_left_out(
    tmp_path: Path, actions: list[tuple[str, set[str]]], writes: set[str]
) -> None:
    """Whatever is read, and whatever each run writes: only what nobody writes is kept, and it is never changed."""
    files = [written(tmp_path / name, "") for name in ("x", "y", "z")]
    bench = Bench()
    for name, reads in [("a", {"x", "y", "z"}), ("b", set[str]()), *actions, ("a", set[str]())]:
        read = [file for file in files if file.name in reads or file.name in writes]
        bench.run(name, read, writes=[file for file in files if file.name in writes])
    bench.files.look()
    assert not bench.files.changed
    assert not {file.name for file in bench.store} & writes
