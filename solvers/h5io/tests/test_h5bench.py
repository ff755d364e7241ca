"""``rooftop solve h5``: h5bench configurations run on real ranks, and messages for invalid ones."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from solver_command import solver_command

from rooftop.errors import MISUSE, WRONG, Misuse, NotBuilt
from rooftop.solvers.h5io.h5bench.configuration import configured
from rooftop.solvers.h5io.h5bench.document import H5benchDocument
from rooftop.solvers.h5io.h5bench.run import PROGRAM
from rooftop.solvers.h5io.h5bench.workflow import read_workflow
from rooftop.solvers.running.ranks import program_of_ranks

try:
    program_of_ranks("h5io", PROGRAM)
    BUILT = ""
except (Misuse, NotBuilt) as error:
    BUILT = str(error)
built = pytest.mark.skipif(bool(BUILT), reason=BUILT)

PATTERNS = [("CONTIG", "CONTIG"), ("CONTIG", "INTERLEAVED"), ("INTERLEAVED", "CONTIG"), ("INTERLEAVED", "INTERLEAVED")]
NAMES = ["x", "y", "z", "px", "py", "pz", "id_1", "id_2"]


def cfg(folder: Path, **keys: object) -> Path:
    """Write a configuration of KEY=VALUE lines."""
    path = folder / "bench.cfg"
    path.write_text("# a comment\n" + "".join(f"{key}={value}\n" for key, value in keys.items()), encoding="utf-8")
    return path


solve = partial(solver_command, "h5")


def solved(capsys: pytest.CaptureFixture[str], *words: object) -> H5benchDocument:
    """Return the document of a successful run."""
    code, out, err = solve(capsys, *words, "--json")
    assert code == 0, err
    document = H5benchDocument.model_validate_json(out)
    assert all(one.valid for one in document.benchmarks)
    return document


@built
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
@pytest.mark.parametrize(("memory", "file"), PATTERNS)
@pytest.mark.parametrize("dims", [(1,), (7,), (3, 5)])
def test_patterns(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ranks: int, memory: str, file: str, dims: tuple[int, ...]
) -> None:
    """Written files have h5bench's names, and can be read by any number of ranks."""
    if ranks not in (1, 3) and len(dims) == 2:
        pytest.skip("two dimensions are divided as one is")
    keys: dict[str, object] = {"MEM_PATTERN": memory, "FILE_PATTERN": file, "NUM_DIMS": len(dims), "TIMESTEPS": 2}
    keys |= {f"DIM_{d + 1}": one for d, one in enumerate(dims)}
    folder = tmp_path / "data"
    write = solved(capsys, cfg(tmp_path, IO_OPERATION="WRITE", **keys), "--ranks", ranks, "--folder", folder)
    read = solved(
        capsys, cfg(tmp_path, IO_OPERATION="READ", READ_OPTION="FULL", **keys), "--ranks", ranks, "--folder", folder
    )
    for one in (*write.benchmarks, *read.benchmarks):
        assert one.total_bytes == 32 * ranks * np.prod(dims) * 2
        assert one.verified == "formula"
        assert len(one.seconds.raw) == ranks
        assert one.raw_rate_slowest <= one.raw_rate
    assert all(one.by_solver is None for one in write.benchmarks)
    for one in read.benchmarks:  # h5io reads arrays into arrays
        assert len(one.by_solver or ()) == (ranks if memory == file == "CONTIG" else 0)
    with h5py.File(folder / "h5bench.h5") as found:
        group = found["Timestep_1"]
        if file == "INTERLEAVED":
            assert list(group["particles"].dtype.names) == NAMES
            identities = group["particles"]["id_1"]
        else:
            assert sorted(group) == sorted(NAMES)
            identities = group["id_1"][...]
            identities = identities["id_1"] if memory == "INTERLEAVED" else identities
        assert identities.shape == (ranks * dims[0], *dims[1:])
        assert np.array_equal(identities.ravel(), np.arange(identities.size) + 1)


