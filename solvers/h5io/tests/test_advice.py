"""``rooftop h5 advise``: measurements, output, and that the user's file does not change."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rooftop.cli.app import main
from rooftop.errors import BUSY, INTERRUPTED, MISUSE, Misuse, NotBuilt
from rooftop.machine.lock import machine_alone
from rooftop.measure.case_state import CaseState
from rooftop.probe.surroundings import ThisMachine
from rooftop.settings import Settings
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.advice import run as run_module
from rooftop.solvers.h5io.advice.access import KINDS, access_named
from rooftop.solvers.h5io.advice.crew import Crew, CrewFailed, CrewPass
from rooftop.solvers.h5io.advice.document import AdviceDocument
from rooftop.solvers.h5io.advice.pass_over import Pass
from rooftop.terminal.progress import Progress

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)


def test_ways_of_reading() -> None:
    assert access_named("strided:3").reads((4, 10), 1) == [(slice(0, 4), slice(0, 10, 3))]
    assert len(access_named("rows").reads((7, 3), 1)) == 7
    assert len(access_named("columns").reads((7, 1000), 1)) == 64
    assert access_named("random:5").reads((7, 9), 1) == access_named("random:5").reads((7, 9), 1)
    assert access_named("random:5").reads((7, 9), 1) != access_named("random:5").reads((7, 9), 2)
    for wrong in ("row", "strided", "strided:0", "random:x", "rows:2"):
        with pytest.raises(Misuse, match=f"--access is '{wrong}', expected one of {', '.join(KINDS)}"):
            access_named(wrong)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "user.h5"
    with h5io.OutputFile(path) as output:
        x = output.dataset("run/x", (300, 200), "<f4", chunks=(1, 200), filters=("shuffle", "deflate:4"))
        x[...] = np.arange(60000).reshape(300, 200) % 500
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["h5", "advise", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("access", ["all", "rows", "columns", "strided:4", "random:20"])
def test_layouts_are_measured_and_the_file_stays(capsys: pytest.CaptureFixture[str], file: Path, access: str) -> None:
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    code, out, err = run(capsys, file, "--access", access, "--budget", "200ms", "--json", "--threads", 2)
    assert (code, err) == (0, "")
    document = AdviceDocument.model_validate_json(out)
    assert (document.dataset, document.layout) == ("run/x", "1x200, shuffle, deflate")
    measured = [one for one in document.proposals if one.measured is not None]
    assert len(measured) >= 3
    assert all(one.measured is None or one.measured.pairs >= 6 for one in measured)
    assert any(one.filters for one in measured)  # it is compressed now, and may have to stay so
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before
    assert [path.name for path in file.parent.iterdir()] == ["user.h5"]


def test_the_table_names_what_was_measured_and_how_to_rewrite(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    code, out, _ = run(capsys, file, "--access", "columns", "--budget", "300ms", "--cold")
    assert code == 0
    assert "now: 1x200, shuffle, deflate" in out
    assert "reads of columns" in out


def test_it_measures_beside_no_campaign_and_tells_doubts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    monkeypatch.setattr(ThisMachine, "conditions", lambda _: {"load": [999.0, 999.0, 999.0]})
    code, out, _ = run(capsys, file, "--budget", "100ms")
    assert code == 0
    assert "doubt: The machine was busy with something else: load average 999" in out
    with machine_alone(Settings().locks, print):
        mistaken = run(capsys, file, "--dataset", "run/y")
        code, out, err = run(capsys, file, "--budget", "100ms")
    assert mistaken[0] == MISUSE, "a mistake is told without waiting for the machine"
    assert (code, out) == (BUSY, "")
    assert "another campaign is running" in err


def interrupt_at(doing: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt this process when `times` progress messages have begun with `doing`."""
    begun: list[str] = []
    progressed = Progress.progressed

    def count(watcher: Progress, case: CaseState, told: str) -> None:
        progressed(watcher, case, told)
        begun.extend([told] if told.startswith(doing) else [])
        if len(begun) == times:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "progressed", count)


