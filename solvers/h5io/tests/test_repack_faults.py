"""``rooftop h5 repack`` fails: one line, exit code 2, an unchanged file, and no other file left behind."""

from __future__ import annotations

import fcntl
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.cli.app import main
from rooftop.errors import MISUSE, NotBuilt
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file with one large and several small datasets."""
    noise = np.random.default_rng(1).integers(0, 1 << 30, (500, 400), dtype="<i4")
    with h5py.File(tmp_path / "run.h5", "w") as file:
        file.create_dataset("x", data=noise, chunks=(50, 400), compression="gzip", compression_opts=1)
        file.create_dataset("checked", data=noise[:40], chunks=(10, 400), fletcher32=True)
        file["group/plain"] = np.arange(10)
        file["texts"] = ["a", "b"]
        file["external"] = h5py.ExternalLink("other.h5", "/x")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = [1]
    return tmp_path / "run.h5"


def refused(capsys: pytest.CaptureFixture[str], path: Path, *words: object, there: bool = True) -> str:
    """Return the error line, after checking that nothing has changed."""
    before = path.read_bytes() if there else b""
    names = sorted(one.name for one in path.parent.iterdir())
    code = main(["h5", "repack", str(path), *map(str, words)])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (MISUSE, "", 1), err
    assert (path.read_bytes() if there else b"") == before
    assert sorted(one.name for one in path.parent.iterdir()) == names
    return err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "neither --chunks nor --filter is given"),
        (["--chunks", "5x"], "--chunks is '5x', expected elements in each dimension such as 512x256, or none"),
        (["--chunks", "0x5"], "--chunks is '0x5'"),
        (
            ["--filter", "zip"],
            "--filter is 'zip', expected none, or filters such as shuffle+deflate:4, of deflate, shuffle",
        ),
        (["--filter", "shuffle:3"], "--filter is 'shuffle:3'"),
        (["--filter", "deflate:12"], "expected a level of deflate from 0 to 9"),
        (["--filter", "deflate:1+deflate:2"], "expected each filter once"),
        (["--filter", "deflate", "--chunks", "none"], "filters work on chunks"),
        (["--filter", "none", "--memory", "much"], "--memory is 'much', expected a size"),
        (
            ["--filter", "none", "--dataset", "y"],
            "no dataset y, expected one of: checked, group/plain, texts, x",
        ),
        (["--filter", "none", "--dataset", "group"], "group is a group, expected a dataset"),
        (["--filter", "none", "--dataset", "external"], "dataset external is in another file"),
        (["--filter", "deflate", "--dataset", "texts"], "dataset texts has values of variable length"),
        (["--chunks", "5", "--dataset", "x"], "dataset x has 2 dimensions, the chunks 5 1"),
        (
            ["--chunks", "501x10", "--dataset", "x"],
            "dataset x has a maximum shape of 500x400, smaller than the chunks 501x10",
        ),
        (["--chunks", "50x400", "--dataset", "x"], "nothing would change: x has this layout already"),
        (["--filter", "deflate:1", "--dataset", "x"], "nothing would change: x has this layout already"),
        (
            ["--chunks", "1x1x1"],
            "change: 2 datasets, such as checked: each has 2 dimensions, the chunks 1x1x1 3; texts ",
        ),
        (["--filter", "none", "--out", "/no/such/folder/x.h5"], "there is no folder /no/such/folder"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], path: Path, words: list[str], says: str) -> None:
    assert says in refused(capsys, path, *words)


def test_files_that_are_none(capsys: pytest.CaptureFixture[str], path: Path, tmp_path: Path) -> None:
    words = ["--filter", "none"]
    assert "No such file" in refused(capsys, tmp_path / "no.h5", *words, there=False)
    assert "is no regular file" in refused(capsys, tmp_path, *words, there=False)
    text = tmp_path / "text.h5"
    text.write_text("no HDF5 at all\n" * 100, encoding="utf-8")
    assert "text.h5: cannot be read as HDF5: file signature not found" in refused(capsys, text, *words)
    text.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert "text.h5: cannot be read as HDF5: truncated file" in refused(capsys, text, *words)
    text.write_bytes(b"")
    assert "text.h5: cannot be read as HDF5" in refused(capsys, text, *words)


def test_a_file_without_datasets(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with h5py.File(tmp_path / "empty.h5", "w") as file:
        file.create_group("group")
    assert "has no datasets" in refused(capsys, tmp_path / "empty.h5", "--filter", "none")


@pytest.mark.parametrize("size", [10000, 500])
def test_a_file_that_is_cut_short_within_its_values(capsys: pytest.CaptureFixture[str], path: Path, size: int) -> None:
    with h5py.File(path) as file:
        offset = file["x"].id.get_chunk_info(7).byte_offset
    old = path.read_bytes()
    path.write_bytes(old[: offset + size])
    assert "truncated" in refused(capsys, path, "--dataset", "x", "--chunks", "10x10")


@pytest.mark.parametrize(("name", "says"), [("x", "x"), ("checked", "checked")])
@pytest.mark.parametrize("small", [0, 1 << 60], ids=["by h5io", "by the library"])
def test_chunks_that_are_damaged(
    capsys: pytest.CaptureFixture[str], path: Path, monkeypatch: pytest.MonkeyPatch, name: str, says: str, small: int
) -> None:
    monkeypatch.setattr("rooftop.solvers.h5io.repack.ways.SMALL_BYTES", small)
    with h5py.File(path) as file:
        info = file[name].id.get_chunk_info(2)
    with path.open("r+b") as raw:
        raw.seek(info.byte_offset + info.size // 2)
        raw.write(b"\0" * 40)
    said = refused(capsys, path, "--dataset", name, "--chunks", "20x20")
    assert f"{path} is unchanged: dataset {says} cannot be " in said


def test_a_file_that_is_being_written(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    with h5py.File(path, "r+"):
        assert "is open for writing in another program" in refused(capsys, path, "--filter", "none")
    with path.open("rb") as reader:  # which does not matter
        fcntl.flock(reader, fcntl.LOCK_SH)
        assert main(["h5", "repack", str(path), "--filter", "none"]) == 0


def test_a_file_that_is_changed_meanwhile(
    capsys: pytest.CaptureFixture[str], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rooftop.solvers.h5io.repack import run

    def changing(new: Path) -> None:
        os.utime(path, ns=(0, 0))

    monkeypatch.setattr(run, "bring_to_disk", changing)
    assert "was changed by another program during the rewrite" in refused(capsys, path, "--filter", "none")


def test_a_filter_that_is_missing(
    capsys: pytest.CaptureFixture[str], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = h5py.h5z.filter_avail
    monkeypatch.setattr(
        "rooftop.solvers.h5io.repack.plan.h5z.filter_avail", lambda number: number < 100 and known(number)
    )
    says = "uses filter 32015, zstd, which is not installed: 'pip install hdf5plugin'"
    assert says in refused(capsys, path, "--dataset", "x", "--filter", "zstd")
    monkeypatch.setattr(
        "rooftop.solvers.h5io.repack.plan.h5z.filter_avail", lambda number: number != h5py.h5z.FILTER_DEFLATE
    )
    assert "dataset x uses filter 1, deflate" in refused(capsys, path, "--dataset", "x", "--chunks", "5x5")


def test_chunks_that_are_too_large(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "wide.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", (1 << 20, 1 << 12), "<f8", chunks=(16, 16))
    says = "dataset x would have chunks 1048576x512 of 4294967296 bytes, expected less than 4 GiB"
    assert says in refused(capsys, path, "--chunks", f"{1 << 20}x512")


@pytest.mark.skipif(os.geteuid() == 0, reason="an administrator may write anywhere")
def test_what_may_not_be_read_or_written(capsys: pytest.CaptureFixture[str], path: Path) -> None:
    path.parent.chmod(0o555)
    said = refused(capsys, path, "--filter", "none")
    path.parent.chmod(0o755)
    assert "cannot be written: Permission denied: give --out with a file in a writable folder" in said
    path.chmod(0)
    code = main(["h5", "repack", str(path), "--filter", "none"])
    path.chmod(0o644)
    assert (code, "run.h5: cannot be read: Permission denied" in capsys.readouterr().err) == (MISUSE, True)


def test_a_disk_that_is_too_small(
    capsys: pytest.CaptureFixture[str], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = shutil.disk_usage(path)._replace(free=1000)
    monkeypatch.setattr("rooftop.solvers.h5io.repack.space.shutil.disk_usage", lambda _: few)
    said = refused(capsys, path, "--filter", "none")
    assert "has 1000 B free, and the new file takes" in said


def _run_limited(path: Path, words: list[str], most: int) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-m", "rooftop", "h5", "repack", str(path), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=limit,
    )


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 0.95])
@pytest.mark.parametrize("words", [["--dataset", "x", "--filter", "none"], ["--dataset", "checked", "--chunks", "8x8"]])
def test_a_disk_that_gets_full(path: Path, words: list[str], share: float) -> None:
    """A limit on the size of files makes writes fail as on a full disk."""
    before, names = path.read_bytes(), sorted(one.name for one in path.parent.iterdir())
    done = _run_limited(path, words, int(share * len(before)))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (MISUSE, "", 1), done.stderr
    assert f"{path} is unchanged" in done.stderr
    assert re.search(r"too large|errno = 27", done.stderr)
    assert path.read_bytes() == before
    assert sorted(one.name for one in path.parent.iterdir()) == names


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Return a function that mounts a file system of a given size."""
    made: list[Path] = []

    def mount(size: int) -> Path:
        folder = tmp_path / f"disk{len(made)}"
        folder.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
        if shutil.which("mount") is None or subprocess.run(words, capture_output=True, check=False).returncode != 0:
            pytest.skip("file systems cannot be mounted here")
        made.append(folder)
        return folder

    yield mount
    for one in made:
        subprocess.run(["umount", str(one)], check=True)


def test_a_disk_that_is_full_indeed(path: Path, small_disk: Callable[[int], Path]) -> None:
    folder = small_disk(path.stat().st_size + (200 << 10))
    copy = Path(shutil.copy(path, folder))
    words: list[Any] = [
        sys.executable,
        "-m",
        "rooftop",
        "h5",
        "repack",
        copy,
        "--dataset",
        "x",
        "--filter",
        "deflate:9",
    ]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr.count("\n")) == (MISUSE, 1), done.stderr
    assert "No space left on device" in done.stderr or "free, and the new file takes" in done.stderr
    assert copy.read_bytes() == path.read_bytes()
    assert [one.name for one in folder.iterdir()] == [copy.name]