@built
def test_reads_by_h5io_are_told_and_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """h5io also reads arrays of structures of one number, and a wrong number is found."""
    write = cfg(tmp_path, IO_OPERATION="WRITE", DIM_1=100, MEM_PATTERN="INTERLEAVED", FILE_PATTERN="CONTIG")
    solved(capsys, write, "--ranks", 2, "--folder", tmp_path)
    read = cfg(tmp_path, IO_OPERATION="READ", READ_OPTION="FULL", DIM_1=100)
    (one,) = solved(capsys, read, "--ranks", 2, "--folder", tmp_path).benchmarks
    assert one.by_solver is not None
    assert one.by_solver_rate == pytest.approx(one.total_bytes / max(one.by_solver))
    code, out, _ = solve(capsys, read, "--ranks", 2, "--folder", tmp_path)
    assert code == 0
    assert "the same reads by h5io, with opening" in out


@built
@pytest.mark.parametrize("keys", [
    {"NUM_DIMS": 3, "DIM_1": 2, "DIM_2": 3, "DIM_3": 4},
    {"NUM_DIMS": 1, "DIM_1": 100, "COMPRESS": "YES", "CHUNK_DIM_1": 30},
    {"NUM_DIMS": 2, "DIM_1": 8, "DIM_2": 9, "COMPRESS": "YES", "CHUNK_DIM_1": 3, "CHUNK_DIM_2": 9},
    {"DIM_1": 50, "COLLECTIVE_DATA": "YES", "COLLECTIVE_METADATA": "YES"},
    {"DIM_1": 50, "MODE": "ASYNC", "TIMESTEPS": 4, "EMULATED_COMPUTE_TIME_PER_TIMESTEP": "1 ms"},
    {"DIM_1": 50, "MODE": "ASYNC", "TIMESTEPS": 4, "DELAYED_CLOSE_TIMESTEPS": 2, "IO_MEM_LIMIT": "1 M"},
    {"DIM_1": 50, "DELAYED_CLOSE_TIMESTEPS": 2, "TIMESTEPS": 3},
    {"DIM_1": 50, "FILE_PER_PROC": "YES"},
    {"DIM_1": 50, "ALIGN": "YES", "ALIGN_THRESHOLD": "64", "ALIGN_LEN": "4096"},
    {"DIM_1": 100, "FILE_PATTERN": "STRIDED", "STRIDE_SIZE": 7, "BLOCK_SIZE": 3, "BLOCK_CNT": 14},
])  # fmt: skip
def test_other_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path, keys: dict[str, object]) -> None:
    """Three dimensions, compression, collective, asynchronous and strided writes, and a file for each rank."""
    document = solved(capsys, cfg(tmp_path, IO_OPERATION="WRITE", **keys), "--ranks", 2, "--folder", tmp_path / "data")
    read = {key: value for key, value in keys.items() if key not in ("COMPRESS", "CHUNK_DIM_1", "CHUNK_DIM_2")}
    option = "STRIDED" if keys.get("FILE_PATTERN") == "STRIDED" else "FULL"
    again = solved(
        capsys,
        cfg(tmp_path, IO_OPERATION="READ", READ_OPTION=option, **read),
        "--ranks", 2, "--folder", tmp_path / "data",
    )  # fmt: skip
    assert again.benchmarks[0].total_bytes == document.benchmarks[0].total_bytes
    assert again.benchmarks[0].verified == ("second read" if option == "STRIDED" else "formula")


