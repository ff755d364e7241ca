"""The patterns of access that are measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.small_reads.sample import ROWS, SEED, WIDTH
from rooftop.solvers import h5io

Read = Callable[[], Any]
# Of a file of h5io or of h5py, which return datasets by their names.
Reader = Callable[[Any], Read]

COLUMN = np.s_[:, 100]
_WINDOWS = [slice(first, first + 1000) for first in range(0, 10_000, 100)]
_STEPS = [slice(first, first + 16) for first in range(0, 4096, 16)]


@dataclass(frozen=True)
class Pattern:
    """One way of access.

    reader   opens what is read, and returns a function that makes all reads of the pattern and returns the last result
    reads    how many reads that function makes
    by_h5io  the same for h5io, where its interface differs
    """

    name: str
    reader: Reader
    reads: int = 1
    by_h5io: Reader | None = None

    def opened(self, file: Any) -> Read:
        """Return the function that reads, of a file of h5io or of h5py."""
        return self.by_h5io(file) if self.by_h5io is not None and isinstance(file, h5io.File) else self.reader(file)


def once(name: str, index: Any) -> Reader:
    """Read one selection of a dataset."""

    def opened(file: Any) -> Read:
        dataset = file[name]
        return lambda: dataset[index]

    return opened


def each(names: Sequence[str], indices: Sequence[Any]) -> Reader:
    """Read one selection after the other, of several datasets in turn."""

    def opened(file: Any) -> Read:
        datasets = [file[name] for name in names]

        def read() -> Any:
            found = None
            for index in indices:
                for dataset in datasets:
                    found = dataset[index]
            return found

        return read

    return opened


def random_places(count: int) -> list[tuple[int, int]]:
    """Return places of elements of the table."""
    random = np.random.default_rng(SEED)
    rows, columns = random.integers(0, ROWS, count).tolist(), random.integers(0, WIDTH, count).tolist()
    return list(zip(rows, columns, strict=True))


LISTED = sorted({row for row, _ in random_places(16)})


def rows_one_by_one(name: str, rows: Sequence[int]) -> Reader:
    """Read a list of rows into one array, each by itself."""

    def opened(file: h5io.File) -> Read:
        dataset = file[name]

        def read() -> Any:
            found = np.empty((len(rows), *dataset.shape[1:]), dataset.dtype)
            for place, row in enumerate(rows):
                found[place] = dataset[row]
            return found

        return read

    return opened


def opened_anew(name: str) -> Reader:
    """Open a dataset by its name for each read."""
    return lambda file: lambda: file[name][()]


def field_of_records(file: Any) -> Read:
    """Read a field of all records, as h5py has it."""
    dataset = file["records"]
    return lambda: dataset["x"]


def field_of_whole_records(file: h5io.File) -> Read:
    """Read all records, and return a field of them."""
    dataset = file["records"]
    return lambda: dataset[...]["x"]


PATTERNS: tuple[Pattern, ...] = (
    Pattern("one element, contiguous", once("table/contiguous", (7, 9))),
    Pattern("one element, compressed", once("table/compressed", (7, 9))),
    Pattern("random elements, contiguous", each(["table/contiguous"], random_places(64)), 64),
    Pattern("random elements, compressed", each(["table/compressed"], random_places(64)), 64),
    Pattern("100 values, contiguous", once("series/contiguous", np.s_[1234:1334])),
    Pattern("100 values, chunked", once("series/chunked", np.s_[1234:1334])),
    Pattern("row of 4 KiB, contiguous", once("table/contiguous", 77)),
    Pattern("row of 4 KiB, chunked", once("table/chunked", 77)),
    Pattern("row of 4 KiB, compressed", once("table/compressed", 77)),
    Pattern("last row, contiguous", once("table/contiguous", -1)),
    Pattern("column of 2000, contiguous", once("table/contiguous", COLUMN)),
    Pattern("column of 2000, chunked", once("table/chunked", COLUMN)),
    Pattern("column of 2000, compressed", once("table/compressed", COLUMN)),
    Pattern("every 10th row, every 4th column, contiguous", once("table/contiguous", np.s_[::10, ::4])),
    Pattern("every 7th value, chunked", once("series/chunked", np.s_[::7])),
    Pattern("block of 32x32, contiguous", once("table/contiguous", np.s_[500:532, 300:332])),
    Pattern("block of 32x32, chunked", once("table/chunked", np.s_[500:532, 300:332])),
    Pattern("block of 8x8x8, compressed", once("cube/compressed", np.s_[12:20, 20:28, 40:48])),
    Pattern("plane across a cube, contiguous", once("cube/contiguous", np.s_[:, :, 5])),
    Pattern(
        "list of rows, contiguous",
        once("table/contiguous", LISTED),
        by_h5io=rows_one_by_one("table/contiguous", LISTED),
    ),
    Pattern("1.5 MiB again, chunked", once("field/chunked", ...)),
    Pattern("1.5 MiB again, compressed", once("field/compressed", ...)),
    Pattern("4 MiB whole, contiguous", once("field/contiguous", ...)),
    Pattern("sliding window of 1000 by 100, compressed", each(["series/compressed"], _WINDOWS), len(_WINDOWS)),
    Pattern("rows one after the other, chunked", each(["table/chunked"], range(400)), 400),
    Pattern("16 rows after the other, 16 MiB compressed", each(["long/compressed"], _STEPS), len(_STEPS)),
    Pattern(
        "two datasets alternately, compressed",
        each(["series/compressed", "other/compressed"], [np.s_[500:600], np.s_[7500:7600]]),
        4,
    ),
    Pattern("1000 strings of fixed length", once("words/fixed", ...)),
    Pattern("100 strings of variable length", once("words/variable", ...)),
    Pattern("single value", once("scalar", ())),
    Pattern("10x10 whole, compact", once("compact", ...)),
    Pattern("1000 big-endian values, contiguous", once("big endian", ...)),
    Pattern("a field of 5000 records, contiguous", field_of_records, by_h5io=field_of_whole_records),
    Pattern("opened by its name, 10x10 whole", opened_anew("compact")),
)
