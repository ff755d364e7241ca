"""HDF5 files that were made to do harm: ``rooftop h5`` says one line, and reads and writes no other file."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import psutil
import pytest

from rooftop.cli.app import main
from rooftop.errors import MISUSE, Misuse, NotBuilt
from rooftop.solvers.h5io import apart as apart_module
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.apart import apart
from rooftop.solvers.h5io.library import H5FileError

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

SECRET = "rathersecret"
LAYOUT = ("--chunks", "4", "--filter", "none")


def absurd_shape(file: Any) -> None:
    file.create_dataset("x", (1 << 62,), "u1", chunks=(1 << 20,))[0] = 1


def absurd_contiguous(file: Any) -> None:
    late = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    late.set_alloc_time(h5py.h5d.ALLOC_TIME_LATE)
    h5py.h5d.create(file.id, b"x", h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((1 << 59,)), late)


def absurd_chunk(file: Any) -> None:
    made = file.create_dataset("x", ((1 << 29) - 1,), "f8", chunks=((1 << 29) - 1,), compression="gzip")
    made.id.write_direct_chunk((0,), b"no deflate stream")


def absurd_string(file: Any) -> None:
    kind = h5py.h5t.C_S1.copy()
    kind.set_size((1 << 31) - 1)
    plain = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plain.set_chunk((1,))
    plain.set_deflate(1)
    made = h5py.h5d.create(file.id, b"x", kind, h5py.h5s.create_simple((1,)), plain)
    made.write_direct_chunk((0,), b"no deflate stream")


def unknown_filter(file: Any) -> None:
    layout = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    layout.set_chunk((4,))
    layout.set_filter(31999, h5py.h5z.FLAG_OPTIONAL, (1, 2, 3))
    made = h5py.h5d.create(file.id, b"x", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((8,)), layout)
    made.write_direct_chunk((0,), bytes(16))


def cycle_of_groups(file: Any) -> None:
    group = file.create_group("a/b")
    group["up"], group["self"] = file["a"], group
    file["x"] = np.arange(8)
    file["soft"], file["loop"] = h5py.SoftLink("/loop"), h5py.SoftLink("/soft")


def deep_groups(file: Any) -> None:
    group = file
    for _ in range(1200):
        group = group.create_group("g")
    group["y"] = np.arange(8)


def deep_type(file: Any) -> None:
    kind: np.dtype[Any] = np.dtype("<i4")
    for _ in range(200):
        kind = np.dtype([("a", kind)])
    file.create_dataset("x", (4,), kind)[...] = np.zeros(4, kind)


def external_values(file: Any) -> None:
    secret = str(Path(file.filename).with_name("secret"))
    file.create_dataset("x", (len(SECRET),), "u1", external=[(secret, 0, len(SECRET))])


def values_of_a_pipe(file: Any) -> None:
    pipe = Path(file.filename).with_name("pipe")
    os.mkfifo(pipe)
    file.create_dataset("x", (8,), "u1", external=[(str(pipe), 0, 8)])


def external_link(file: Any) -> None:
    file["x"] = h5py.ExternalLink("/etc/passwd", "/x")
    file["y"] = np.arange(8)


def virtual_of_itself(file: Any) -> None:
    layout = h5py.VirtualLayout((8,), "<i4")
    layout[...] = h5py.VirtualSource(".", "x", (8,))
    file.create_virtual_dataset("x", layout)


def virtual_of_no_hdf5(file: Any) -> None:
    layout = h5py.VirtualLayout((8,), "<i4")
    layout[...] = h5py.VirtualSource("/etc/passwd", "x", (8,))
    file.create_virtual_dataset("x", layout)


FILES: list[Callable[[Any], None]] = [
    absurd_shape,
    absurd_contiguous,
    absurd_chunk,
    absurd_string,
    unknown_filter,
    cycle_of_groups,
    deep_groups,
    deep_type,
    external_values,
    external_link,
    virtual_of_itself,
    virtual_of_no_hdf5,
]
FINE = {absurd_shape, cycle_of_groups, external_link, virtual_of_no_hdf5}  # there is something to read in them


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "secret").write_text(SECRET, encoding="ascii")
    return tmp_path / "files"


def made(folder: Path, fill: Callable[[Any], None]) -> Path:
    with h5py.File(folder / "run.h5", "w") as file:
        fill(file)
    return folder / "run.h5"


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("fill", FILES, ids=lambda fill: fill.__name__)
def test_a_rewrite_ends_with_one_line(
    fill: Callable[[Any], None], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(folder, fill)
    before = path.read_bytes()
    code = main(["h5", "repack", str(path), *LAYOUT])
    said = capsys.readouterr()
    assert code in (0, MISUSE)
    assert (code, said.err.count("\n")) in ((0, 0), (MISUSE, 1)), said.err
    assert code == 0 or path.read_bytes() == before
    assert SECRET not in said.out + said.err
    assert SECRET.encode() not in path.read_bytes()
    assert sorted(one.name for one in folder.iterdir()) == ["run.h5", "secret"]
    assert (folder / "secret").read_text(encoding="ascii") == SECRET


@pytest.mark.usefixtures("scratch")
@pytest.mark.parametrize("fill", [one for one in FILES if one not in FINE], ids=lambda fill: fill.__name__)
def test_advice_ends_with_one_line(
    fill: Callable[[Any], None], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made(folder, fill)
    code = main(["h5", "advise", str(path), "--dataset", "x", "--budget", "1ms"])
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (MISUSE, "", 1), said.err
    assert SECRET not in said.err
    assert sorted(one.name for one in folder.iterdir()) == ["run.h5", "secret"]


@pytest.mark.usefixtures("scratch")
def test_what_is_no_regular_file_is_not_waited_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(folder / "pipe.h5")
    for command in (["advise"], ["repack", *LAYOUT]):
        for name in (folder / "pipe.h5", folder, Path("/dev/zero")):
            assert main(["h5", command[0], str(name), *command[1:]]) == MISUSE
            assert "is no regular file" in capsys.readouterr().err


@pytest.mark.usefixtures("scratch")
def test_a_block_of_the_user_has_no_gigabytes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = made(folder, cycle_of_groups).read_bytes()
    with (folder / "sparse.h5").open("wb") as file:
        file.seek(1 << 33)
        file.write(content)
    assert main(["h5", "repack", str(folder / "sparse.h5"), *LAYOUT]) == MISUSE
    said = capsys.readouterr().err
    assert (said.count("\n"), "has 8 GiB before its HDF5 data" in said) == (1, True), said


@pytest.mark.usefixtures("scratch")
def test_a_file_that_makes_the_library_wait_is_given_up(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart_module, "_LEAST_S", 1.0)
    path = made(folder, values_of_a_pipe)
    assert main(["h5", "advise", str(path), "--budget", "1ms"]) == MISUSE
    assert capsys.readouterr().err.count("\n") == 1


def test_what_is_returned_and_raised_comes_through(tmp_path: Path) -> None:
    heard: list[tuple[str, Any]] = []

    def told(tell: Callable[[str, Any], None]) -> int:
        tell("half", 1)
        tell("half", 2)
        return os.getpid()

    assert apart(tmp_path, told, lambda *one: heard.append(one)) != os.getpid()
    assert heard == [("half", 1), ("half", 2)]
    for kind in (Misuse, H5FileError, ValueError):

        def raised(_: object, kind: type[Exception] = kind) -> None:
            raise kind("it is wrong")

        with pytest.raises(kind, match="it is wrong"):
            apart(tmp_path, raised)


@pytest.mark.parametrize(
    ("ended", "says"),
    [
        (lambda _: os.kill(os.getpid(), signal.SIGSEGV), r"crashed on it \(SIGSEGV\): it is damaged"),
        (lambda _: os.abort(), r"crashed on it \(SIGABRT\): it is damaged"),
        (lambda _: os._exit(3), "ended without an answer"),
        (lambda _: bytearray(1 << 30), "takes more than"),
        (lambda _: time.sleep(60), "did not finish within 0 s"),
        (lambda _: signal.pause(), "did not finish within 0 s"),
    ],
    ids=["segfault", "abort", "exit", "memory", "sleep", "pause"],
)
def test_a_copy_that_ends_otherwise_is_told(
    ended: Callable[[Any], Any], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart_module, "_LEAST_S", 0.4)
    with pytest.raises(H5FileError, match=says):
        apart(tmp_path, ended, room_bytes=100 << 20)


def test_once_it_has_begun_it_takes_as_long_as_it_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0

    def heard(word: str, value: object) -> None:
        nonlocal now_s
        now_s += 200  # of 300 that it may be silent

    def slow(tell: Callable[[str, Any], None]) -> str:
        for word in ("begin", "done", "done", "done"):
            tell(word, 1)
            time.sleep(0.1)  # so that the next word is waited for
        return "all"

    monkeypatch.setattr(apart_module, "time", SimpleNamespace(monotonic=lambda: now_s))
    assert apart(tmp_path, slow, heard, begun="begin") == "all"
    assert now_s > 600


def test_one_that_has_begun_and_goes_on_no_more_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart_module, "_LEAST_S", 0.4)

    def stuck(tell: Callable[[str, Any], None]) -> None:
        tell("begin", None)
        signal.pause()

    with pytest.raises(H5FileError, match="came no further within 0 s"):
        apart(tmp_path, stuck, begun="begin")


_WAITING = """
import os, pathlib, sys, time
from rooftop.interrupts import remembered_interrupts
from rooftop.solvers.h5io.apart import apart
told = pathlib.Path(sys.argv[1])
def waiting(tell):
    told.write_text(str(os.getpid()))
    time.sleep(3)
    told.with_name("went on").touch()
with remembered_interrupts():  # as a command has them
    apart(told, waiting)
"""


def _runs(process: int) -> bool:
    """Whether a process has not ended. An orphan that this process has adopted stays a zombie."""
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_copy_ends_with_its_process(number: int, tmp_path: Path) -> None:
    told = tmp_path / "told"
    words = [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{_WAITING}", str(told)]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        while not (told.exists() and told.read_text(encoding="ascii")):
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(number)
    copy = int(told.read_text(encoding="ascii"))
    while _runs(copy):
        time.sleep(0.01)
    assert not (tmp_path / "went on").exists()


def test_a_copy_that_has_just_begun_ends_with_an_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = ForkProcess.start

    def interrupted(process: ForkProcess) -> None:
        start(process)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(ForkProcess, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        apart(tmp_path, lambda _: time.sleep(60))
    assert multiprocessing.active_children() == []


def test_a_copy_leaves_interrupts_to_its_process(tmp_path: Path) -> None:
    """A terminal sends them to both, and a batch system too: none is taken for a damaged file."""

    def interrupted(_: object) -> str:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.raise_signal(number)
        return "done"

    assert apart(tmp_path, interrupted) == "done"