@built
@pytest.mark.parametrize(("keys", "particles"), [
    ({"READ_OPTION": "PARTIAL", "TO_READ_NUM_PARTICLES": 3, "DIM_1": 50}, 2 * 3),
    ({"READ_OPTION": "STRIDED", "FILE_PATTERN": "STRIDED", "STRIDE_SIZE": 5, "BLOCK_SIZE": 2, "BLOCK_CNT": 9,
      "DIM_1": 50}, 2 * 18),
    ({"READ_OPTION": "LDC", "NUM_DIMS": 2, "DIM_1": 20, "DIM_2": 30, "BLOCK_SIZE": 2, "BLOCK_SIZE_2": 3}, 12),
    ({"READ_OPTION": "RDC", "NUM_DIMS": 2, "DIM_1": 20, "DIM_2": 30, "BLOCK_SIZE": 2, "BLOCK_SIZE_2": 3}, 12),
    ({"READ_OPTION": "PRL", "NUM_DIMS": 2, "DIM_1": 20, "DIM_2": 30, "BLOCK_SIZE": 2, "BLOCK_SIZE_2": 3},
     20 * 30 - 16 * 24),
    ({"READ_OPTION": "CS", "NUM_DIMS": 2, "DIM_1": 20, "DIM_2": 30, "BLOCK_SIZE": 2, "BLOCK_SIZE_2": 3,
      "STRIDE_SIZE": 5, "STRIDE_SIZE_2": 4}, 4 * 6),
])  # fmt: skip
@pytest.mark.parametrize("mode", ["SYNC", "ASYNC"])
def test_parts(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    keys: dict[str, object],
    particles: int,
    mode: str,
) -> None:
    """Parts of a missing file, which is written first; no file is left behind."""
    monkeypatch.chdir(tmp_path)
    document = solved(
        capsys, cfg(tmp_path, IO_OPERATION="READ", TIMESTEPS=2, MODE=mode, **keys), "--ranks", 2, "--cold"
    )
    assert document.benchmarks[0].total_bytes == 32 * particles * 2
    assert "written first" in document.remarks[0]
    assert [path.name for path in tmp_path.iterdir()] == ["bench.cfg"]