@pytest.mark.parametrize(("doing", "times"), [("measuring filters", 1), ("block", 3), ("block", 8)])
def test_an_interrupted_campaign_is_gone_on_with(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    doing: str,
    times: int,
) -> None:
    words = ("--access", "columns", "--budget", "2s", "--threads", 1, "--ranks", "1,2", "--json")
    with monkeypatch.context() as patch:
        interrupt_at(doing, times, patch)
        code, out, err = run(capsys, file, *words)
    before = AdviceDocument.model_validate_json(out)
    assert (code, before.interrupted) == (INTERRUPTED, True)
    assert "'rooftop h5 advise --resume' goes on" in err
    assert [path.name for path in file.parent.iterdir()] == ["user.h5"]
    assert (before.rates is None) == (doing == "measuring filters")
    code, _, err = run(capsys, "--resume", "--access", "rows")
    assert (code, "was started with --access 'columns', but 'rows' is given now" in " ".join(err.split())) == (
        MISUSE,
        True,
    )
    with monkeypatch.context() as patch:
        if before.rates is not None:  # rates are kept, and so are the choices made by them
            patch.setattr(run_module, "survey", lambda *_: pytest.fail("measured the rates again"))
        code, out, err = run(capsys, "--resume", "--json")
    assert (code, "resuming 'h5 advise'" in err) == (0, True)
    after = AdviceDocument.model_validate_json(out)
    assert (after.campaign, after.interrupted) == (before.campaign, False)
    assert before.rates in (None, after.rates)
    measured = [
        *(one.measured for one in after.proposals[:4]),
        *(one.measured for one in after.by_ranks),
        *(one.measured for one in after.unchanged),
    ]
    assert len(measured) >= 6
    assert [one for one in measured if one is None or one.pairs < 6] == []
    assert after.floor is not None
    page = tmp_path / "page.html"
    assert main(["report", after.campaign, "--out", str(page)]) == 0
    capsys.readouterr()
    told = page.read_text(encoding="utf-8")
    assert "Layouts of run/x" in told
    assert all(one.layout in told for one in after.proposals)


