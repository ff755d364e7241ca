"""Bytes that are read beyond the size of their file were read before: counted by file, until it is closed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rooftop.observe.call_counts import library, missing, read_counts, variables
from rooftop.settings import Settings

SIZE = 10_000
READS = """
import os, sys
def whole(name):
    file = os.open(name, os.O_RDONLY)
    for _ in range(int(sys.argv[2])):
        os.pread(file, 1 << 20, 0)
    return file
name = sys.argv[1]
"""
STREAMS = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
libc.fopen.restype = libc.popen.restype = ctypes.c_void_p
libc.fopen.argtypes = libc.popen.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
for function in (libc.fileno, libc.fclose, libc.pclose): function.argtypes = [ctypes.c_void_p]
def opened(): return libc.fopen(sys.argv[1].encode(), b"r")
def whole(stream): os.pread(libc.fileno(stream), 1 << 20, 0)
"""
PROGRAMS = {
    "closed": READS + "os.close(whole(name))",
    "left open": READS + "whole(name)",
    "each time anew": READS.replace("range(int(sys.argv[2]))", "range(1)")
    + "for _ in range(int(sys.argv[2])): os.close(whole(name))",
    "in a child": READS + "file = whole(name)\nif os.fork() == 0: os._exit(0)\nos.wait()",
    "a number of its own": READS + "os.close(whole(name)); os.read(os.open(name, os.O_RDONLY), 10)",
    # As the streams of C++: a FILE that is read by its number.
    "a stream": STREAMS + "s = opened()\nfor _ in range(int(sys.argv[2])): whole(s)\nlibc.fclose(s)",
    "streams": STREAMS + "for _ in range(int(sys.argv[2])): s = opened(); whole(s); libc.fclose(s)",
    "a pipe before": STREAMS
    + "s = libc.popen(b'head -c 20000 /dev/zero', b'r')\nwhile os.read(libc.fileno(s), 20000): pass\nlibc.pclose(s)\n"
    + "s = opened(); whole(s); libc.fclose(s)",
    "without a size": READS + "whole('/proc/self/stat')",
}
ONCE = ("each time anew", "streams", "a pipe before", "without a size")

pytestmark = pytest.mark.skipif(
    missing(Settings().build_folder) is not None, reason=str(missing(Settings().build_folder))
)


@pytest.mark.parametrize("times", [1, 2, 5])
@pytest.mark.parametrize("kind", PROGRAMS)
def test_what_is_read_again(kind: str, times: int, tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "counts"
    file.write_bytes(b"x" * SIZE)
    folder.mkdir()
    words = [sys.executable, "-I", "-S", "-c", PROGRAMS[kind], str(file), str(times)]
    environment = {**os.environ, **variables(library(Settings().build_folder), folder, os.environ)}
    subprocess.run(words, env=environment, check=True)
    again = times - 1 if kind not in ONCE else 0
    counts = read_counts(folder)
    assert (counts.rereads.bytes, counts.rereads.calls) == (again * SIZE, 1 if again else 0)


@pytest.mark.skipif(shutil.which("cat") is None, reason="cat is not installed")
def test_a_program_that_reads_once_reads_nothing_again(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * SIZE)
    environment = {**os.environ, **variables(library(Settings().build_folder), tmp_path, os.environ)}
    subprocess.run(["cat", str(tmp_path / "file")], env=environment, stdout=subprocess.DEVNULL, check=True)
    assert read_counts(tmp_path).rereads.bytes == 0