@built
def test_planted_error_is_seen(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One value of a file is changed: a read of all values names it, and the exit code is 1."""
    solved(capsys, cfg(tmp_path, IO_OPERATION="WRITE", DIM_1=100, TIMESTEPS=2), "--ranks", 2, "--folder", tmp_path)
    with h5py.File(tmp_path / "h5bench.h5", "r+") as file:
        file["Timestep_1/py"][150] = -1
    code, _, err = solve(
        capsys, cfg(tmp_path, IO_OPERATION="READ", READ_OPTION="FULL", DIM_1=100, TIMESTEPS=2),
        "--ranks", 2, "--folder", tmp_path,
    )  # fmt: skip
    assert code == WRONG
    assert "wrong: " in err
    assert "rank 1: Timestep_1: py of particle 50 is -1.000000, expected" in err


@built
def test_files_of_others_are_read_twice(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The values of a file are not known."""
    with h5py.File(tmp_path / "h5bench.h5", "w") as file:
        for step in range(2):
            for name in NAMES:
                dtype = "<i4" if name == "id_1" else "<f4"
                file[f"Timestep_{step}/{name}"] = np.random.default_rng(step).random(90).astype(dtype)
    for mode in ("SYNC", "ASYNC"):
        path = cfg(tmp_path, IO_OPERATION="READ", READ_OPTION="FULL", DIM_1=30, TIMESTEPS=2, MODE=mode)
        document = solved(capsys, path, "--ranks", 3, "--folder", tmp_path)
        assert document.benchmarks[0].verified == "second read"


@built
def test_workflow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """h5bench's JSON: a sequence of benchmarks, ranks from the launcher's options, rows of h5bench's table."""
    monkeypatch.chdir(tmp_path)
    keys = {"MEM_PATTERN": "CONTIG", "FILE_PATTERN": "CONTIG", "NUM_PARTICLES": "16 M", "TIMESTEPS": "2",
            "NUM_DIMS": "1", "DIM_1": "64", "DIM_2": "1", "DIM_3": "1", "MODE": "SYNC", "CSV_FILE": "output.csv",
            "EMULATED_COMPUTE_TIME_PER_TIMESTEP": "1 ms"}  # fmt: skip
    content = {
        "mpi": {"command": "mpirun", "ranks": "4", "configuration": "-np 3 --oversubscribe"},
        "vol": {},
        "file-system": {},
        "directory": "storage",
        "benchmarks": [
            {"benchmark": "write", "file": "test.h5", "configuration": keys},
            {"benchmark": "exerciser", "configuration": {"numdims": "2"}},
            {"benchmark": "read", "file": "test.h5", "configuration": keys | {"READ_OPTION": "FULL"}},
        ],
    }
    (tmp_path / "setup.json").write_text(json.dumps(content), encoding="utf-8")
    document = solved(capsys, "setup.json")
    assert [(one.operation, one.ranks) for one in document.benchmarks] == [("write", 3), ("read", 3)]
    assert document.benchmarks[1].compute_s == pytest.approx(1e-3)
    assert any("exerciser, is left out" in remark for remark in document.remarks)
    rows = (tmp_path / "output.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "metric,value,unit"
    assert rows[1] == "operation,read,"
    code, _, err = solve(capsys, "setup.json")
    assert code == MISUSE
    assert "storage/test.h5 is there already: expected --replace" in err
    solved(capsys, "setup.json", "--replace")


@built
@pytest.mark.parametrize(("broken", "message"), [
    ("text", "h5bench.h5"),
    ("short", "h5bench.h5"),
    ("other", "has no Timestep_0/x"),
    ("small", "dimension 1 of the file has 10 elements"),
])  # fmt: skip
def test_unreadable_files(capsys: pytest.CaptureFixture[str], tmp_path: Path, broken: str, message: str) -> None:
    """One line and exit code 2 from all ranks, without hanging."""
    path = tmp_path / "h5bench.h5"
    if broken == "text":
        path.write_text("no HDF5", encoding="utf-8")
    elif broken == "other":
        with h5py.File(path, "w") as file:
            file["x"] = np.arange(3)
    else:
        dim = 10 if broken == "small" else 4000
        writing = cfg(tmp_path, IO_OPERATION="WRITE", DIM_1=dim // 2)
        solved(capsys, writing, "--ranks", 2, "--folder", tmp_path)
        if broken == "short":
            os.truncate(path, path.stat().st_size // 2)
    code, _, err = solve(
        capsys, cfg(tmp_path, IO_OPERATION="READ", READ_OPTION="FULL", DIM_1=2000), "--ranks", 2, "--folder", tmp_path
    )
    assert code == MISUSE
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("keys", "message"), [
    ({"DIM_1": "many"}, "DIM_1 is 'many': expected a number such as 4194304 or 16 M"),
    ({"DIM_1": 0}, "DIM_1"),
    ({"COLOUR": "red"}, "COLOUR is not a key of h5bench's patterns"),
    ({"TIMESTEPS": 0}, "TIMESTEPS is '0'"),
    ({"IO_OPERATION": "ERASE"}, "IO_OPERATION is 'ERASE'"),
    ({"SUBFILING": "YES"}, "SUBFILING is YES, which requires HDF5 1.14"),
    ({"NUM_DIMS": 3, "FILE_PATTERN": "INTERLEAVED"}, "NUM_DIMS is 3"),
    ({"FILE_PATTERN": "STRIDED", "DIM_1": 8, "STRIDE_SIZE": 4, "BLOCK_SIZE": 1, "BLOCK_CNT": 3}, "at element 9"),
    ({"FILE_PATTERN": "STRIDED", "DIM_1": 8, "STRIDE_SIZE": 1, "BLOCK_SIZE": 2, "BLOCK_CNT": 3}, "STRIDE_SIZE is 1"),
    ({"READ_OPTION": "LDC"}, "expected NUM_DIMS=2"),
    ({"READ_OPTION": "PRL", "NUM_DIMS": 2, "DIM_1": 9, "DIM_2": 9, "BLOCK_SIZE": 5, "BLOCK_SIZE_2": 1}, "1 to 4"),
    ({"READ_OPTION": "PARTIAL", "DIM_1": 8, "TO_READ_NUM_PARTICLES": 9}, "1 to DIM_1, 8"),
    ({"COMPRESS": "YES", "DIM_1": 8, "CHUNK_DIM_1": 9}, "CHUNK_DIM_1 is 9, expected at most DIM_1, 8"),
    ({"DIM_1": "1 M", "IO_MEM_LIMIT": "32 M"}, "expected more than the 33554432 bytes of a step"),
    ({"EMULATED_COMPUTE_TIME_PER_TIMESTEP": "1 day"}, "expected a time such as 1 s, 100 ms or 5000 us"),
])  # fmt: skip
def test_mistakes(capsys: pytest.CaptureFixture[str], tmp_path: Path, keys: dict[str, object], message: str) -> None:
    """One line that names the file, the key and its value."""
    path = cfg(tmp_path, **keys)
    code, out, err = solve(capsys, path)
    assert (code, out) == (MISUSE, "")
    assert str(path) in err
    assert message in err
    assert err.count("\n") == 1


def test_a_configuration_replaces_no_file_of_elsewhere(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other, link = tmp_path / "notes.txt", tmp_path / "link"
    other.write_text("of the user", encoding="utf-8")
    link.symlink_to(other)
    for name in (other, link, tmp_path, Path("/dev/null")):
        code, _, err = solve(capsys, cfg(tmp_path, DIM_1=8, CSV_FILE=name), "--folder", tmp_path / "files")
        assert (code, err.count("\n")) == (MISUSE, 1)
        assert f"CSV_FILE is {name}, which exists and is no table of h5bench" in err
    assert other.read_text(encoding="utf-8") == "of the user"


def test_files_that_are_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A missing file, no KEY=VALUE lines, invalid JSON, no benchmark in it."""
    cases: list[tuple[str, Any, str]] = [
        ("none.cfg", None, "cannot be read"),
        ("words.cfg", "DIM_1\n", "expected lines of KEY=VALUE"),
        ("half.json", '{"benchmarks": [', "is not JSON"),
        ("empty.json", '{"benchmarks": []}', "benchmarks"),
        ("deep.json", '{"benchmarks": ' + "[" * 100_000, "is not JSON"),
        ("others.json", '{"benchmarks": [{"benchmark": "e3sm"}]}', "no benchmark of write, read"),
        ("away.json", '{"benchmarks": [{"benchmark": "write", "file": "../x.h5"}]}', "a name without a folder"),
    ]
    for name, content, message in cases:
        path = tmp_path / name
        if content is not None:
            path.write_text(content, encoding="utf-8")
        code, _, err = solve(capsys, path)
        assert code == MISUSE
        assert message in err
        assert err.count("\n") == 1


@given(st.integers(1, 1 << 20), st.sampled_from(["", "K", "k", " M", "G"]), st.integers(1, 5000))
def test_numbers_and_times(count: int, unit: str, time: int) -> None:
    """Numbers with binary units, and times with units."""
    power = {"": 0, "K": 1, "M": 2, "G": 3}[unit.strip().upper()]
    if count << (10 * power) > 1 << 50:
        with pytest.raises(Misuse):
            configured({"DIM_1": f"{count}{unit}"}, "x")
        return
    found = configured({"DIM_1": f"{count}{unit}", "EMULATED_COMPUTE_TIME_PER_TIMESTEP": f"{time} ms"}, "x")
    assert found.dim_1 == count * 1024**power
    assert found.emulated_compute_time_per_timestep == time * 1000


def test_defaults_of_a_file(tmp_path: Path) -> None:
    """READ_OPTION makes it a read. The last value of a key counts. Comments after a value are ignored."""
    path = tmp_path / "x.cfg"
    path.write_text("READ_OPTION=FULL\nDIM_1=5\nDIM_1=6 # a remark\n", encoding="utf-8")
    workflow = read_workflow(path)
    assert not workflow.benchmarks[0].configuration.write
    assert workflow.benchmarks[0].configuration.dim_1 == 6
    assert (workflow.ranks, workflow.folder) == (None, None)
