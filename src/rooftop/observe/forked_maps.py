"""Make perf forget the files that the parent of a process had mapped, once the process became another program.

perf (6.1, and versions around it) keeps them, and takes the lowest address at which a library was ever mapped for where
it is. Wherever the parent had it lower, as chance has it, stacks with functions of that library could not be unwound.
Format of the file: Linux, tools/perf/Documentation/perf.data-file-format.txt; of the records: perf_event_open(2).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

_MAGIC = b"PERFILE2"
_DATA = struct.Struct("<QQ")  # offset and size of the records
_DATA_AT = 40
_HEADER = struct.Struct("<IHH")  # type, flags, size of the record with its header
_IDS = struct.Struct("<IIII")  # FORK: process, parent process, thread, parent thread
_COMM, _FORK = 3, 7
_BY_EXEC = 1 << 13
_LITTLE = 64  # bytes of the file's header that are read


def _records(data: mmap.mmap) -> Iterator[tuple[int, int, int, int]]:
    """Yield the type, the flags, the offset and the size of each record; up to the first that is none."""
    at, size = _DATA.unpack_from(data, _DATA_AT)
    end = min(at + size, len(data))
    while at + _HEADER.size <= end:
        kind, flags, length = _HEADER.unpack_from(data, at)
        if length < _HEADER.size or at + length > end:
            return
        yield kind, flags, at, length
        at += length


def forget(file: Path) -> int:
    """Change a recording so that new programs have no maps of their parents. Return how many there are.

    A file that is none of perf's is left as it is. Raises OSError.
    """
    if file.stat().st_size < _LITTLE:
        return 0
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as data:
        if data[: len(_MAGIC)] != _MAGIC:
            return 0
        became = set()
        for kind, flags, at, length in _records(data):
            if kind == _COMM and flags & _BY_EXEC and length >= _HEADER.size + 4:
                became.add(struct.unpack_from("<I", data, at + _HEADER.size)[0])
        changed = 0
        for kind, _, at, length in _records(data):
            if kind == _FORK and length >= _HEADER.size + _IDS.size:
                process, parent, thread, _ = _IDS.unpack_from(data, at + _HEADER.size)
                if process != parent and process in became:
                    # The idle task, which has no maps, as its parent.
                    _IDS.pack_into(data, at + _HEADER.size, process, 0, thread, 0)
                    changed += 1
    return changed
