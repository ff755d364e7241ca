"""Recordings of perf in which processes that became another program lose the maps of their parents."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.observe.forked_maps import forget

COMM, FORK = 3, 7
BY_EXEC = 1 << 13


def recording(*records: bytes) -> bytes:
    """Return a file with these records, behind a header of the size that perf writes."""
    data = b"".join(records)
    return b"PERFILE2" + struct.pack("<8Q", 104, 0, 0, 0, 104, len(data), 0, 0) + bytes(32) + data


def comm(process: int, flags: int) -> bytes:
    return struct.pack("<IHHII", COMM, flags, 24, process, process) + b"app\0\0\0\0\0"


def fork(process: int, parent: int, thread: int, maker: int) -> bytes:
    return struct.pack("<IHHIIII", FORK, 0, 24, process, parent, thread, maker)


def test_only_new_programs_forget(tmp_path: Path) -> None:
    file = tmp_path / "perf.data"
    before = [fork(20, 10, 20, 10), fork(30, 10, 30, 10), fork(20, 20, 21, 20), comm(20, BY_EXEC), comm(30, 0)]
    file.write_bytes(recording(*before))
    assert forget(file) == 1
    assert file.read_bytes() == recording(fork(20, 0, 20, 0), *before[1:])


def test_a_process_is_known_by_an_exec_that_comes_later_or_before(tmp_path: Path) -> None:
    file = tmp_path / "perf.data"
    file.write_bytes(recording(comm(20, BY_EXEC), fork(20, 10, 20, 10)))
    assert forget(file) == 1


@pytest.mark.parametrize("content", [b"", b"PERFILE2", b"#!/bin/sh\n" + bytes(200)])
def test_other_files_are_left_as_they_are(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "perf.data"
    file.write_bytes(content)
    assert forget(file) == 0
    assert file.read_bytes() == content


@given(st.binary(max_size=200), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_any_file_keeps_its_size(tmp_path_factory: pytest.TempPathFactory, data: bytes, at: int, size: int) -> None:
    file = tmp_path_factory.getbasetemp() / "any.data"
    content = b"PERFILE2" + struct.pack("<8Q", 104, 0, 0, 0, at, size, 0, 0) + bytes(32) + data
    file.write_bytes(content)
    forget(file)
    assert file.stat().st_size == len(content)


def test_perf_reads_what_was_changed(tmp_path: Path) -> None:
    perf = shutil.which("perf")
    if perf is None:
        pytest.skip("perf is not installed")
    file = tmp_path / "perf.data"
    loop = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"
    words = [perf, "record", "-q", "-B", "-e", "cpu-clock", "-o", str(file), "--", "sh", "-c", f"sh -c '{loop}'; true"]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0 or not file.is_file():
        pytest.skip("perf does not record here")
    assert forget(file) >= 1
    done = subprocess.run([perf, "script", "-i", str(file), "-F", "comm,ip"], capture_output=True, check=False)
    assert done.returncode == 0
    assert b"sh" in done.stdout