def test_a_reader_that_fails_ends_its_own_comparison_only(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("h5py")
    opened = Crew.open

    def fail(*_: object) -> float:
        raise CrewFailed("the file is torn")

    def open_failing(crew: Crew, passes: Sequence[Pass]) -> CrewPass:
        found = opened(crew, passes)
        return CrewPass(fail, found.cache_bytes, found.close) if passes[0].by == "h5py" else found

    monkeypatch.setattr(Crew, "open", open_failing)
    words = (file, "--budget", "100ms", "--threads", 1)
    code, out, _ = run(capsys, *words, "--json")
    document = AdviceDocument.model_validate_json(out)
    assert code == 0
    assert [(one.by, one.measured, one.reason) for one in document.unchanged] == [("h5io", None, "the file is torn")]
    assert sum(one.measured is not None for one in document.proposals) >= 3
    _, out, _ = run(capsys, *words)
    assert "with this file as it is, h5io was not measured: the file is torn" in out


def test_a_folder_without_room_is_named(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = shutil.disk_usage(file.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: found._replace(free=1_000_000))
    code, out, err = run(capsys, file)
    assert (code, out, err.count("\n")) == (MISUSE, "", 1)
    assert "has 977 KiB left, expected 1.14 MiB for trial files: give another folder with --scratch" in err


def test_a_file_that_changed_is_not_gone_on_with(
    capsys: pytest.CaptureFixture[str], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupt_at("block", 2, patch)
        run(capsys, file, "--budget", "100ms")
    with h5io.OutputFile(file, change=True) as output:
        output["run/x"][...] = np.ones((300, 200), "<f4")
    code, _, err = run(capsys, file, "--resume")
    assert (code, "user.h5 changed since it was measured" in err) == (MISUSE, True)


def test_the_document_tells_the_rates(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    code, out, _ = run(capsys, file, "--access", "rows", "--budget", "100ms", "--json", "--cold", "--threads", 2)
    assert code == 0
    document = AdviceDocument.model_validate_json(out)
    assert document.rates is not None
    assert () in [tuple(one.filters) for one in document.rates.filters]
    assert set(document.rates.read_bytes_s) >= {1}
    # Files in memory cannot be dropped from the page cache, which a remark says.
    assert (document.rates.device is not None) == (document.dropped_by is not None)
    assert (document.dropped_by is None) == any(one.startswith("--cold has no effect") for one in document.remarks)
    assert document.rates.device is None or set(document.rates.device.chunks.together_bytes_s) == {1, 2}


def test_other_numbers_of_ranks_are_measured(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    words = (file, "--access", "columns", "--budget", "300ms", "--threads", 2, "--ranks", "1,2,3")
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0
    document = AdviceDocument.model_validate_json(out)
    assert document.ranks == [1, 2, 3]
    assert {(one.ranks, one.threads) for one in document.by_ranks} == {(2, 1), (3, 1)}
    for ranks in (2, 3):
        layouts = [one.layout for one in document.by_ranks if one.ranks == ranks]
        assert layouts[0] is None  # the file as it is
        assert len(set(layouts)) == len(layouts) >= 2
    assert all(one.predicted > 0 and one.measured is not None for one in document.by_ranks)
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "now: 1" in out
    assert "\nranks: " in out


def test_h5py_is_measured_with_the_file_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    path = tmp_path / "wide.h5"
    with h5io.OutputFile(path) as output:
        # A row needs more chunks than h5py's default chunk cache holds.
        x = output.dataset("x", (4, 700_000), "<f8", chunks=(4, 350_000), filters=("shuffle", "deflate:1"))
        x[...] = np.arange(4)[:, None]
    words = (path, "--access", "rows", "--budget", "100ms")
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0
    found = AdviceDocument.model_validate_json(out).unchanged
    assert [(one.by, one.cache_bytes) for one in found] == [("h5io", None), ("h5py", 32 << 20)]
    assert all(one.measured is not None and one.measured.against == "h5py" and one.predicted for one in found)
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "with this file as it is, h5io reads" in out
    assert "h5py.File(…, rdcc_nbytes=33554432, rdcc_nslots=201)" in out


def test_a_part_of_a_large_dataset_stands_for_it(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    code, out, _ = run(capsys, file, "--access", "rows", "--budget", "100ms", "--sample", "64KiB", "--json")
    assert code == 0
    document = json.loads(out)
    assert document["sample"] == [81, 200]
    assert document["remarks"] == ["measured on the first 81x200 elements: --sample is smaller than the dataset"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--dataset", "run/y"], "dataset run/y cannot be opened"),
        (["--access", "diagonal"], "--access is 'diagonal', expected one of all, rows"),
        (["--sample", "much"], "--sample is 'much', expected a size such as 512M or 2GiB"),
        (["--scratch", "/no/such"], "--scratch is /no/such, expected a folder"),
        (["--ranks", "1,x"], "--ranks has 'x', expected whole numbers from 1"),
        (["--ranks", "1,200"], "--ranks has 200, expected at most 64"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], file: Path, words: list[str], says: str) -> None:
    code, out, err = run(capsys, file, *words)
    assert (code, out) == (MISUSE, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="an administrator may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.parent.chmod(0o555)
    code, _, err = run(capsys, file)
    file.parent.chmod(0o755)
    assert code == MISUSE
    assert "give a writable folder with --scratch" in err


def test_a_file_of_many_datasets_needs_a_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with h5io.OutputFile(tmp_path / "two.h5") as output:
        for name in ("a", "b"):
            output.dataset(name, (3,), "<f4")[...] = 1
    code, _, err = run(capsys, tmp_path / "two.h5")
    assert code == MISUSE
    assert "has 2 datasets, expected --dataset with one of them: a, b" in err
    code, _, err = run(capsys, tmp_path / "none.h5")
    assert (code, "No such file" in err) == (MISUSE, True)


@pytest.mark.case("solvers.H9.advise")
def test_what_was_never_written_gets_no_advice(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "any.h5"
    with h5py.File(path, "w") as made:
        made.create_dataset("x", (1000, 208), "<f4", chunks=(10, 208))
        layout = h5py.VirtualLayout((1000, 208), "<f4")
        layout[...] = h5py.VirtualSource(made.create_dataset("y", data=np.ones((1000, 208), "<f4")))
        made.create_virtual_dataset("virtual", layout)
    status, _, errors = run(capsys, path, "--dataset", "x", "--access", "rows", "--budget", "1s")
    assert (status, errors.count("\n")) == (MISUSE, 1)
    assert "dataset x has no data yet, expected some: write it first" in errors
    status, output, _ = run(capsys, path, "--dataset", "virtual", "--access", "rows", "--budget", "1s")
    assert status == 0
    assert "instead of 0 B" not in output
