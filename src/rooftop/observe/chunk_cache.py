"""How often chunks of HDF5's datasets are read from their files: told by native/chunk_cache, loaded before programs.

Each process writes a file when it ends by itself or is replaced by another program (exec). Seen is H5Dread of HDF5 1.10
and later, linked dynamically or loaded by a package of Python, with the library's driver for plain files. The same
library gives a program larger chunk caches than it asks for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from rooftop.command.preload import preloaded, telling
from rooftop.settings import built

_FOLDER = "ROOFTOP_CHUNK_READS"
_LARGER = "ROOFTOP_CHUNK_CACHE"
_NUMBER = re.compile(r"\d{1,20}", re.ASCII)
_LARGEST = 2**64 - 1
_SLOTS_PER_CHUNK, _MOST_SLOTS = 100, 1 << 20


@dataclass(frozen=True)
class Reads:
    """What was seen of a dataset in chunks, in the order of native/chunk_cache/datasets.h.

    opens         numbers that HDF5 gave for it: each time that it was opened
    calls         of H5Dread, with the nanoseconds inside
    pieces        reads of the file within them, and their bytes; a chunk with filters is read as one piece, and so is a
                  part of the index of chunks
    first_pieces  those that had not been read before since the file was created, and their bytes
    most_pieces   of one call
    chunk_bytes   of a chunk in memory
    chunks        that the dataset's size takes
    filters       that each chunk goes through
    cache_bytes   of the dataset's chunk cache; cache_slots: the entries of its hash table
    """

    opens: int = 0
    calls: int = 0
    ns: int = 0
    pieces: int = 0
    bytes: int = 0
    first_pieces: int = 0
    first_bytes: int = 0
    most_pieces: int = 0
    chunk_bytes: int = 0
    chunks: int = 0
    filters: int = 0
    cache_bytes: int = 0
    cache_slots: int = 0


_NAMES = tuple(one.name for one in fields(Reads))


@dataclass(frozen=True)
class ChunkReads:
    """What one process told.

    of       reads by the dataset's name and its file's; those that were opened by references have none
    lost     calls for datasets for which the library had no room
    refused  versions of HDF5 that it does not know: before 1.10
    """

    of: Mapping[tuple[str, str], Reads] = field(default_factory=dict)
    lost: int = 0
    refused: tuple[str, ...] = ()


def library(build_folder: Path) -> Path:
    """Return where the library is built."""
    return built(build_folder, "native/libchunk_cache.so")


def missing(build_folder: Path) -> str | None:
    """Return the reason why chunks cannot be seen; None where they can."""
    wanted = library(build_folder)
    return None if wanted.is_file() else f"{wanted} is not built: 'rooftop build', on Linux with glibc"


def variables(library: Path, folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what the program's environment must have beside its own variables.

    folder  that of the files; it exists
    """
    return telling(library, _FOLDER, folder, environment)


def slots_for(chunks: int) -> int:
    """Return the slots of a cache for so many chunks, after h5py's documentation of rdcc_nslots; an odd number."""
    return min(_MOST_SLOTS, chunks * _SLOTS_PER_CHUNK) | 1


def larger(library: Path, cache_bytes: int, slots: int, environment: Mapping[str, str]) -> dict[str, str]:
    """Return what gives each dataset of a program a chunk cache of at least so many bytes and slots."""
    return {**preloaded([library], environment), _LARGER: f"{cache_bytes}:{slots}"}


def _numbers(words: list[str], count: int, line: str) -> list[int]:
    """Return words as so many numbers. Raises ValueError naming the line."""
    found = [int(word) if _NUMBER.fullmatch(word) else -1 for word in words]
    if len(found) != count or any(not 0 <= number <= _LARGEST for number in found):
        raise ValueError(f"the line of chunks {line!r}: expected {count} numbers from 0 to {_LARGEST}")
    return found


def read_process(text: str) -> ChunkReads:
    """Read what one process wrote. Raises ValueError telling what is wrong with it."""
    of: dict[tuple[str, str], Reads] = {}
    refused: list[str] = []
    lost: int | None = None
    *lines, last = text.split("\n")
    if last or not lines or lines.pop() != "end":
        raise ValueError("the text of chunks has no end: it was cut short")
    for line in lines:
        kind, _, rest = line.partition(" ")
        if kind == "dataset":
            *words, named = rest.split(" ", len(_NAMES))
            name, tab, file = named.partition("\t")
            reads = Reads(*_numbers(words, len(_NAMES), line))
            if not tab or (name, file) in of:
                raise ValueError(f"the line of chunks {line!r}: expected a new name, a tab and its file")
            of[name, file] = reads
        elif kind == "refused":
            refused.append(".".join(map(str, _numbers(rest.split(" "), 3, line))))
        elif kind == "lost" and lost is None:
            (lost,) = _numbers(rest.split(" "), 1, line)
        else:
            raise ValueError(f"the line of chunks {line!r}: expected 'dataset', 'refused', 'lost' or 'end'")
    if lost is None:
        raise ValueError("the text of chunks has no line 'lost': the library is another version's ('rooftop build')")
    return ChunkReads(of, lost, tuple(refused))


def read_chunks(folder: Path) -> list[ChunkReads]:
    """Read the files of all processes that read a chunked dataset, or that loaded a version of HDF5 below 1.10.

    Raises ValueError where no process wrote anything, and for a file that is wrong. One that is empty belongs to a
    process that was killed as it ended.
    """
    found: list[ChunkReads] = []
    texts = {file.name: file.read_text(encoding="utf-8", errors="replace") for file in sorted(folder.glob("*.txt"))}
    if not any(texts.values()):
        raise ValueError("no process told of its datasets: the program is static or setuid, or a signal ended it")
    for name, text in texts.items():
        try:
            found += [read_process(text)] if text else []
        except ValueError as reason:
            raise ValueError(f"{name}: {reason}") from None
    return [one for one in found if one.of or one.lost or one.refused]
